/// The command line: one class a command, each of which parses, calls what does the work, and
/// prints. Reads arguments and environment; hands on to `server` and `embedded`.
@NullMarked
package dev.mawashi.cli;

import org.jspecify.annotations.NullMarked;
