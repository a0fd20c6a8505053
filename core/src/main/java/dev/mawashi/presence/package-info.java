/// Being known to be alive: the lease and its renewal, the process record that Sidekiq's page
/// reads, and the recovery of what dead processes held.
@NullMarked
package dev.mawashi.presence;

import org.jspecify.annotations.NullMarked;
