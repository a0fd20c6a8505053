package dev.mawashi.wire;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The rules on what is hidden of jobs where people look at them. Payloads in Redis stay as they
/// are, and jobs run with all of their arguments.
///
/// It rather hides too much: where what stands in a payload cannot be understood, all of it is
/// hidden as soon as there is any rule.
public final class Redaction {
    /// Stands in the place of a value.
    public static final String MARK = "[REDACTED]";

    /// Nothing is hidden.
    public static final Redaction NONE = new Redaction(List.of(), false, MARK);

    private final List<RedactionRule> rules;
    private final boolean isEverything;
    private final String mark;

    private Redaction(List<RedactionRule> rules, boolean isEverything, String mark) {
        this.rules = rules;
        this.isEverything = isEverything;
        this.mark = mark;
    }

    public static Redaction of(List<RedactionRule> rules) {
        return rules.isEmpty() ? NONE : new Redaction(List.copyOf(rules), false, MARK);
    }

    /// Hides the arguments of all jobs.
    ///
    /// @param reason stands with the mark
    public static Redaction everything(String reason) {
        return new Redaction(List.of(), true, "[REDACTED: " + reason + "]");
    }

    /// All rules of several records together. One that cannot be read, as a newer version may have
    /// written it, hides everything.
    public static Redaction ofRecords(List<byte[]> records) {
        List<RedactionRule> all = new ArrayList<>();
        for (byte[] record : records) {
            var rules = RedactionRule.parse(record);
            if (rules.isEmpty()) {
                return everything("a record in " + Keys.REDACT + " is unreadable");
            }
            all.addAll(rules.get());
        }
        return of(all);
    }

    public boolean isNone() {
        return rules.isEmpty() && !isEverything;
    }

    /// What is hidden of something that is no job, or too large to be looked through.
    public Hiding ofUnknown() {
        return isNone() ? Hiding.NOTHING : new Hiding(List.of(), Set.of(), true, mark);
    }

    /// What is hidden of a job.
    ///
    /// @param shown the name that people know its class by; "" for none
    public Hiding of(Payload job, String shown) {
        if (rules.isEmpty()) {
            return ofUnknown();
        }
        Set<String> names = names(job);
        if (!shown.isEmpty()) {
            names.add(shown);
            // A mail is known by its mailer and method.
            names.add(shown.split("#", 2)[0]);
        }
        List<String> keys = new ArrayList<>();
        Set<Integer> positions = new LinkedHashSet<>();
        boolean isAll = false;
        for (RedactionRule rule : rules) {
            if (rule.isFor(names)) {
                keys.addAll(rule.keys());
                positions.addAll(rule.positions());
                isAll |= rule.hidesAll();
            }
        }
        return new Hiding(keys, positions, isAll, mark);
    }

    /// All names that a payload gives the class: its own, and those inside ActiveJob's wrapper.
    private static Set<String> names(Payload job) {
        Set<String> names = new LinkedHashSet<>();
        for (String field : List.of("class", "wrapped", "display_class")) {
            String name = job.text(field);
            if (name != null) {
                names.add(name);
            }
        }
        for (String arg : JsonObject.elements(job.raw("args"))) {
            String name = arg.startsWith("{") ? JsonObject.of(arg).text("job_class") : "";
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        // A rule for any class is for a job without a name too.
        names.add("");
        return names;
    }
}
