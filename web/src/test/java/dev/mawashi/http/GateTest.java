package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GateTest {
    private static final String SECRET = "operator-secret-01";

    private final AtomicLong nanos = new AtomicLong();

    private Gate gate(String address, Map<String, String> environment) {
        return new Gate(Access.of(address, environment), new Attempts(nanos::get));
    }

    private Gate withSecret() {
        return gate("7433", Map.of("MAWASHI_WEB_OPERATOR", SECRET));
    }

    private static Gate.Head get(String host) {
        return new Gate.Head("GET", "127.0.0.1", host, null, null, null);
    }

    private static Gate.Head shows(String from, String authorization) {
        return new Gate.Head("GET", from, "localhost", authorization, null, null);
    }

    private static int status(Gate.Pass pass) {
        return Objects.requireNonNull(pass.refusal()).status();
    }

    @ParameterizedTest
    @CsvSource({"localhost", "LOCALHOST:7433", "127.0.0.1:7433", "[::1]:7433"})
    void withoutSecretsThisMachineIsAnAdminByItsOwnNames(String host) {
        assertThat(gate("7433", Map.of()).pass(get(host)))
                .isEqualTo(new Gate.Pass(Role.ADMIN, "-", null));
    }

    @ParameterizedTest
    @CsvSource(
            value = {"evil.example", "localhost.evil.example", "127.0.0.1.evil:7433", "nil", "''"},
            nullValues = "nil")
    void aNameThatSomebodyMadeToPointHereIsNotOurs(String host) {
        Gate.Pass pass = gate("7433", Map.of()).pass(get(host));

        assertThat(status(pass)).isEqualTo(421);
        assertThat(pass.role()).isEqualTo(Role.ANYBODY);
    }

    @Test
    void withoutSecretsNobodyIsTrustedAtAnyOtherAddress() {
        assertThat(gate("0.0.0.0:7433", Map.of()).pass(get("localhost")))
                .isEqualTo(new Gate.Pass(Role.ANYBODY, "-", null));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "same-origin,nil,true",
                "nil,http://localhost:7433,true",
                "nil,https://LOCALHOST:7433,true",
                "cross-site,nil,false",
                "same-site,nil,false",
                "none,nil,false",
                "cross-site,http://localhost:7433,false",
                "nil,http://evil.example,false",
                "nil,nil,false",
            },
            nullValues = "nil")
    void aChangeComesFromOurOwnPage(String site, String origin, boolean isLet) {
        Gate.Head post = new Gate.Head("POST", "127.0.0.1", "localhost:7433", null, site, origin);

        Gate.Pass pass = gate("7433", Map.of()).pass(post);

        assertThat(pass.role()).isEqualTo(isLet ? Role.ADMIN : Role.ANYBODY);
        assertThat(pass.refusal() == null || status(pass) == 403).isTrue();
        assertThat(pass.refusal() == null).isEqualTo(isLet);
    }

    @Test
    void aPasswordIsSentByBrowsersByThemselvesAndATokenIsNot() {
        Gate gate = withSecret();
        String basic = CredentialsTest.basic("ann", SECRET);
        Gate.Head strange = new Gate.Head("POST", "10.0.0.1", "mawashi", basic, "cross-site", null);
        Gate.Head token =
                new Gate.Head("POST", "10.0.0.1", "mawashi", "Bearer " + SECRET, null, null);

        assertThat(status(gate.pass(strange))).isEqualTo(403);
        assertThat(gate.pass(token)).isEqualTo(new Gate.Pass(Role.OPERATOR, "token", null));
        assertThat(gate.pass(shows("10.0.0.1", basic)))
                .isEqualTo(new Gate.Pass(Role.OPERATOR, "ann", null));
    }

    @Test
    void withSecretsWhoShowsNoneIsAnybodyOnLoopbackToo() {
        assertThat(withSecret().pass(get("localhost")))
                .isEqualTo(new Gate.Pass(Role.ANYBODY, "-", null));
    }

    @Test
    void tenWrongSecretsBarAnAddressForAMinute() {
        Gate gate = withSecret();
        for (int i = 0; i < Attempts.FAILURES_MAX; i++) {
            assertThat(status(gate.pass(shows("10.0.0.1", "Bearer wrong" + i)))).isEqualTo(401);
        }

        assertThat(status(gate.pass(shows("10.0.0.1", "Bearer " + SECRET)))).isEqualTo(429);
        assertThat(gate.pass(shows("10.0.0.2", "Bearer " + SECRET)).role())
                .isEqualTo(Role.OPERATOR);
        nanos.addAndGet(60_000_000_000L);
        assertThat(gate.pass(shows("10.0.0.1", "Bearer " + SECRET)).role())
                .isEqualTo(Role.OPERATOR);
    }

    @Test
    void aWrongSecretIsAskedForAgain() {
        Gate.Pass wrong = withSecret().pass(shows("10.0.0.1", "Basic d3Jvbmc6d3Jvbmc="));

        assertThat(Objects.requireNonNull(wrong.refusal()).headers())
                .containsEntry("WWW-Authenticate", "Basic realm=\"mawashi\", charset=\"UTF-8\"");
    }
}
