package dev.mawashi.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.fleet.StackView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Samples are added up, and drawn as a page.
final class ProfileTest {
    private final Profile profile = new Profile();

    private void add(String jobClass, String... ruby) {
        profile.add(
                new StackView(
                        "1",
                        "j",
                        jobClass,
                        "q",
                        Duration.ZERO,
                        "mri",
                        1,
                        "",
                        List.of(ruby),
                        List.of(),
                        ""));
    }

    @Test
    void aCallCountsOnceInASampleHoweverOftenItStandsThere() {
        add("Deep", "a.rb:1:in 'again'", "a.rb:1:in 'again'", "a.rb:9:in 'perform'");
        add("Deep", "a.rb:2:in 'sleep'", "a.rb:9:in 'perform'");
        add("Deep");

        assertThat(profile.samples()).isEqualTo(2);
        assertThat(profile.top(5))
                .containsExactly(
                        new Profile.Line("a.rb:1:in 'again'", 1, 1),
                        new Profile.Line("a.rb:2:in 'sleep'", 1, 1),
                        new Profile.Line("a.rb:9:in 'perform'", 0, 2));
        assertThat(profile.top(1)).hasSize(1);
        assertThat(profile.waits())
                .containsExactly(new Profile.Wait("the end of its own sleep", 1));
    }

    @Test
    void jobsWithoutRubyCountWithTheirJavaCalls() {
        profile.add(
                new StackView(
                        "1",
                        "j",
                        "",
                        "q",
                        Duration.ZERO,
                        "java",
                        1,
                        "t",
                        List.of(),
                        List.of("shop.Report.perform(Report.java:3)"),
                        ""));
        assertThat(profile.top(1).getFirst().own()).isEqualTo(1);
    }

    @Test
    void aBoxIsAsWideAsItsPartAndStandsOnItsCaller() {
        for (int i = 0; i < 3; i++) {
            add("Job", "a.rb:1:in 'left'", "a.rb:9:in 'perform'");
        }
        add("Job", "a.rb:2:in 'right'", "a.rb:9:in 'perform'");

        assertThat(FlameGraph.html("Job", profile))
                .contains(
                        "viewBox=\"0 0 1200 72\"",
                        "<title>all: 100.0 %</title><rect x=\"0.00\" y=\"54\" width=\"1200.00\"",
                        "<title>a.rb:9:in 'perform': 100.0 %</title><rect x=\"0.00\" y=\"18\"",
                        "<title>a.rb:1:in 'left': 75.0 %</title><rect x=\"0.00\" y=\"0\" width=\"900.00\"",
                        "<title>a.rb:2:in 'right': 25.0 %</title><rect x=\"900.00\" y=\"0\" width=\"300.00\"");
    }

    @Test
    void namesDriveNoBrowserAndThePageAsksForNothing() {
        add("<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>\u0007", "b & c");

        String page = FlameGraph.html("<b>", profile);
        assertThat(page)
                .contains(
                        "&lt;script&gt;", "&lt;img src=x", "b &amp; c", "<title>&lt;b&gt;</title>")
                .doesNotContain("<script", "<img", "\u0007", "http:", "https:", "<link");
    }
}
