/// Moves an app's jobs to another Redis while processes work on both.
///
/// `Migration` makes passes over the places that have jobs, `Transfer` takes one batch after the
/// other from the first Redis to the second.
@NullMarked
package dev.mawashi.migrate;

import org.jspecify.annotations.NullMarked;
