/// Answers what others ask this process through Redis, for pages and commands: its JVM, its
/// threads, where a job is, its children. It only looks; nothing here changes what becomes of a
/// job, and no answer holds what a job was given.
@NullMarked
package dev.mawashi.answer;

import org.jspecify.annotations.NullMarked;
