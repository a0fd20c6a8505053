package dev.mawashi.redis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The trust and the certificate of connections to Redis over TLS. The files are PEM, and are read
/// with each new connection, so that renewed ones count.
///
/// @param authority file of the certificates that are trusted; null for those that the JVM trusts
/// @param certificate file of this client's own certificate, and those between it and its authority
///   behind it; null when it shows none
/// @param key file of its private key, in PKCS#8 without a password
/// @param isVerified false where any certificate of Redis will do
public record RedisTls(
        @Nullable String authority,
        @Nullable String certificate,
        @Nullable String key,
        boolean isVerified) {
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final char[] NO_PASSWORD = {};

    /// Words of the failures of a connection that the other side has ended. One without a
    /// certificate is ended after the handshake.
    private static final Pattern HUNG_UP =
            Pattern.compile(
                    "certificate_required|Broken pipe|[Rr]eset|closed|end of stream|terminated");

    /// A file that is no such file. Its message is for the operator.
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Unusable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// Reads the files.
    ///
    /// @throws Unusable when one cannot be used
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own(), trusted(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new Unusable("TLS to Redis cannot be set up: " + e, e);
        }
    }

    /// Speaks TLS over an open socket, whose time limit counts here too.
    ///
    /// @param context of the files
    Socket over(Socket socket, RedisAddress.Place place, SSLContext context) throws IOException {
        SSLSocket secured =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(socket, place.host(), place.port(), true);
        if (isVerified) {
            // The name in the certificate has to be the host's.
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
        }
        secured.startHandshake();
        return secured;
    }

    private TrustManager @Nullable [] trusted() throws GeneralSecurityException, IOException {
        if (!isVerified) {
            return new TrustManager[] {new All()};
        }
        if (authority == null) {
            return null;
        }
        KeyStore store = empty();
        int number = 0;
        for (Certificate one : certificates(authority)) {
            store.setCertificateEntry("ca-" + number++, one);
        }
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return managers.getTrustManagers();
    }

    private KeyManager @Nullable [] own() throws GeneralSecurityException, IOException {
        if (certificate == null || key == null) {
            return null;
        }
        Certificate[] chain = certificates(certificate).toArray(Certificate[]::new);
        KeyStore store = empty();
        store.setKeyEntry("own", privateKey(key), NO_PASSWORD, chain);
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, NO_PASSWORD);
        return managers.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static byte[] read(String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException | RuntimeException e) {
            throw new Unusable("cannot read " + file + ": " + e, e);
        }
    }

    private static Collection<? extends Certificate> certificates(String file)
            throws GeneralSecurityException {
        byte[] contents = read(file);
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(contents));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException _) {
            // Falls through to the same message as a file without any.
        }
        throw new Unusable(file + " is no file of certificates in PEM", null);
    }

    private static PrivateKey privateKey(String file) throws GeneralSecurityException {
        Matcher found = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
        if (found.find()) {
            try {
                PKCS8EncodedKeySpec spec =
                        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
                for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
                    try {
                        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
                    } catch (InvalidKeySpecException _) {
                        // It is of another algorithm.
                    }
                }
            } catch (IllegalArgumentException _) {
                // Falls through to the same message as a file without a key.
            }
        }
        throw new Unusable(
                file
                        + " is no private key in PKCS#8 without a password:"
                        + " openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW makes one",
                null);
    }

    /// Explains why Redis and this client do not accept each other, where that is known.
    ///
    /// @param message of the failure
    String explained(String message) {
        if (message.contains("unable to find valid certification path")) {
            return "nobody here knows the authority of its certificate: name its file by"
                    + " ?ca_file=FILE in the URL";
        }
        if (message.startsWith("NotAfter: ")) {
            return "its certificate has lapsed (" + message + ")";
        }
        if (message.startsWith("No subject alternative")
                || message.startsWith("No name matching")) {
            return "its certificate is for another name (" + message + ")";
        }
        if (message.startsWith("Read timed out")) {
            return message + "; where it does not use TLS, write redis in the place of rediss";
        }
        return certificate == null && HUNG_UP.matcher(message).find()
                ? message
                        + "; where it wants a client certificate, name the files by"
                        + " ?cert=FILE&key=FILE in the URL"
                : message;
    }

    /// Trusts all, because the operator wants that.
    private static final class All extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
