package dev.mawashi.cli;

import dev.mawashi.server.Logging;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/// The person before a command: whether they can be asked, and see its progress.
///
/// @param canAsk a person reads what is printed and can answer
/// @param canWatch a person sees stderr
/// @param answer reads a line that the person types
record Terminal(boolean canAsk, boolean canWatch, Supplier<String> answer) {
    /// Up to this many jobs are touched without asking.
    static final long TOUCHED_UNASKED_MAX = 10;

    /// The terminal of this process. Some JDKs return null from `System.console` where there is
    /// none.
    @SuppressWarnings("SystemConsoleNull")
    static Terminal ofThisProcess() {
        Console console = System.console();
        boolean canAsk = console != null && console.isTerminal();
        return new Terminal(
                canAsk,
                Logging.isTerminal(),
                () -> console == null ? "" : Objects.requireNonNullElse(console.readLine(), ""));
    }

    /// Asks whether to go on, and returns if the answer is yes.
    ///
    /// @param deed what the command is about to do, such as `delete 12 jobs of dead`
    /// @throws WrongUse when nobody can be asked
    /// @throws CommandFailure when the answer is no
    void confirm(String deed, PrintWriter err) {
        if (!canAsk) {
            throw new WrongUse(
                    "this would " + deed + ", and nobody is here to ask: add --yes if it shall");
        }
        err.print("This will " + deed + ". Go on? [y/N] ");
        err.flush();
        String word = answer.get().strip().toLowerCase(Locale.ROOT);
        if (!word.equals("y") && !word.equals("yes")) {
            throw new CommandFailure("nothing was done");
        }
    }
}
