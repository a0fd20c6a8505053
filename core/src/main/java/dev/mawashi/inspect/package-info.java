/// Finds and reads jobs at rest and in flight, Resque's failures and locks, a page at a time:
/// queries and their fields, what matches, and its JSON. Nothing here changes them.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
