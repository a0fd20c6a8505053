/// The command line: one class a command. Each parses arguments and environment, calls the package
/// that does the work (`server`, `embedded`, `operate`, `inspect`, ...), and prints.
@NullMarked
package dev.mawashi.cli;

import org.jspecify.annotations.NullMarked;
