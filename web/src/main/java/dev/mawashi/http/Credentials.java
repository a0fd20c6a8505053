package dev.mawashi.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The secrets that roles have, and who shows one. A secret is a bearer token or the password of
/// HTTP's basic authentication, whose user name is only for the record of changes.
///
/// Compared by their digests, in a time that does not depend on what is given.
public final class Credentials {
    /// Shortest secret, in characters.
    public static final int LENGTH_MIN = 16;

    private static final int HEADER_MAX = 4_096;

    /// Letters of a user's name that are kept.
    private static final int NAME_MAX = 64;

    private final Map<Role, byte[]> digests = new EnumMap<>(Role.class);

    /// Somebody with a role.
    public record Holder(Role role, String name, boolean isBearer) {}

    /// @param secrets of the roles that have one
    /// @throws IllegalArgumentException when one is shorter than `LENGTH_MIN`, or of two roles
    public Credentials(Map<Role, String> secrets) {
        secrets.forEach((role, secret) -> {
            if (secret.length() < LENGTH_MIN) {
                throw new IllegalArgumentException(
                        "%s has %s characters, must have at least %s"
                                .formatted(variable(role), secret.length(), LENGTH_MIN));
            }
            digests.put(role, digest(secret));
        });
        if (secrets.values().stream().distinct().count() < secrets.size()) {
            throw new IllegalArgumentException(
                    "two of the variables MAWASHI_WEB_* hold the same secret");
        }
    }

    /// Those in a process's environment: `MAWASHI_WEB_VIEWER`, `MAWASHI_WEB_ENQUEUER`,
    /// `MAWASHI_WEB_OPERATOR` and `MAWASHI_WEB_ADMIN`, each of which may be missing or empty. With
    /// `_FILE` after it a variable names the file that holds the secret, as containers are given
    /// theirs.
    ///
    /// @throws IllegalArgumentException as above, and names the variable
    public static Credentials of(Map<String, String> environment) {
        Map<Role, String> secrets = new EnumMap<>(Role.class);
        for (Role role : List.of(Role.VIEWER, Role.ENQUEUER, Role.OPERATOR, Role.ADMIN)) {
            String secret = secret(variable(role), environment);
            if (!secret.isEmpty()) {
                secrets.put(role, secret);
            }
        }
        return new Credentials(secrets);
    }

    private static String secret(String variable, Map<String, String> environment) {
        String secret = environment.getOrDefault(variable, "");
        String file = environment.getOrDefault(variable + "_FILE", "");
        if (file.isEmpty()) {
            return secret;
        }
        if (!secret.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s and %s_FILE are both set: unset one".formatted(variable, variable));
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return new String(in.readNBytes(HEADER_MAX), StandardCharsets.UTF_8).strip();
        } catch (IOException | InvalidPathException cannot) {
            throw new IllegalArgumentException(
                    "%s_FILE names %s, which cannot be read".formatted(variable, file), cannot);
        }
    }

    private static String variable(Role role) {
        return "MAWASHI_WEB_" + role.name();
    }

    /// Whether no role has a secret.
    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /// @param header of the name `Authorization`
    /// @return empty for no secret of ours
    Optional<Holder> holder(String header) {
        if (header.length() > HEADER_MAX) {
            return Optional.empty();
        }
        String[] words = header.strip().split("\\s+", 2);
        if (words.length < 2) {
            return Optional.empty();
        }
        return switch (words[0].toLowerCase(Locale.ROOT)) {
            case "bearer" -> role(words[1]).map(role -> new Holder(role, "token", true));
            case "basic" -> basic(words[1]);
            default -> Optional.empty();
        };
    }

    private Optional<Holder> basic(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0
                    ? Optional.empty()
                    : role(pair.substring(colon + 1))
                            .map(role -> new Holder(role, name(pair.substring(0, colon)), false));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// Anybody may give any name; it is for a line of the log.
    private static String name(String given) {
        String printable = given.replaceAll("[^\\p{L}\\p{N}@._+-]", "?");
        return printable.length() <= NAME_MAX ? printable : printable.substring(0, NAME_MAX);
    }

    private Optional<Role> role(String secret) {
        byte[] given = digest(secret);
        Role found = null;
        for (Map.Entry<Role, byte[]> one : digests.entrySet()) {
            if (MessageDigest.isEqual(one.getValue(), given)) {
                found = one.getKey();
            }
        }
        return Optional.ofNullable(found);
    }

    private static byte[] digest(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
