package dev.mawashi.cli;

import dev.mawashi.web.WebServer;
import dev.mawashi.web.WebSettings;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi web`.
@Command(
        name = "web",
        description = {
            "Serves pages that show queues, jobs and processes, Mawashi's and Sidekiq's, until"
                    + " Ctrl-C.",
            "The same port answers probes at /health/live and /health/ready, and Prometheus at"
                    + " /metrics.",
            "By default only this machine can call it. At any other address it needs a secret in"
                    + " MAWASHI_WEB_VIEWER, MAWASHI_WEB_OPERATOR or MAWASHI_WEB_ADMIN; a browser"
                    + " asks for it as a password. Programs that only enqueue, by POST"
                    + " /api/v1/jobs, show the secret in MAWASHI_WEB_ENQUEUER.",
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi web",
            "  MAWASHI_WEB_VIEWER=correct-horse-battery mawashi web 0.0.0.0:7433",
        })
final class WebCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            description = "Its address (127.0.0.1:7433).")
    private String address = "7433";

    WebCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        WebServer server = WebServer.besideFleet(settings(), context.clock());
        try {
            server.start();
        } catch (IllegalStateException taken) {
            throw new CommandFailure(String.valueOf(taken.getMessage()));
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("mawashi-stop-1")
                                .unstarted(() -> stop(server, stopped)));
        spec.commandLine().getOut().println("the page is at " + server.url());
        spec.commandLine().getOut().flush();
        stopped.await();
        return Main.DONE;
    }

    private WebSettings settings() {
        try {
            return ListenOption.page(
                    address,
                    redis.address(context.environment()),
                    namespace.keys(),
                    context.environment());
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }

    /// INT and TERM are how this command ends, so the JVM's own 130 or 143 is replaced by 0.
    private static void stop(WebServer server, CountDownLatch stopped) {
        server.stop(PATIENCE);
        stopped.countDown();
        Runtime.getRuntime().halt(Main.DONE);
    }
}
