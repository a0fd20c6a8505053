package dev.mawashi.acts;

import dev.mawashi.operate.Act;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Author;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import java.util.Locale;

/// The words in which a page reports an act.
final class ActText {
    private ActText() {}

    /// `1 job`, `2,000 jobs`.
    static String jobs(long count) {
        return String.format(Locale.ROOT, "%,d", count) + (count == 1 ? " job" : " jobs");
    }

    /// `Delete`.
    static String imperative(String act) {
        return act.substring(0, 1).toUpperCase(Locale.ROOT) + act.substring(1);
    }

    /// `the dead set`.
    static String place(String place) {
        return switch (place) {
            case "retry" -> "the retries";
            case "schedule" -> "the schedule";
            case "dead" -> "the dead set";
            case Places.FAILED -> "Resque's failures";
            default ->
                    place.matches("(?s)(queue|schedule|lock):.*")
                            ? place.replaceFirst(":", " ")
                            : place;
        };
    }

    /// `anna, operator at 10.0.0.7`.
    static String who(Author author) {
        String name = author.name().equals("-") ? "" : author.name() + ", ";
        String from = author.address().equals("-") ? "" : " at " + author.address();
        return name + author.role() + from;
    }

    /// Its result, in one sentence.
    static String text(AuditEntry entry) {
        String text =
                switch (Act.named(entry.act()).orElse(Act.DELETE)) {
                    case PAUSE -> imperative(place(entry.place())) + " is paused" + rest(entry);
                    case UNPAUSE ->
                            imperative(place(entry.place())) + " is served again" + rest(entry);
                    case RESUME -> imperative(place(entry.place())) + " is resumed" + rest(entry);
                    case FREE -> freed(entry);
                    case QUIET, STOP, DUMP -> signalled(entry);
                    case RESTART ->
                            entry.place()
                                    + (entry.detail().isEmpty()
                                            ? " began a restart"
                                            : " was asked to restart: " + entry.detail());
                    case RELOAD -> entry.place() + " read its settings again: " + entry.detail();
                    case HEAP -> "the heap of " + entry.place() + ": " + entry.detail();
                    case CANCEL -> imperative(entry.place()) + ": " + entry.detail();
                    default -> jobsOf(entry);
                };
        return switch (entry.state()) {
            case DONE -> text + ".";
            case ENDED -> text + "; then it was ended.";
            case FAILED ->
                    entry.report().touched() > 0
                            ? text
                                    + "; then it failed, and more may have been done: "
                                    + entry.detail()
                            : imperative(entry.act())
                                    + " of "
                                    + place(entry.place())
                                    + " failed, and may have been done in part or in whole: "
                                    + entry.detail();
            case BEGUN ->
                    imperative(entry.act())
                            + " of "
                            + place(entry.place())
                            + " began, and has not reported its end.";
        };
    }

    private static String rest(AuditEntry entry) {
        return entry.detail().isEmpty() ? "" : ", and was so already";
    }

    private static String freed(AuditEntry entry) {
        String lock = imperative(place(entry.place()));
        return entry.report().touched() > 0
                ? lock + " is free: " + entry.detail() + " held it"
                : lock + " was not freed: " + entry.detail() + " held it no more";
    }

    private static String signalled(AuditEntry entry) {
        String what =
                switch (Act.named(entry.act()).orElseThrow()) {
                    case STOP -> "end";
                    case DUMP -> "log what runs";
                    default -> "take no more jobs";
                };
        return entry.place().equals(Places.PROCESSES)
                ? entry.report().touched() + " processes will " + what + " at their next beat"
                : entry.place() + " will " + what + " at its next beat";
    }

    private static String jobsOf(AuditEntry entry) {
        Report report = entry.report();
        StringBuilder text = new StringBuilder();
        if (report.touched() == 0) {
            text.append("No job of ").append(place(entry.place())).append(" was ");
        } else {
            text.append(jobs(report.touched())).append(" of ").append(place(entry.place()));
            text.append(report.touched() == 1 ? " was " : " were ");
        }
        text.append(Act.named(entry.act()).map(Act::past).orElse("changed"));
        if (!entry.to().isEmpty()) {
            text.append(" to queue ").append(entry.to());
        }
        boolean isUndo = entry.act().equals(Act.UNDO.word());
        append(text, report.gone(), isUndo ? "had begun or gone elsewhere" : "gone by then");
        append(text, report.malformed(), "no job and left where it is");
        append(text, report.trimmed(), "left the full dead set");
        if (report.touched() == 0 && isUndo && !entry.detail().isEmpty()) {
            text.append(": ").append(entry.detail());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append("; ").append(String.format(Locale.ROOT, "%,d", count)).append(' ');
            text.append(what);
        }
    }
}
