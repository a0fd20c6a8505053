/// Charts as SVG: takes plain figures, gives elements that follow the reader's light or dark theme
/// and are readable on a phone. It knows nothing of benchmarks.
@NullMarked
package dev.mawashi.bench.chart;

import org.jspecify.annotations.NullMarked;
