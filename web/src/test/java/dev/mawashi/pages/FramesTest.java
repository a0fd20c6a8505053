package dev.mawashi.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FramesTest {
    @Test
    void linesOfGemsStandTogetherAndKeepTheirNumbers() {
        List<Frames> frames =
                Frames.of(
                        List.of(
                                "/srv/app/jobs/a.rb:1",
                                "/var/gems/x/lib/x.rb:2",
                                "/usr/lib/ruby/3.1.0/set.rb:3",
                                "/srv/app/jobs/a.rb:4"));

        assertThat(frames)
                .containsExactly(
                        new Frames(false, 1, List.of("/srv/app/jobs/a.rb:1")),
                        new Frames(
                                true,
                                2,
                                List.of("/var/gems/x/lib/x.rb:2", "/usr/lib/ruby/3.1.0/set.rb:3")),
                        new Frames(false, 4, List.of("/srv/app/jobs/a.rb:4")));
        assertThat(frames.get(1).title()).isEqualTo("2 lines of gems");
    }

    @Test
    void noBacktraceHasNoFrames() {
        assertThat(Frames.of(List.of())).isEmpty();
    }
}
