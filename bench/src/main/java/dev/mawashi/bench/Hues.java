package dev.mawashi.bench;

import dev.mawashi.bench.chart.Hue;

/// The colour of a contestant: the same in all charts, and one for each kind of server.
final class Hues {
    private Hues() {}

    /// By its name, which is that of a row in most benchmarks.
    static Hue of(Contestant one) {
        return switch (word(one.name())) {
            case "mawashi-mri", "mri", "long queue" -> Hue.TEAL;
            case "fork" -> Hue.PURPLE;
            case "sidekiq", "sidekiq-yjit", "sidekiq-jruby" -> Hue.ORANGE;
            case "resque" -> Hue.PINK;
            case "loop" -> Hue.GREY;
            default -> Hue.BLUE;
        };
    }

    /// What the row is, without its numbers.
    static String word(String name) {
        return name.replaceFirst("-\\d[\\dx]*\\b.*", "");
    }
}
