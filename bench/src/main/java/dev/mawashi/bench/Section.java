package dev.mawashi.bench;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Hue;
import java.util.List;

/// What the page shows of a benchmark.
///
/// @param headlines what is worth being seen first
/// @param members who took part
/// @param notes what was left out, and why
record Section(
        List<Headline> headlines,
        List<Member> members,
        List<Table> tables,
        List<Plots> plots,
        List<String> notes) {

    /// A figure in large print.
    ///
    /// @param text what it is, in a few words
    record Headline(String figure, String text) {}

    /// One who took part.
    record Member(String name, String description, Hue hue) {
        static Member of(Contestant one, Hue hue) {
            return new Member(one.name(), one.description(), hue);
        }
    }

    /// A table; the first column names the rows.
    record Table(List<String> heads, List<List<String>> rows) {
        Table {
            heads = List.copyOf(heads);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /// Charts that belong together.
    ///
    /// @param text how to read them; may be empty
    record Plots(String title, String text, List<Chart> charts) {
        Plots {
            charts = List.copyOf(charts);
        }
    }

    Section {
        headlines = List.copyOf(headlines);
        members = List.copyOf(members);
        tables = List.copyOf(tables);
        plots = plots.stream().filter(group -> !group.charts().isEmpty()).toList();
        notes = List.copyOf(notes);
    }
}
