/// Finds and reads jobs at rest and in flight, and Resque's failures, a page at a time: queries and
/// their fields, the jobs that match, and their JSON. Nothing here changes them.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
