/// Lines of files for Ruby code on JRuby, read as `IO.foreach` and `IO#each_line` read them, and
/// faster. Reads out of the buffer of Ruby's own `File`, hands on Ruby strings; knows nothing of
/// jobs.
@NullMarked
package dev.mawashi.ruby.lines;

import org.jspecify.annotations.NullMarked;
