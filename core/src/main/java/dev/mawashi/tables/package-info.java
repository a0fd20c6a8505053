/// Operators' changes in Redis beside the jobs on their way: sets, queues, failure lists, pauses
/// and marks; and reads that are limited, however long a key is. Each class has a connection of its
/// own. Where an operator moves jobs as the broker does, the broker's script moves them.
@NullMarked
package dev.mawashi.tables;

import org.jspecify.annotations.NullMarked;
