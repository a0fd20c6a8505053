package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Certificates that openssl makes: for each name a `name.crt` and a `name.key` in PEM.
public final class CertificatesForTests {
    private static final List<String> NEW_KEY =
            List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes");

    private final Path folder;

    public CertificatesForTests(Path folder) {
        this.folder = folder;
    }

    /// Makes an authority.
    public CertificatesForTests authority(String name) throws Exception {
        List<String> words = new ArrayList<>(List.of("req", "-x509"));
        words.addAll(NEW_KEY);
        words.addAll(List.of("-keyout", key(name), "-out", certificate(name)));
        words.addAll(List.of("-days", "30", "-subj", "/CN=" + name));
        openssl(words);
        return this;
    }

    /// Makes a certificate.
    ///
    /// @param days until it lapses; 0 when it has
    /// @param subject it is for, such as `IP:127.0.0.1`
    public CertificatesForTests signed(String name, String authority, int days, String subject)
            throws Exception {
        String request = file(name, ".csr");
        List<String> words = new ArrayList<>(List.of("req"));
        words.addAll(NEW_KEY);
        words.addAll(List.of("-keyout", key(name), "-out", request, "-subj", "/CN=" + name));
        openssl(words);
        Path names =
                Files.writeString(
                        folder.resolve(name + ".names"), "subjectAltName=" + subject + "\n");
        openssl(
                List.of(
                        "x509",
                        "-req",
                        "-in",
                        request,
                        "-CA",
                        certificate(authority),
                        "-CAkey",
                        key(authority),
                        "-CAcreateserial",
                        "-out",
                        certificate(name),
                        "-days",
                        "" + days,
                        "-extfile",
                        names.toString()));
        if (days == 0) {
            Instant lapses = Instant.now().plusSeconds(1);
            Eventually.until("it has lapsed", () -> Instant.now().isAfter(lapses));
        }
        return this;
    }

    public String certificate(String name) {
        return file(name, ".crt");
    }

    public String key(String name) {
        return file(name, ".key");
    }

    /// The options of a Redis that shows a certificate at a port, and asks clients for none.
    ///
    /// @param authority of the certificates that it takes of clients who show one
    public String[] redis(HeldPort port, String name, String authority) {
        return new String[] {
            "--tls-port",
            "" + port.number(),
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            certificate(name),
            "--tls-key-file",
            key(name),
            "--tls-ca-cert-file",
            certificate(authority)
        };
    }

    private String file(String name, String ending) {
        return folder.resolve(name + ending).toString();
    }

    private static void openssl(List<String> words) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(words);
        Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).as(printed).isZero();
    }
}
