package dev.mawashi.mcp;

import dev.mawashi.api.Api;
import dev.mawashi.http.Answer;
import dev.mawashi.web.AgentAccess;
import dev.mawashi.web.AgentProtocol;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Serves the API's operations by the official library of the protocol.
public final class SdkProtocol implements AgentProtocol {
    private static final String INSTRUCTIONS =
            "Queues, jobs and processes of a job server (Mawashi, Sidekiq or Resque). Begin with"
                    + " show_stats and list_processes, which has alarms. The next part of a list: call"
                    + " the tool again with the parameters in `next` (from or cursor). A job's key in"
                    + " retries, scheduled and dead is SCORE-JID, as the lists show it. An act answers"
                    + " with its record; undo_act takes the record's id.";

    /// Held because `java.util.logging` forgets the level of a logger that nobody holds. The
    /// library warns of each notification that it has no use for.
    private static final List<Logger> QUIET =
            List.of(Logger.getLogger("io.modelcontextprotocol"), Logger.getLogger("reactor"));

    /// For the lookup.
    public SdkProtocol() {}

    @Override
    public void serve(AgentAccess access, InputStream in, OutputStream out) throws IOException {
        QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
        // Its words for wrong arguments would follow the machine's language, ours do not.
        Locale.setDefault(Locale.ENGLISH);
        List<ApiTool> tools = ToolCatalogue.of(Api.description(), access.routes());
        Map<String, ApiTool> byName =
                tools.stream().collect(Collectors.toMap(ApiTool::name, tool -> tool));
        LineTransport lines =
                new LineTransport(
                        McpJsonDefaults.getMapper(), new RequestCheck(byName.keySet()), in, out);
        McpSyncServer server =
                McpServer.sync(lines)
                        .serverInfo("mawashi", access.version())
                        .instructions(INSTRUCTIONS)
                        .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
                        .tools(tools.stream().map(tool -> specification(tool, access)).toList())
                        .addToolFilter((_, tool) -> isAllowed(byName.get(tool.name()), access))
                        .build();
        try {
            lines.run();
        } finally {
            server.close();
        }
    }

    private static boolean isAllowed(@Nullable ApiTool tool, AgentAccess access) {
        return tool != null && tool.isAllowed(access.role());
    }

    private static SyncToolSpecification specification(ApiTool tool, AgentAccess access) {
        McpSchema.ToolAnnotations hints =
                McpSchema.ToolAnnotations.builder()
                        .readOnlyHint(!tool.isAct())
                        .destructiveHint(tool.isDestructive())
                        .openWorldHint(false)
                        .build();
        McpSchema.Tool shown =
                McpSchema.Tool.builder(tool.name(), tool.input())
                        .title(tool.title())
                        .description(tool.description())
                        .annotations(hints)
                        .build();
        return new SyncToolSpecification(
                shown,
                (_, request) -> {
                    Map<String, Object> arguments = request.arguments();
                    return result(tool.call(arguments == null ? Map.of() : arguments, access));
                });
    }

    private static McpSchema.CallToolResult result(Answer answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8).strip();
        return McpSchema.CallToolResult.builder()
                .addTextContent(text)
                .isError(answer.status() >= 400)
                .build();
    }
}
