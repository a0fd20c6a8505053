package dev.mawashi.server;

import org.jspecify.annotations.Nullable;

/// A line that a Ruby process printed to its standard error.
///
/// @param pid of the child; 0 for the parent
/// @param jid of the job that printed it, where that is known
record ChildLine(long pid, @Nullable String jid, String text) {
    @Override
    public String toString() {
        String job = jid == null ? "" : " jid=" + jid;
        return pid == 0 ? text : "child=" + pid + job + ": " + text;
    }
}
