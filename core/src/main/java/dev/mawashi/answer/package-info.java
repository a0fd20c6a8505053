/// Answers what others ask this process through Redis, for pages and commands: its JVM, its
/// threads, where a job is, its children. It looks, begins a restart, or writes a heap to a file;
/// nothing here changes what becomes of a job, and no answer holds what a job was given.
@NullMarked
package dev.mawashi.answer;

import org.jspecify.annotations.NullMarked;
