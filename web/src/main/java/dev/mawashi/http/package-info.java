/// Answers HTTP requests: the only package that sees the HTTP server's library.
@NullMarked
package dev.mawashi.http;

import org.jspecify.annotations.NullMarked;
