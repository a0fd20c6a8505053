package dev.mawashi.bench.chart;

/// Something that can be drawn.
public sealed interface Chart permits Bars, Curves, Cores {
    /// What stands over it.
    String title();

    /// The drawing, without the title.
    Svg draw();
}
