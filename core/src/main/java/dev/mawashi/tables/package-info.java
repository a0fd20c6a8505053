/// What lies in Redis beside the jobs on their way: what other tools read, such as the records of
/// processes and the figures of Sidekiq's page, and what an operator changes by hand: sets, queues,
/// failure lists, pauses, marks and signals. Each class has a connection of its own. Where an
/// operator moves jobs as the broker does, the broker's script moves them.
@NullMarked
package dev.mawashi.tables;

import org.jspecify.annotations.NullMarked;
