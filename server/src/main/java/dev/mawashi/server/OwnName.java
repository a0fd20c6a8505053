package dev.mawashi.server;

import dev.mawashi.presence.ProcessName;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/// The names of this process: for the kernel, and in Redis.
final class OwnName {
    private static final System.Logger LOG = System.getLogger(OwnName.class.getName());
    private static final int NONCE_BYTES = 6;

    /// Where the app has no gem of its own.
    private static final String VERSION = "8.1.0";

    private static final Path COMM = Path.of("/proc/self/comm");
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

    private OwnName() {}

    /// Names the process `mawashi` for `top` and `pgrep`. It stays `java` where the kernel has no
    /// such file.
    static void showInProcessTable() {
        try {
            Files.writeString(COMM, "mawashi");
        } catch (IOException | UnsupportedOperationException _) {
            LOG.log(Level.DEBUG, "the process keeps its name");
        }
    }

    /// The name in process records while the app is not known, with a new nonce at each call.
    static ProcessName of(Map<String, String> environment) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return new ProcessName(
                host(environment),
                ProcessHandle.current().pid(),
                HexFormat.of().formatHex(nonce),
                "",
                VERSION);
    }

    /// The same once the app is loaded.
    ///
    /// @param tag what Sidekiq's page shows beside the process
    /// @param sidekiqVersion of the app's own gem; "" when it has none
    static ProcessName of(ProcessName name, String tag, String sidekiqVersion) {
        return name.of(tag, sidekiqVersion.isEmpty() ? VERSION : sidekiqVersion);
    }

    private static String host(Map<String, String> environment) {
        String dyno = environment.getOrDefault("DYNO", "");
        if (!dyno.isEmpty()) {
            return dyno;
        }
        try {
            return Files.readString(HOST).strip();
        } catch (IOException _) {
            return resolvedHost();
        }
    }

    /// Where the kernel has no such file. Java knows a host's name only if it can be resolved.
    private static String resolvedHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }
}
