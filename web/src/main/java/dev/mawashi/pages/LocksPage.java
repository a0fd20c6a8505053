package dev.mawashi.pages;

import dev.mawashi.inspect.LockView;
import java.util.List;

/// Locks of unique jobs.
///
/// @param jobClass of the search; "" without one
/// @param total all locks
/// @param next query of the page that goes on; "" at the end
public record LocksPage(
        Shell shell, String jobClass, List<LockView> locks, long total, String next) {
    public LocksPage {
        locks = List.copyOf(locks);
    }
}
