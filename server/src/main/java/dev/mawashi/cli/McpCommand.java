package dev.mawashi.cli;

import dev.mawashi.http.Access;
import dev.mawashi.http.Role;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tracing.Traces;
import dev.mawashi.web.AgentAccess;
import dev.mawashi.web.AgentProtocol;
import dev.mawashi.web.ProgramRoutes;
import dev.mawashi.web.WebSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi mcp`.
@Command(
        description = {
            "Serves an AI agent: the API's operations as tools of the Model Context Protocol, on"
                    + " standard input and output.",
            "The agent's program starts it and ends it. Hidden arguments stay hidden. Without"
                    + " --role the agent only reads.",
        },
        footer = {
            "  mawashi mcp",
            "  mawashi mcp --redis redis://localhost:6379/0 --role operator",
        })
final class McpCommand implements Callable<Integer> {
    private static final Map<String, Role> ROLES =
            Map.of("viewer", Role.VIEWER, "operator", Role.OPERATOR, "admin", Role.ADMIN);

    private final CommandContext context;

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description =
                    "What the agent may do: viewer (unless given) reads; operator also enqueues,"
                            + " retries, moves, pauses, cancels; admin also deletes, clears, ends"
                            + " processes. The record of changes has each act but enqueueing.")
    private String role = "viewer";

    McpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Role given = ROLES.get(role);
        if (given == null) {
            throw new WrongUse("--role is viewer, operator or admin, not " + role);
        }
        WebSettings settings =
                new WebSettings(
                        Access.of("0", Map.of()),
                        redis.address(context.environment()),
                        namespace.keys(),
                        Version.ofThisBuild().mawashi(),
                        Traces::of);
        AgentProtocol protocol =
                AgentProtocol.find()
                        .orElseThrow(() ->
                                new CommandFailure(
                                        "the libraries of the folder mcp are missing:"
                                                + " unpack the release again, and start"
                                                + " this by the launcher mawashi"));
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            connection.call("PING");
        }
        // What anything else prints must not come between the protocol's lines.
        PrintStream out = System.out;
        System.setOut(System.err);
        try (ProgramRoutes programs = new ProgramRoutes(settings, context.clock())) {
            String user = context.user();
            protocol.serve(
                    new AgentAccess(given, user, settings.version(), programs.routes()),
                    System.in,
                    out);
            programs.endActs();
        }
        return Main.DONE;
    }
}
