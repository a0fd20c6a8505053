package dev.mawashi.redis;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A command that did not succeed. `kind` says whether it may have been applied all the same, which
/// decides who may send it again: anyone after `NOT_SENT` and `REFUSED`, only an idempotent command
/// after `UNKNOWN`.
public final class RedisFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The code given to the refusal of a Redis that does not know `HELLO`, with which connections
    /// begin since Redis 6.
    public static final String NO_PROTOCOL = "NOPROTO";

    /// Codes of the whole server's state, or of the log-in; any other error is about the one
    /// command, its keys, or what this user may do with them.
    private static final Set<String> OF_SERVER =
            Set.of(
                    "BUSY",
                    "CLUSTERDOWN",
                    "LOADING",
                    "MASTERDOWN",
                    "MISCONF",
                    "NOAUTH",
                    NO_PROTOCOL,
                    "NOREPLICAS",
                    "OOM",
                    "READONLY",
                    "TRYAGAIN",
                    "UNBLOCKED",
                    "WRONGPASS");

    /// Codes by which a node says that it cannot have a command, which another node, or the same
    /// one later, can.
    private static final Set<String> OF_CLUSTER = Set.of("ASK", "CLUSTERDOWN", "MOVED", "TRYAGAIN");

    private final Kind kind;
    private final String code;
    private final String explanation;

    /// The knowledge about the command's effect.
    public enum Kind {
        /// No byte of it left this process, or it has reached a node that has not its keys.
        NOT_SENT,
        /// Redis answered with an error. A command did nothing then; a script may have done a part.
        REFUSED,
        /// It was sent and no answer came.
        UNKNOWN
    }

    private RedisFailure(Kind kind, String code, String message, Throwable cause) {
        this(kind, code, message, message, cause);
    }

    private RedisFailure(
            Kind kind, String code, String message, String explanation, Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.code = code;
        this.explanation = explanation;
    }

    static RedisFailure notSent(String message, Throwable cause) {
        return new RedisFailure(Kind.NOT_SENT, "", message, cause);
    }

    static RedisFailure unknown(String message, Throwable cause) {
        return new RedisFailure(Kind.UNKNOWN, "", message, cause);
    }

    /// @param reply Redis's error line, whose first word is the code
    static RedisFailure refused(String reply, Throwable cause) {
        return refused(reply, cause, null);
    }

    /// @param sent what is refused, if it is known
    static RedisFailure refused(String reply, Throwable cause, @Nullable Sent sent) {
        int space = reply.indexOf(' ');
        String code = space < 0 ? reply : reply.substring(0, space);
        // What Redis answers to the first command of a connection explains that command.
        String message = reply.startsWith("NOAUTH HELLO") ? "NOAUTH it wants a password" : reply;
        String explanation = sent == null ? message : sent.explain(message);
        return new RedisFailure(Kind.REFUSED, code, message, explanation, cause);
    }

    boolean isOfCluster() {
        return OF_CLUSTER.contains(code);
    }

    /// The same as that of what has not reached the right node.
    RedisFailure asNotSent() {
        return notSent("the keys are not at this node of the Cluster: " + reason(), this);
    }

    /// Says that a key has not the type that it should have, and names the remedy.
    ///
    /// @param kind what the key should be, such as `sorted set`
    public static String wrongType(String key, String kind) {
        return "the key " + key + " is no " + kind + Sent.TYPE_REMEDY;
    }

    /// What was not sent, since it has to wait for something that Redis refuses.
    public static RedisFailure postponed(String message) {
        return new RedisFailure(
                Kind.REFUSED, "POSTPONED", message, new IllegalStateException(message));
    }

    static RedisFailure tooOld(RedisAddress address, Throwable cause) {
        String message =
                "the Redis at "
                        + address
                        + " has no command HELLO (it is older than 6, or the command is renamed):"
                        + " Mawashi needs Redis 7.0 or Valkey 7.2 or newer";
        return new RedisFailure(Kind.REFUSED, NO_PROTOCOL, message, cause);
    }

    /// The same of what was to follow on something.
    ///
    /// @param done what had been done by then, in words
    public RedisFailure after(String done) {
        return new RedisFailure(
                kind, code, done + ": " + reason(), done + ": " + explanation, this);
    }

    /// What went wrong, in one sentence without a password.
    public String reason() {
        return String.valueOf(getMessage());
    }

    /// The same for an operator: where Redis refuses a command, with its keys and the remedy.
    public String explanation() {
        return explanation;
    }

    public Kind kind() {
        return kind;
    }

    /// Whether it is about this one command alone, so that others may succeed meanwhile.
    public boolean isOfOneCommand() {
        return kind == Kind.REFUSED && !OF_SERVER.contains(code);
    }

    /// Whether somebody answers there, but TLS with him comes to nothing.
    public boolean isOfTls() {
        return Stream.<Throwable>iterate(this, Objects::nonNull, Throwable::getCause)
                .anyMatch(SSLException.class::isInstance);
    }

    /// The first word of Redis's error, such as `OOM` or `WRONGTYPE`; empty when there was none.
    public String code() {
        return code;
    }
}
