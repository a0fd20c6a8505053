package dev.mawashi.doctor;

import java.util.Locale;

/// The kinds of code that do harm, or nothing, where jobs run side by side in one process.
public enum Rule {
    /// `@x` of a class or module, written by a method.
    CLASS_STATE(BestRunner.MRI, "writes state of the class, which all threads share"),
    CLASS_VARIABLE(BestRunner.MRI, "writes a class variable, which all threads share"),
    GLOBAL(BestRunner.MRI, "writes a global variable, which all threads share"),
    MUTABLE_CONSTANT(BestRunner.MRI, "changes the object of a constant, which all threads share"),
    ENVIRONMENT(BestRunner.FORK, "changes ENV of the whole process"),
    FOLDER(BestRunner.FORK, "changes the working directory of the whole process"),
    PROCESS(BestRunner.FORK, "changes or ends the whole process"),
    EXEC(BestRunner.FORK, "exec replaces the whole process"),
    FORK(BestRunner.MRI, "JRuby cannot fork"),
    MRI_ONLY(BestRunner.MRI, "JRuby has no RubyVM"),
    /// Code that Prism cannot read at the level of JRuby's language.
    SYNTAX(BestRunner.MRI, "JRuby cannot parse it"),
    TIMEOUT(BestRunner.JRUBY, "Timeout may end a block anywhere, also in its ensure"),
    THREAD(
            BestRunner.JRUBY,
            "starts a thread of its own, which outlives the job if nobody joins it"),
    CLASS_ATTRIBUTE(BestRunner.JRUBY, "attribute of the class: safe if only the start writes it"),
    SHARED_OBJECT(BestRunner.JRUBY, "object of the class that can be changed: freeze it");

    private final BestRunner runner;
    private final String meaning;

    Rule(BestRunner runner, String meaning) {
        this.runner = runner;
        this.meaning = meaning;
    }

    /// The runner that such code needs where it runs in jobs; `JRUBY` for a mere notice.
    public BestRunner runner() {
        return runner;
    }

    public String meaning() {
        return meaning;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
