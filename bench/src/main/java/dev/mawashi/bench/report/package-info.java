/// The findings of benchmarks, for people and programs: a command fills in `Figures`, and
/// `TextReport`, `JsonReport` and `Page` show any of them. It knows no single benchmark.
@NullMarked
package dev.mawashi.bench.report;

import org.jspecify.annotations.NullMarked;
