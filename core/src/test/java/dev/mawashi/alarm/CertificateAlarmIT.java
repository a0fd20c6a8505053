package dev.mawashi.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.CertificatesForTests;
import dev.mawashi.redis.HeldPort;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The certificate that a real Redis shows over TLS.
class CertificateAlarmIT {
    private static final String TRUST = "javax.net.ssl.trustStore";
    private static final String SECRET = "changeit";
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    private final AlarmRig rig = new AlarmRig();
    private final HeldPort port = new HeldPort();
    private String trustBefore = "";

    @BeforeEach
    void trust() {
        trustBefore = System.getProperty(TRUST, "");
    }

    @AfterEach
    void trustAsBefore() {
        port.close();
        if (trustBefore.isEmpty()) {
            System.clearProperty(TRUST);
        } else {
            System.setProperty(TRUST, trustBefore);
        }
    }

    /// Makes a key and a certificate that ends in so many days, for Redis, and has this JVM trust
    /// it.
    private void certificate(String name, int days) throws Exception {
        Path store = folder.resolve("trust.jks");
        List<String> command =
                new ArrayList<>(
                        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool") + ""));
        command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", "RSA"));
        command.addAll(List.of("-validity", "" + days, "-dname", "CN=localhost"));
        command.addAll(List.of("-ext", "san=ip:127.0.0.1", "-keystore", "" + store));
        command.addAll(List.of("-storetype", "JKS", "-storepass", SECRET, "-keypass", SECRET));
        Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).as(printed).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), SECRET.toCharArray());
        pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        pem(name + ".key", "PRIVATE KEY", keys.getKey(name, SECRET.toCharArray()).getEncoded());
        System.setProperty(TRUST, store.toString());
    }

    private void pem(String file, String kind, byte[] contents) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(contents);
        Files.writeString(
                folder.resolve(file),
                "-----BEGIN KIND-----\n%s\n-----END KIND-----\n"
                        .formatted(lines)
                        .replace("KIND", kind));
    }

    private RedisServerForTests redis(String name) {
        return new RedisServerForTests(new CertificatesForTests(folder).redis(port, name, name));
    }

    @Test
    void oneThatLapsesIsNamedUntilRedisShowsAnother() throws Exception {
        certificate("old", 5);
        certificate("fresh", 90);
        RedisAddress address = RedisAddress.parse("rediss://127.0.0.1:" + port.number() + "/0");
        try (RedisServerForTests server = redis("old");
                RedisConnection admin = server.connect();
                RedisLook look =
                        new RedisLook(
                                new RedisConnection(address, "mawashi-alarms", LONG),
                                List.of("low"),
                                9_999,
                                new Outage(rig.events, System::nanoTime),
                                InstantSource.system())) {
            rig.redis = look::look;
            rig.begin = Instant.now();
            rig.look();

            assertThat(rig.events.of(Event.BrokerDown.class)).isEmpty();
            assertThat(rig.text(Alarm.CERTIFICATE_LAPSES))
                    .startsWith("the certificate of Redis lapses: it ends in 4 days, at ");
            admin.call(
                    "CONFIG",
                    "SET",
                    "tls-cert-file",
                    folder.resolve("fresh.crt").toString(),
                    "tls-key-file",
                    folder.resolve("fresh.key").toString());
            rig.pass(Duration.ofMinutes(3));
            assertThat(rig.events.all()).hasSize(2);
            assertThat(rig.standing()).isEmpty();
        }
    }
}
