/// Benchmarks beside the peers: starts the servers as users do, gives each the same jobs in the
/// same Redis, and tells how fast they were, by what the jobs themselves counted.
@NullMarked
package dev.mawashi.bench;

import org.jspecify.annotations.NullMarked;
