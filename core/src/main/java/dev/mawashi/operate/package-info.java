/// The acts of an operator on jobs: searches through `inspect` a page at a time, and changes what
/// it finds through `tables`. Reads a `JobQuery` and an act, hands back what was touched.
@NullMarked
package dev.mawashi.operate;

import org.jspecify.annotations.NullMarked;
