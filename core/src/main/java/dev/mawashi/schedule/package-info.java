/// Moves due jobs from the schedule and retry sets to their queues, on time by Redis's clock.
@NullMarked
package dev.mawashi.schedule;

import org.jspecify.annotations.NullMarked;
