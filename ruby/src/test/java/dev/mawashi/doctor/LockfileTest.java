package dev.mawashi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LockfileTest {
    private static final String TEXT =
            """
            GIT
              remote: https://example.org/own.git
              revision: abc
              specs:
                own (0.1.0)
                  oj (>= 3)

            PATH
              remote: gems/near
              specs:
                near (1.0)

            GEM
              remote: https://rubygems.org/
              specs:
                byebug (11.1.3)
                nokogiri (1.16.0)
                  racc (~> 1.4)
                nokogiri (1.16.0-java)
                  racc (~> 1.4)
                nokogiri (1.16.0-x86_64-linux)
                  racc (~> 1.4)
                oj (3.16.3)
                racc (1.7.3)

            PLATFORMS
              java
              x86_64-linux

            DEPENDENCIES
              byebug
              near!
              nokogiri (~> 1.16)
              own!

            BUNDLED WITH
               2.5.4
            """;

    @Test
    void gemsHaveTheirPlatformsAndOrigins() {
        Lockfile lock = Lockfile.parse(TEXT, "Gemfile.lock");

        assertThat(lock.troubles()).isEmpty();
        assertThat(lock.platforms()).containsExactlyInAnyOrder("java", "x86_64-linux");
        assertThat(lock.wanted()).containsExactlyInAnyOrder("byebug", "near", "nokogiri", "own");
        assertThat(lock.gems().get("nokogiri"))
                .isEqualTo(
                        new Lockfile.LockedGem(
                                "nokogiri",
                                "1.16.0",
                                "GEM",
                                Set.of("ruby", "java", "x86_64-linux"),
                                Set.of("racc")));
        assertThat(Objects.requireNonNull(lock.gems().get("own")).origin()).isEqualTo("GIT");
        assertThat(Objects.requireNonNull(lock.gems().get("near")).origin()).isEqualTo("PATH");
    }

    @Test
    void onlyThoseThatAServerLoadsAreNeeded() {
        Lockfile lock = Lockfile.parse(TEXT, "Gemfile.lock");

        assertThat(lock.needed(Set.of("byebug")).keySet())
                .containsExactly("near", "nokogiri", "oj", "own", "racc");
    }

    @Test
    void aConflictAndAnotherFileAreNamed() {
        assertThat(Lockfile.parse("<<<<<<< HEAD\n" + TEXT, "Gemfile.lock").troubles())
                .containsExactly("Gemfile.lock:1 has a conflict of a merge: resolve it");
        assertThat(Lockfile.parse("\0\0\uFFFD", "Gemfile.lock").troubles())
                .containsExactly("Gemfile.lock names no gem: is it a Gemfile.lock?");
    }

    @Test
    void windowsLinesAreLinesToo() {
        assertThat(Lockfile.parse(TEXT.replace("\n", "\r\n"), "Gemfile.lock").gems()).hasSize(6);
    }
}
