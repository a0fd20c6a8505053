package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
}
