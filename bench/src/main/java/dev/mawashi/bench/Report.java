package dev.mawashi.bench;

import java.io.PrintWriter;

/// What a benchmark found out.
interface Report {
    /// For people.
    void print(PrintWriter out);

    /// One JSON object with every run's figures (bench/README.md, "JSON").
    String json();
}
