/// The seam between the core and what runs a job: `Runner`. Reads payload bytes, hands on an
/// `Outcome`; knows neither the broker nor how an outcome is settled.
@NullMarked
package dev.mawashi.execute;

import org.jspecify.annotations.NullMarked;
