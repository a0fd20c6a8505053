package dev.mawashi.cli;

import dev.mawashi.server.Logging;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/// Who sits before a command: whether they can be asked, and watch it.
///
/// @param canAsk a person reads what is printed and can answer
/// @param canWatch a person sees stderr
/// @param answer reads a line of theirs
record Terminal(boolean canAsk, boolean canWatch, Supplier<String> answer) {
    /// So many jobs or processes are touched without asking.
    static final long TOUCHED_UNASKED_MAX = 10;

    /// The one that this process has. Whether `System.console` may return null differs among JDKs.
    @SuppressWarnings("SystemConsoleNull")
    static Terminal ofThisProcess() {
        Console console = System.console();
        boolean canAsk = console != null && console.isTerminal();
        return new Terminal(
                canAsk,
                Logging.isTerminal(),
                () -> console == null ? "" : Objects.requireNonNullElse(console.readLine(), ""));
    }

    /// Lets a command go on if somebody wants what it is about to do.
    ///
    /// @param deed what it is, such as `delete 12 jobs of dead`
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
