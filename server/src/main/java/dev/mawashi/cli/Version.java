package dev.mawashi.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// The versions that this build was made of, written into it by the build.
public record Version(String mawashi, String jruby) {
    public static Version ofThisBuild() {
        Properties properties = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
            if (file == null) {
                throw new IllegalStateException("version.properties is not in the jar");
            }
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Version(properties.getProperty("version"), properties.getProperty("jruby"));
    }

    public static String jdk() {
        return Runtime.version().toString();
    }
}
