package dev.mawashi.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds mistakes in requests for which the library has no answer that helps.
final class RequestCheck {
    private static final int SHOWN_MAX = 50;

    private final Set<String> tools;

    /// @param tools all names that there are
    RequestCheck(Set<String> tools) {
        this.tools = Set.copyOf(tools);
    }

    /// @param isGreeted whether the agent has sent what comes before all
    /// @return the code and the words of an error; null for a request to be handed on
    McpSchema.JSONRPCResponse.@Nullable JSONRPCError objection(
            JSONRPCRequest request, boolean isGreeted) {
        if (!isGreeted && !request.method().equals(McpSchema.METHOD_INITIALIZE)) {
            return new McpSchema.JSONRPCResponse.JSONRPCError(
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    "send initialize and notifications/initialized first");
        }
        String why =
                switch (request.method()) {
                    case McpSchema.METHOD_INITIALIZE -> ofGreeting(request.params());
                    case McpSchema.METHOD_TOOLS_CALL -> ofCall(request.params());
                    default ->
                            request.params() == null || request.params() instanceof Map
                                    ? ""
                                    : "params is an object";
                };
        return why.isEmpty()
                ? null
                : new McpSchema.JSONRPCResponse.JSONRPCError(
                        McpSchema.ErrorCodes.INVALID_PARAMS, why);
    }

    private static String ofGreeting(@Nullable Object params) {
        return params instanceof Map<?, ?> fields
                        && fields.get("protocolVersion") instanceof String
                        && fields.get("capabilities") instanceof Map
                        && fields.get("clientInfo") instanceof Map
                ? ""
                : "params of initialize has protocolVersion, capabilities and clientInfo";
    }

    private String ofCall(@Nullable Object params) {
        if (!(params instanceof Map<?, ?> fields) || !(fields.get("name") instanceof String name)) {
            return "params of tools/call is an object with name, and arguments where the tool has"
                    + " some";
        }
        if (!tools.contains(name)) {
            String shown = name.length() <= SHOWN_MAX ? name : name.substring(0, SHOWN_MAX) + "...";
            return "there is no tool " + shown + ": tools/list has them all";
        }
        Object arguments = fields.get("arguments");
        return arguments == null || arguments instanceof Map ? "" : "arguments is an object";
    }
}
