/// Spans of OpenTelemetry, from enqueue to run. Only this package sees its library, of which there
/// is the API alone: the user's agent brings the rest. Without one nothing here is used.
@NullMarked
package dev.mawashi.tracing;

import org.jspecify.annotations.NullMarked;
