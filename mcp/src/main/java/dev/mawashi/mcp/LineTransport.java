package dev.mawashi.mcp;

import dev.mawashi.wire.JsonFields;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/// The protocol's messages, one per line. The library's own transport ends at the first line that
/// is no message; this one answers it and goes on.
///
/// The thread of `run` reads and hands on; the library's threads call tools, and whoever has an
/// answer writes it, one at a time. So answers come in another order than requests, each with its
/// request's id.
final class LineTransport implements McpServerTransportProvider, McpServerTransport {
    private static final System.Logger LOG = System.getLogger(LineTransport.class.getName());

    /// Messages that are being answered; the next one is read when one of them is done.
    private static final int IN_HAND_MAX = 16;

    /// For the answers that are under way when the input ends: a profile takes 10 s.
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

    private final McpJsonMapper json;
    private final RequestCheck check;
    private final MessageLines lines;
    private final OutputStream out;
    private final Semaphore free = new Semaphore(IN_HAND_MAX);
    private @Nullable McpServerSession session;

    /// Whether the agent has ended its greeting; before that the library keeps requests waiting for
    /// good. Of the reading thread.
    private boolean isGreeted;

    LineTransport(McpJsonMapper json, RequestCheck check, InputStream in, OutputStream out) {
        this.json = json;
        this.check = check;
        lines = new MessageLines(in);
        this.out = out;
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
        session = factory.create(this);
    }

    /// Reads and answers until the input ends.
    void run() throws IOException {
        try {
            for (MessageLines.Line line = lines.next(); line != null; line = lines.next()) {
                accept(line);
            }
            if (!free.tryAcquire(IN_HAND_MAX, LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "the agent left before all was answered");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(MessageLines.Line line) throws InterruptedException {
        if (!line.isWhole()) {
            refuse(
                    null,
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    "a message has at most 1 MiB: this one was passed over");
            return;
        }
        String text = new String(line.bytes(), StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return;
        }
        Object value;
        try {
            value = json.readValue(text, Object.class);
        } catch (IOException | RuntimeException malformed) {
            refuse(null, McpSchema.ErrorCodes.PARSE_ERROR, "a line is one message in JSON");
            return;
        }
        try {
            hand(McpSchema.deserializeJsonRpcMessage(json, text));
        } catch (IOException | RuntimeException wrong) {
            refuse(
                    value instanceof Map<?, ?> fields ? fields.get("id") : null,
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    "this is no message of JSON-RPC 2.0: it has jsonrpc, method, params and id");
        }
    }

    private void hand(JSONRPCMessage message) throws InterruptedException {
        if (message instanceof McpSchema.JSONRPCNotification notification
                && notification.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)) {
            isGreeted = true;
        }
        if (message instanceof McpSchema.JSONRPCRequest request) {
            McpSchema.JSONRPCResponse.JSONRPCError objection = check.objection(request, isGreeted);
            if (objection != null) {
                refuse(request.id(), objection.code(), objection.message());
                return;
            }
        }
        free.acquire();
        Objects.requireNonNull(session)
                .handle(message)
                .doFinally(_ -> free.release())
                .subscribe(
                        _ -> {},
                        failure -> LOG.log(Level.DEBUG, "a message was not answered", failure));
    }

    private void refuse(@Nullable Object id, int code, String why) {
        boolean isId = id instanceof String || id instanceof Number;
        try {
            write(
                    new JsonFields()
                            .text("jsonrpc", "2.0")
                            .json("id", isId ? json.writeValueAsString(id) : "null")
                            .object(
                                    "error",
                                    new JsonFields().number("code", code).text("message", why))
                            .toString());
        } catch (IOException | UncheckedIOException gone) {
            LOG.log(Level.DEBUG, "a message was not answered", gone);
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> {
            try {
                write(json.writeValueAsString(message));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// @param message in JSON, which has no line break outside its texts, nor there
    private void write(String message) {
        byte[] line = (message + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.write(line);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return json.convertValue(data, type);
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return Objects.requireNonNull(session).sendNotification(method, params);
    }

    @Override
    public List<String> protocolVersions() {
        return McpServerTransport.super.protocolVersions();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    @Override
    public void close() {
        // The streams are whose who gave them.
    }
}
