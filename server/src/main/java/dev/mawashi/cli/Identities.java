package dev.mawashi.cli;

import dev.mawashi.fleet.ProcessRecord;
import java.util.List;

/// Finds processes by what people type of their identities.
final class Identities {
    private Identities() {}

    /// The one whose identity this is, or begins with it.
    ///
    /// @throws CommandFailure when there is none, or more than one
    static ProcessRecord only(String id, List<ProcessRecord> live) {
        List<ProcessRecord> matches =
                live.stream().filter(process -> process.identity().startsWith(id)).toList();
        List<ProcessRecord> exact =
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
