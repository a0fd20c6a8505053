/// What an operator does to jobs: searches through `inspect` a page at a time, and moves what it
/// finds through `broker`. Reads a `JobQuery` and an act, hands back what was touched.
@NullMarked
package dev.mawashi.operate;

import org.jspecify.annotations.NullMarked;
