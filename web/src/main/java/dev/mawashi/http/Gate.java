package dev.mawashi.http;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Admits or refuses each request by its sender. A refused one costs nothing more.
///
/// Where no role has a secret, whoever reaches the loopback interface is an admin; then a page of
/// another site must not speak in their name. A browser reports by `Sec-Fetch-Site` from where a
/// request comes, and by `Host` whom it believes to speak to, which a name that somebody has made
/// to point here betrays.
final class Gate {
    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Pass STRANGE_HOST =
            Pass.refused(421, "call this by localhost, 127.0.0.1 or [::1]");

    private static final Pass BARRED =
            Pass.refused(
                    Answer.text(429, "too many wrong secrets from here: wait a minute")
                            .with(Map.of("Retry-After", "60")));

    private final Access access;
    private final Attempts attempts;

    Gate(Access access, Attempts attempts) {
        this.access = access;
        this.attempts = attempts;
    }

    /// A request's head.
    ///
    /// @param address of the client
    /// @param host the header of that name, as the others
    record Head(
            String method,
            String address,
            @Nullable String host,
            @Nullable String authorization,
            @Nullable String fetchSite,
            @Nullable String origin) {}

    /// The caller, or the refusal.
    record Pass(Role role, String who, @Nullable Answer refusal) {
        static Pass refused(int status, String why) {
            return refused(Answer.text(status, why));
        }

        static Pass refused(Answer refusal) {
            return new Pass(Role.ANYBODY, "-", refusal);
        }
    }

    /// Has a browser ask for a secret, anew where it has sent a wrong one.
    static Answer ask(String why) {
        return Answer.text(401, why)
                .with(Map.of("WWW-Authenticate", "Basic realm=\"mawashi\", charset=\"UTF-8\""));
    }

    Pass pass(Head head) {
        if (access.trustsCallers()) {
            return isOwnHost(head.host()) ? checked(head, Role.ADMIN, "-") : STRANGE_HOST;
        }
        if (head.authorization() == null) {
            return new Pass(Role.ANYBODY, "-", null);
        }
        if (attempts.isBarred(head.address())) {
            return BARRED;
        }
        Optional<Credentials.Holder> holder = access.credentials().holder(head.authorization());
        if (holder.isEmpty()) {
            attempts.failed(head.address());
            return Pass.refused(ask("no role has this secret"));
        }
        Credentials.Holder one = holder.get();
        // No browser sends a bearer token by itself.
        return one.isBearer()
                ? new Pass(one.role(), one.name(), null)
                : checked(head, one.role(), one.name());
    }

    private boolean isOwnHost(@Nullable String header) {
        if (header == null) {
            return false;
        }
        String host = header.toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
        return OWN_NAMES.contains(host);
    }

    private static Pass checked(Head head, Role role, String who) {
        return head.method().equals("GET") || isFromOurPage(head)
                ? new Pass(role, who, null)
                : Pass.refused(
                        403,
                        "a change comes from our own page (Sec-Fetch-Site: same-origin) or with a"
                                + " bearer token");
    }

    private static boolean isFromOurPage(Head head) {
        if (head.fetchSite() != null) {
            return head.fetchSite().equals("same-origin");
        }
        return head.origin() != null
                && head.origin().replaceFirst("^https?://", "").equalsIgnoreCase(head.host());
    }
}
