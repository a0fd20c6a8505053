/// The processes of the fleet: what each writes of itself into Redis, what it runs, what it is
/// asked and answers. For each there is one record, which has its form in Redis, how that is read,
/// and its JSON for programs.
@NullMarked
package dev.mawashi.fleet;

import org.jspecify.annotations.NullMarked;
