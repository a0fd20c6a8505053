package dev.mawashi.bench;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The page with tables and charts: one file that loads nothing else.
final class Page {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private final String words;
    private final List<Outcome> outcomes;
    private final StringBuilder html = new StringBuilder();

    /// @param words the command after `mawashi bench`
    Page(String words, List<Outcome> outcomes) {
        this.words = words;
        this.outcomes = List.copyOf(outcomes);
    }

    /// Writes it, and beside it the picture of `noop` if that is one of the benchmarks.
    void write(Path file) {
        try {
            Files.writeString(file, html(Machine.here(), Instant.now()));
            for (Outcome outcome : outcomes) {
                // The first one: another has the job log, or middleware.
                if (outcome instanceof Outcome.Done(_, Results results)) {
                    String name = file.getFileName().toString().replaceFirst("\\.html?$", "");
                    Path picture = file.resolveSibling(name + "-noop.svg");
                    Files.writeString(picture, Picture.of(results));
                    return;
                }
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /// @param time when it was made
    String html(Machine machine, Instant time) {
        html.setLength(0);
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        html.append("<title>Mawashi benchmarks</title>\n<style>\n");
        html.append(Svg.style()).append(BenchFolder.text("page.css"));
        html.append("</style>\n</head>\n<body>\n");
        header(machine, time);
        html.append("<main>\n");
        outcomes.forEach(this::chapter);
        html.append("</main>\n");
        element(
                "footer",
                "Figures are medians of runs that took turns; thin lines in bars go from the least"
                        + " run to the largest. What each benchmark counts, and how, is in"
                        + " bench/README.md.");
        return html.append("</body>\n</html>\n").toString();
    }

    private void header(Machine machine, Instant time) {
        html.append("<header>\n");
        element("h1", "Mawashi benchmarks");
        html.append("<p class=\"made\">").append(Svg.escape(DAY.format(time)));
        html.append(" · <code>./mawashi bench ").append(Svg.escape(words)).append("</code></p>\n");
        html.append("<dl>");
        machine(machine)
                .forEach((name, value) -> {
                    html.append("<div>");
                    element("dt", name);
                    element("dd", value);
                    html.append("</div>");
                });
        html.append("</dl>\n<nav>\n");
        outcomes.forEach(this::cards);
        html.append("</nav>\n</header>\n");
    }

    private Map<String, String> machine(Machine machine) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Processor", machine.cores() + " cores, " + machine.processor());
        facts.put("System", machine.system());
        facts.put("JDK", machine.jdk());
        facts.put("JRuby", machine.jruby());
        facts.put("Ruby", Programs.ruby().replaceFirst("^ruby ", ""));
        facts.put("Mawashi", machine.mawashi());
        outcomes.stream()
                .filter(Outcome.Done.class::isInstance)
                .map(one -> ((Outcome.Done) one).report().redis())
                .filter(redis -> !redis.isEmpty())
                .findFirst()
                .ifPresent(redis -> facts.put("Redis", redis));
        return facts;
    }

    /// A benchmark may have been run several times.
    private String id(Outcome outcome) {
        return "b" + outcomes.indexOf(outcome);
    }

    private void cards(Outcome outcome) {
        switch (outcome) {
            case Outcome.Done(_, Report report) -> {
                for (Section.Headline headline : report.section().headlines()) {
                    card(outcome, headline);
                }
            }
            case Outcome.Failed(_, String reason) ->
                    card(outcome, new Section.Headline("failed", reason));
        }
    }

    private void card(Outcome outcome, Section.Headline headline) {
        html.append("<a href=\"#").append(id(outcome)).append("\">");
        element("span", outcome.step().name());
        element("strong", headline.figure());
        element("small", headline.text());
        html.append("</a>\n");
    }

    private void chapter(Outcome outcome) {
        Outcome.Step step = outcome.step();
        html.append("<section id=\"").append(id(outcome)).append("\">\n");
        element("h2", step.name());
        html.append("<p class=\"about\">").append(Svg.escape(step.about())).append("</p>\n");
        switch (outcome) {
            case Outcome.Done(_, Report report) -> section(report.section());
            case Outcome.Failed(_, String reason) ->
                    html.append("<p class=\"failed\">Failed: ")
                            .append(Svg.escape(reason))
                            .append("</p>\n");
        }
        html.append("<p class=\"made\"><code>./mawashi bench ");
        html.append(Svg.escape(step.words())).append("</code></p>\n</section>\n");
    }

    private void section(Section section) {
        section.plots().stream().limit(1).forEach(this::plots);
        section.tables().forEach(this::table);
        section.plots().stream().skip(1).forEach(this::plots);
        html.append("<details><summary>Who took part</summary><ul>\n");
        for (Section.Member one : section.members()) {
            html.append("<li><b>").append(Svg.escape(one.name())).append("</b> ");
            html.append(Svg.escape(one.description())).append("</li>\n");
        }
        html.append("</ul></details>\n");
        section.notes().forEach(note -> element("p", note));
    }

    private void plots(Section.Plots group) {
        if (!group.title().isEmpty()) {
            element("h3", group.title());
        }
        // What has no title is of several kinds and heights.
        String form = group.title().isEmpty() ? "plots packed" : "plots";
        html.append("<div class=\"").append(form).append("\">\n");
        for (Chart chart : group.charts()) {
            html.append("<figure>");
            element("figcaption", chart.title());
            html.append(chart.draw().element()).append("</figure>\n");
        }
        html.append("</div>\n");
        if (!group.text().isEmpty()) {
            html.append("<p class=\"hint\">").append(Svg.escape(group.text())).append("</p>\n");
        }
    }

    private void table(Section.Table table) {
        html.append("<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
        table.heads().forEach(head -> element("th", head));
        html.append("</tr></thead>\n<tbody>\n");
        for (List<String> row : table.rows()) {
            html.append("<tr>");
            element("th", row.getFirst());
            row.stream().skip(1).forEach(cell -> element("td", cell));
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n");
    }

    private void element(String name, String text) {
        html.append('<').append(name).append('>').append(Svg.escape(text));
        html.append("</").append(name).append('>');
    }
}
