package dev.mawashi.cli;

import dev.mawashi.inspect.ProcessView;
import java.util.List;

/// Finds processes by what people type of their identities.
final class Identities {
    private Identities() {}

    /// The one whose identity this is, or begins with it.
    ///
    /// @throws CommandFailure when there is none, or more than one
    static ProcessView only(String id, List<ProcessView> live) {
        List<ProcessView> matches =
                live.stream().filter(process -> process.identity().startsWith(id)).toList();
        List<ProcessView> exact =
                matches.stream().filter(process -> process.identity().equals(id)).toList();
        if (exact.size() == 1 || matches.size() == 1) {
            return exact.isEmpty() ? matches.getFirst() : exact.getFirst();
        }
        throw new CommandFailure(
                matches.isEmpty()
                        ? "no live process " + TextTable.printable(id) + ": see mawashi processes"
                        : matches.size()
                                + " processes begin with "
                                + TextTable.printable(id)
                                + ": give more of the identity");
    }
}
