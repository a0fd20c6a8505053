/// A real Redis or Valkey server as a child of this process, for `demo`, for development and for
/// tests. Knows no job; hands on the URL at which the server answers.
@NullMarked
package dev.mawashi.embedded;

import org.jspecify.annotations.NullMarked;
