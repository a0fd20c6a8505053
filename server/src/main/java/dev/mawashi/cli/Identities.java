package dev.mawashi.cli;

import dev.mawashi.fleet.ProcessRecord;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds processes by what people type of their identities.
final class Identities {
    private static final int LISTED_MAX = 10;

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

    /// The same; the only process that is not quiet where none is named.
    ///
    /// @param id null where none is named
    /// @throws WrongUse when there are several and none is named
    static ProcessRecord chosen(@Nullable String id, List<ProcessRecord> live) {
        if (id != null) {
            return only(id, live);
        }
        if (live.isEmpty()) {
            throw new CommandFailure("there is no process: start one with mawashi run");
        }
        // Others may be on their way out after a restart.
        List<ProcessRecord> working = live.stream().filter(one -> !one.isQuiet()).toList();
        if (working.size() == 1) {
            return working.getFirst();
        }
        if (live.size() > 1) {
            throw new WrongUse(
                    "which of "
                            + live.size()
                            + " processes? Give --all, or the identity: "
                            + live.stream()
                                    .limit(LISTED_MAX)
                                    .map(one -> TextTable.printable(one.identity()))
                                    .collect(Collectors.joining(", ")));
        }
        return live.getFirst();
    }
}
