/// Joins the stages: a capsule's claimer fills a buffer through `fetch`, its slots run what is in
/// it through `execute` and hand the outcome to `settle`. Quiet and stop are here.
@NullMarked
package dev.mawashi.dispatch;

import org.jspecify.annotations.NullMarked;
