package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The host in a process's name is the one that Sidekiq takes, also where it cannot be resolved, as
/// in a root of `./check stacks`.
@Tag("stack")
final class OwnNameIT {
    @Test
    void theHostIsTheOneThatRubyTells() throws IOException {
        Process ruby =
                new ProcessBuilder("ruby", "-rsocket", "-e", "print Socket.gethostname").start();
        String host = new String(ruby.getInputStream().readAllBytes(), UTF_8);

        assertThat(OwnName.of(Map.of(), "", "app").identity()).startsWith(host + ":");
    }

    @Test
    void aDynoIsNamedByItsVariable() {
        assertThat(OwnName.of(Map.of("DYNO", "worker.1"), "", "app").identity())
                .startsWith("worker.1:");
    }
}
