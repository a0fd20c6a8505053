package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialsTest {
    private static final String VIEWER = "viewer-secret-0001";
    private static final String ADMIN = "admin-secret-00002";

    private final Credentials credentials =
            Credentials.of(Map.of("MAWASHI_WEB_VIEWER", VIEWER, "MAWASHI_WEB_ADMIN", ADMIN));

    static String basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @Test
    void eachRoleHasAVariableOfItsOwn() {
        for (Role role : List.of(Role.VIEWER, Role.ENQUEUER, Role.OPERATOR, Role.ADMIN)) {
            Credentials one = Credentials.of(Map.of("MAWASHI_WEB_" + role, ADMIN));
            assertThat(one.holder("Bearer " + ADMIN)).map(Credentials.Holder::role).contains(role);
        }
    }

    @Test
    void whoEnqueuesMayNotLookAndWhoLooksMayNotEnqueue() {
        assertThat(Role.ENQUEUER.may(Role.ENQUEUER)).isTrue();
        assertThat(Role.ENQUEUER.may(Role.ANYBODY)).isTrue();
        assertThat(Role.ENQUEUER.may(Role.VIEWER)).isFalse();
        assertThat(Role.ENQUEUER.may(Role.OPERATOR)).isFalse();
        assertThat(Role.VIEWER.may(Role.ENQUEUER)).isFalse();
        assertThat(Role.OPERATOR.may(Role.ENQUEUER)).isTrue();
        assertThat(Role.ADMIN.may(Role.ENQUEUER)).isTrue();
    }

    @Test
    void aSecretIsATokenOrAPasswordWhoseUserIsAnybody() {
        assertThat(credentials.holder("Bearer " + VIEWER))
                .contains(new Credentials.Holder(Role.VIEWER, "token", true));
        assertThat(credentials.holder("bearer   " + ADMIN))
                .contains(new Credentials.Holder(Role.ADMIN, "token", true));
        assertThat(credentials.holder(basic("ann", ADMIN)))
                .contains(new Credentials.Holder(Role.ADMIN, "ann", false));
        assertThat(credentials.holder(basic("", VIEWER)))
                .contains(new Credentials.Holder(Role.VIEWER, "", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer viewer-secret-0001x",
                "Bearer viewer-secret-000",
                "Digest viewer-secret-0001",
                "Basic viewer-secret-0001",
                "Basic !!!",
                "Basic dmlld2VyLXNlY3JldC0wMDAx",
            })
    void anythingElseIsNobody(String header) {
        assertThat(credentials.holder(header)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "\u0000:\u0000", "ann:", "\u00ff\u00fe:\u00c3", "::::"})
    void aPairThatIsEmptyOrNoUtf8IsNobody(String pair) {
        byte[] bytes = pair.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(credentials.holder("Basic " + Base64.getEncoder().encodeToString(bytes)))
                .isEmpty();
    }

    @Test
    void aNameCannotForgeALineOfTheLog() {
        String name = "ann\r\n2026 forged\u001b[2J" + "x".repeat(100);

        assertThat(credentials.holder(basic(name, ADMIN)))
                .map(Credentials.Holder::name)
                .hasValueSatisfying(shown ->
                        assertThat(shown).matches("ann\\?\\?2026\\?forged\\?\\?2Jx+").hasSize(64));
        assertThat(credentials.holder(basic("Zoë@shop.example", ADMIN)))
                .map(Credentials.Holder::name)
                .contains("Zoë@shop.example");
    }

    @Test
    void aHeaderOfAnyLengthIsNotDecoded() {
        assertThat(credentials.holder(basic("u".repeat(4_000), ADMIN))).isEmpty();
    }

    @Test
    void secretsThatAreShortOrTheSameAreRefused() {
        assertThatThrownBy(() -> Credentials.of(Map.of("MAWASHI_WEB_OPERATOR", "short")))
                .hasMessage("MAWASHI_WEB_OPERATOR has 5 characters, must have at least 16");
        assertThatThrownBy(() ->
                        Credentials.of(
                                Map.of("MAWASHI_WEB_VIEWER", ADMIN, "MAWASHI_WEB_ADMIN", ADMIN)))
                .hasMessageContaining("the same secret");
        assertThat(Credentials.of(Map.of("MAWASHI_WEB_ADMIN", "")).isEmpty()).isTrue();
    }

    @Test
    void aSecretMayStandInAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("admin");
        Files.writeString(file, ADMIN + "\n");

        Credentials read = Credentials.of(Map.of("MAWASHI_WEB_ADMIN_FILE", file.toString()));

        assertThat(read.holder("Bearer " + ADMIN))
                .map(Credentials.Holder::role)
                .contains(Role.ADMIN);
    }

    @Test
    void aFileThatIsMissingShortOrOneSecretTooManyIsNamed(@TempDir Path folder) throws IOException {
        Path empty = folder.resolve("empty");
        Files.writeString(empty, "short\n");
        String variable = "MAWASHI_WEB_VIEWER_FILE";

        assertThatThrownBy(() -> Credentials.of(Map.of(variable, folder + "/none")))
                .hasMessage(variable + " names " + folder + "/none, which cannot be read");
        assertThatThrownBy(() -> Credentials.of(Map.of(variable, folder.toString())))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> Credentials.of(Map.of(variable, "a\0b")))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> Credentials.of(Map.of(variable, empty.toString())))
                .hasMessage("MAWASHI_WEB_VIEWER has 5 characters, must have at least 16");
        assertThatThrownBy(() ->
                        Credentials.of(
                                Map.of(variable, empty.toString(), "MAWASHI_WEB_VIEWER", VIEWER)))
                .hasMessageContaining("both set");
    }
}
