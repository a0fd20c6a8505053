package dev.mawashi.bench;

import java.io.PrintWriter;

/// What a benchmark found out.
interface Report {
    /// For people.
    void print(PrintWriter out);

    /// One JSON object with every run's figures (bench/README.md, "JSON").
    String json();

    /// What the jobs were in; empty where there was no Redis.
    String redis();

    /// For the page with charts.
    Section section();
}
