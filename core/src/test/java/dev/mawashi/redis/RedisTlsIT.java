package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates of a real Redis and of its client: those that will do, and a clear line for each
/// that will not.
@Tag("stack")
class RedisTlsIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir static Path folder;

    private static CertificatesForTests files;
    private static HeldPort port;
    private static RedisServerForTests server;

    @BeforeAll
    static void startRedis() throws Exception {
        files = new CertificatesForTests(folder).authority("ca").authority("clients");
        files.signed("good", "ca", 30, "IP:127.0.0.1,DNS:localhost");
        files.signed("lapsed", "ca", 0, "IP:127.0.0.1");
        files.signed("other", "ca", 30, "DNS:redis.example");
        files.signed("client", "clients", 30, "DNS:client");
        port = new HeldPort();
        server = new RedisServerForTests(files.redis(port, "good", "clients"));
    }

    @AfterAll
    static void stopRedis() {
        server.close();
        port.close();
    }

    @BeforeEach
    void asAtTheStart() {
        show("good");
        set("tls-auth-clients", "no");
    }

    private static void show(String name) {
        set("tls-cert-file", files.certificate(name), "tls-key-file", files.key(name));
    }

    private static void set(String... settings) {
        try (RedisConnection admin = server.connect()) {
            String[] words = new String[settings.length + 2];
            words[0] = "CONFIG";
            words[1] = "SET";
            System.arraycopy(settings, 0, words, 2, settings.length);
            admin.call(words);
        }
    }

    private static RedisAddress address(String options) {
        return RedisAddress.parse("rediss://127.0.0.1:" + port.number() + "/0" + options);
    }

    private static String file(String path) {
        return URLEncoder.encode(path, UTF_8);
    }

    private static String knows(String authority) {
        return "?ca_file=" + file(files.certificate(authority));
    }

    private static void ping(RedisAddress address) {
        try (RedisConnection connection = new RedisConnection(address, "test", LONG)) {
            assertThat((byte[]) connection.call("PING")).asString(UTF_8).isEqualTo("PONG");
            assertThat(connection.certificateEnd()).isPresent();
        }
    }

    private static void assertRefused(RedisAddress address, String reason) {
        assertThatThrownBy(() -> ping(address))
                .isInstanceOf(RedisFailure.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("rediss://127.0.0.1:" + port.number() + "/0");
    }

    @Test
    void aCertificateOfTheNamedAuthorityWillDo() {
        assertThatCode(() -> ping(address(knows("ca")))).doesNotThrowAnyException();
    }

    @Test
    void oneOfAnAuthorityThatNobodyKnowsWillNotAndTheRemedyIsNamed() {
        String remedy = "name its file by ?ca_file=FILE in the URL";
        assertRefused(address(""), remedy);
        assertRefused(address(knows("clients")), remedy);
    }

    @Test
    void oneThatHasLapsedOrIsForAnotherNameWillNot() {
        show("lapsed");
        assertRefused(address(knows("ca")), "its certificate has lapsed (NotAfter: ");
        show("other");
        assertRefused(address(knows("ca")), "its certificate is for another name (");
    }

    @Test
    void unverifiedAnyWillDo() {
        for (String name : new String[] {"good", "lapsed", "other"}) {
            show(name);
            ping(address("?verify_mode=none"));
        }
    }

    @Test
    void aClientsCertificateIsShownWhereOneIsWanted() {
        set("tls-auth-clients", "yes");
        String own =
                "&cert=" + file(files.certificate("client")) + "&key=" + file(files.key("client"));
        ping(address(knows("ca") + own));
        assertRefused(address(knows("ca")), "?cert=FILE&key=FILE");
    }

    @Test
    void aFileThatIsNoneIsNamed() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "no certificate");
        assertRefused(
                address("?ca_file=" + file(folder + "/gone")), "cannot read " + folder + "/gone");
        assertRefused(address("?ca_file=" + file(folder.toString())), "cannot read " + folder);
        assertRefused(address("?ca_file=" + text), text + " is no file of certificates in PEM");
        String cert = "?cert=" + file(files.certificate("client")) + "&key=";
        assertRefused(address(cert + text), text + " is no private key in PKCS#8");
        String old = folder + "/old.key";
        Files.writeString(
                Path.of(old),
                Files.readString(Path.of(files.key("client"))).replace("PRIVATE", "EC PRIVATE"));
        assertRefused(address(cert + file(old)), "openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW");
    }

    @Test
    void whatDoesNotSpeakTlsIsNamed() {
        RedisAddress plain = RedisAddress.parse("rediss://127.0.0.1:" + server.address().port());
        Duration second = Duration.ofSeconds(1);
        try (RedisConnection connection = new RedisConnection(plain, "test", second)) {
            assertThatThrownBy(() -> connection.call("PING"))
                    .isInstanceOf(RedisFailure.class)
                    .hasMessageStartingWith("cannot reach rediss://127.0.0.1:")
                    .hasMessageEndingWith("not use TLS, write redis in the place of rediss");
        }
    }

    /// Its nodes name themselves by address, and by the name that is in the certificate.
    @Test
    void aNodeOfAClusterGoesByItsName() throws Exception {
        files.signed("named", "ca", 30, "DNS:localhost");
        List<String> options = new ArrayList<>();
        try (HeldPort place = new HeldPort()) {
            options.addAll(List.of(files.redis(place, "named", "clients")));
            options.addAll(List.of("--cluster-announce-ip", "127.0.0.1", "--tls-cluster", "yes"));
            options.addAll(List.of("--cluster-announce-hostname", "localhost"));
            try (RedisServerForTests node = ClusterForTests.alone(options.toArray(String[]::new));
                    RedisConnection admin = node.connect();
                    RedisConnection connection =
                            new RedisConnection(
                                    RedisAddress.parse(
                                            "rediss+cluster://localhost:%d/shop?ca_file=%s"
                                                    .formatted(
                                                            place.number(),
                                                            file(files.certificate("ca")))),
                                    "test",
                                    LONG)) {
                connection.call("SET", "a", "1");

                assertThat(admin.call("EXISTS", "{shop}:a")).isEqualTo(1L);
            }
        }
    }
}
