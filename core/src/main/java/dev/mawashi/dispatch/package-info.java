/// Joins the stages: a capsule's claimer fills a buffer through `fetch`, its slots (`execute`) or
/// children run what is in it, and the outcome goes to `settle`. Quiet and stop are here.
@NullMarked
package dev.mawashi.dispatch;

import org.jspecify.annotations.NullMarked;
