package dev.mawashi.profile;

import dev.mawashi.profile.Profile.Frame;
import java.util.Locale;

/// A profile as a picture, a box per call, as wide as its part of the samples, on top of its
/// caller's; or as one HTML page with it that needs no other file, script or network.
public final class FlameGraph {
    private static final int WIDTH = 1_200;
    private static final int ROW = 18;

    /// Narrower boxes would not be seen.
    private static final double NARROWEST = 0.4;

    /// Boxes beyond that are left out: a browser would take seconds for them.
    private static final int BOXES_MAX = 20_000;

    /// Part of a row's height that one letter is wide.
    private static final double LETTER = 6.4;

    private static final int LINES = 30;
    private static final int HUES = 40;

    private final Profile profile;
    private final int height;
    private final StringBuilder page = new StringBuilder();
    private int boxes;

    private FlameGraph(Profile profile) {
        this.profile = profile;
        height = profile.root().depth() * ROW;
    }

    /// @param title for people
    public static String html(String title, Profile profile) {
        FlameGraph graph = new FlameGraph(profile);
        graph.write(title);
        return graph.page.toString();
    }

    /// The picture alone, as SVG. Its fonts are the page's affair.
    public static String svg(Profile profile) {
        FlameGraph graph = new FlameGraph(profile);
        graph.picture();
        return graph.page.toString();
    }

    private void write(String title) {
        page.append(
                String.format(
                        Locale.ROOT,
                        """
                        <!doctype html>
                        <html lang="en"><meta charset="utf-8">
                        <title>%1$s</title>
                        <style>
                        body { font: 14px system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
                        svg { width: 100%%; height: auto; font: 11px monospace }
                        table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: left }
                        td.number, th.number { text-align: right } code { font-size: 12px }
                        </style>
                        <h1>%1$s</h1>
                        <p>%2$,d samples. A box is as wide as its part of them; its caller is below it.</p>
                        """,
                        escaped(title),
                        profile.samples()));
        picture();
        waits();
        lines();
        page.append("</html>\n");
    }

    private void picture() {
        page.append(
                "<svg class=\"flame\" viewBox=\"0 0 %s %s\" role=\"img\">\n"
                        .formatted(WIDTH, height));
        box(profile.root(), 0, 0);
        page.append("</svg>\n");
    }

    /// Writes a call and all that it made.
    ///
    /// @param left in units of the picture
    private void box(Frame frame, double left, int level) {
        double width = part(frame.samples) * WIDTH;
        if (width < NARROWEST || ++boxes > BOXES_MAX) {
            return;
        }
        int top = height - (level + 1) * ROW;
        page.append(
                String.format(
                        Locale.ROOT,
                        "<g><title>%s: %.1f %%</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\""
                                + " height=\"%d\" fill=\"hsl(%d 80%% 70%%)\" stroke=\"#fff\"/>",
                        escaped(frame.name),
                        100 * part(frame.samples),
                        left,
                        top,
                        width,
                        ROW,
                        Math.floorMod(frame.name.hashCode(), HUES) + 15));
        int letters = (int) (width / LETTER) - 1;
        if (letters > 2) {
            page.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%.2f\" y=\"%d\">%s</text>",
                            left + 3,
                            top + ROW - 5,
                            escaped(shortened(frame.name, letters))));
        }
        page.append("</g>\n");
        double at = left;
        for (Frame call : frame.sortedCalls()) {
            box(call, at, level + 1);
            at += part(call.samples) * WIDTH;
        }
    }

    /// The end of a line of a backtrace says most: file, line and method.
    private static String shortened(String name, int letters) {
        return name.length() <= letters
                ? name
                : "\u2026" + name.substring(name.length() - letters + 1);
    }

    private void waits() {
        if (profile.waits().isEmpty()) {
            return;
        }
        page.append("<h2>Seemed to wait for</h2>\n<table>\n");
        for (Profile.Wait wait : profile.waits()) {
            page.append("<tr>").append(percent(wait.samples()));
            page.append("<td>").append(escaped(wait.what())).append("</td></tr>\n");
        }
        page.append("</table>\n");
    }

    private void lines() {
        page.append(
                "<h2>Calls</h2>\n<table>\n<tr><th class=\"number\">itself</th>"
                        + "<th class=\"number\">with calls</th><th>call</th></tr>\n");
        for (Profile.Line line : profile.top(LINES)) {
            page.append("<tr>").append(percent(line.own())).append(percent(line.total()));
            page.append("<td><code>").append(escaped(line.call())).append("</code></td></tr>\n");
        }
        page.append("</table>\n");
    }

    private String percent(int samples) {
        return String.format(Locale.ROOT, "<td class=\"number\">%.1f %%</td>", 100 * part(samples));
    }

    private double part(int samples) {
        return profile.samples() == 0 ? 0 : (double) samples / profile.samples();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("\\p{Cntrl}", "\ufffd");
    }
}
