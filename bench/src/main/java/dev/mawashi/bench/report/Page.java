package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Svg;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The page with tables and charts: one file that loads nothing else.
public final class Page {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private final String words;
    private final List<CommandEnd> outcomes;
    private final StringBuilder html = new StringBuilder();

    /// @param words the command after `mawashi bench`
    public Page(String words, List<CommandEnd> outcomes) {
        this.words = words;
        this.outcomes = List.copyOf(outcomes);
    }

    /// Writes it, and beside it the picture of each benchmark that has one: of several runs of one
    /// benchmark, the first one's.
    public void write(Path file) {
        try {
            Files.writeString(file, html(Machine.here(), Instant.now()));
            String page = file.getFileName().toString().replaceFirst("\\.html?$", "");
            Set<String> drawn = new HashSet<>();
            for (Figures figures : CommandEnd.figures(outcomes)) {
                if (!figures.picture.isEmpty() && drawn.add(figures.bench)) {
                    String name = page + "-" + figures.bench + ".svg";
                    Files.writeString(file.resolveSibling(name), figures.picture);
                }
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /// @param time when it was made
    public String html(Machine machine, Instant time) {
        html.setLength(0);
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        html.append("<title>Mawashi benchmarks</title>\n<style>\n").append(Svg.style());
        html.append(Svg.file(Page.class, "page.css")).append("</style>\n</head>\n<body>\n");
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
        facts(machine)
                .forEach((name, value) -> {
                    html.append("<div>");
                    element("dt", name);
                    element("dd", value);
                    html.append("</div>");
                });
        html.append("</dl>\n<nav>\n");
        for (CommandEnd outcome : outcomes) {
            switch (outcome) {
                case CommandEnd.Done(_, Figures figures) ->
                        figures.headlines.forEach(one -> card(outcome, one.figure(), one.text()));
                case CommandEnd.Failed(_, String reason) -> card(outcome, "failed", reason);
            }
        }
        html.append("</nav>\n</header>\n");
    }

    private Map<String, String> facts(Machine machine) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Processor", machine.cores() + " cores, " + machine.processor());
        facts.put("System", machine.system());
        facts.put("JDK", machine.jdk());
        facts.put("JRuby", machine.jruby());
        facts.put("Ruby", Programs.ruby().replaceFirst("^ruby ", ""));
        facts.put("Mawashi", machine.mawashi());
        CommandEnd.figures(outcomes).stream()
                .map(one -> one.redis)
                .filter(redis -> !redis.isEmpty())
                .findFirst()
                .ifPresent(redis -> facts.put("Redis", redis));
        return facts;
    }

    /// A benchmark may have been run several times.
    private String id(CommandEnd outcome) {
        return "b" + outcomes.indexOf(outcome);
    }

    private void card(CommandEnd outcome, String figure, String text) {
        html.append("<a href=\"#").append(id(outcome)).append("\">");
        element("span", outcome.step().name());
        element("strong", figure);
        element("small", text);
        html.append("</a>\n");
    }

    private void chapter(CommandEnd outcome) {
        CommandEnd.Step step = outcome.step();
        html.append("<section id=\"").append(id(outcome)).append("\">\n");
        element("h2", step.name());
        paragraph("about", step.about());
        switch (outcome) {
            case CommandEnd.Done(_, Figures figures) -> {
                figures.parts.forEach(this::part);
                html.append("<details><summary>Who took part</summary><ul>\n");
                for (Result one : figures.results) {
                    html.append("<li><b>").append(Svg.escape(one.name())).append("</b> ");
                    html.append(Svg.escape(one.description())).append("</li>\n");
                }
                html.append("</ul></details>\n");
                figures.notes.forEach(note -> element("p", note));
            }
            case CommandEnd.Failed(_, String reason) -> paragraph("failed", "Failed: " + reason);
        }
        html.append("<p class=\"made\"><code>./mawashi bench ");
        html.append(Svg.escape(step.words())).append("</code></p>\n</section>\n");
    }

    private void part(Part part) {
        if (part.charts().isEmpty() && part.tables().isEmpty()) {
            return;
        }
        if (!part.title().isEmpty()) {
            element("h3", part.title());
        }
        // Charts without a common title are of several kinds and heights.
        String form = part.title().isEmpty() ? "plots packed" : "plots";
        html.append("<div class=\"").append(form).append("\">\n");
        for (Chart chart : part.charts()) {
            html.append("<figure>");
            element("figcaption", chart.title());
            html.append(chart.draw().element()).append("</figure>\n");
        }
        html.append("</div>\n");
        if (!part.hint().isEmpty()) {
            paragraph("hint", part.hint());
        }
        part.tables().forEach(this::table);
        part.sentences().forEach(sentence -> paragraph("says", sentence));
    }

    private void table(FigureTable table) {
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

    private void paragraph(String form, String text) {
        html.append("<p class=\"").append(form).append("\">").append(Svg.escape(text));
        html.append("</p>\n");
    }

    private void element(String name, String text) {
        html.append('<').append(name).append('>').append(Svg.escape(text));
        html.append("</").append(name).append('>');
    }
}
