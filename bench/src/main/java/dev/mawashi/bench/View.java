package dev.mawashi.bench;

import dev.mawashi.bench.chart.Chart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What a table's page and JSON have besides its columns.
///
/// @param isMoreBetter whether the larger figure of the first column is the better one
/// @param drawn columns that are drawn as bars beside the first one, by their fields
/// @param beside charts among the bars
/// @param hint how to read these
/// @param plots groups of charts below
/// @param details of a run in JSON, by field
/// @param <F> the figures of one run
record View<F>(
        boolean isMoreBetter,
        List<String> drawn,
        Function<Map<Contestant, List<F>>, List<Chart>> beside,
        String hint,
        Function<Map<Contestant, List<F>>, List<Section.Plots>> plots,
        Function<F, Map<String, Object>> details) {
    View {
        drawn = List.copyOf(drawn);
    }

    /// Bars and no more.
    static <F> View<F> bars(boolean isMoreBetter, List<String> drawn) {
        return new View<>(isMoreBetter, drawn, _ -> List.of(), "", _ -> List.of(), _ -> Map.of());
    }

    /// Of a race: its course too.
    static View<Figures> race(boolean isMoreBetter, List<String> drawn) {
        return new View<>(
                isMoreBetter,
                drawn,
                runs -> List.of(RacePlots.warmUp(runs, Map.of())),
                RacePlots.WARM_UP,
                runs -> List.of(RacePlots.cores(runs)),
                JsonReport::course);
    }

    /// Of single times: how they are spread.
    ///
    /// @param title of the chart
    /// @param millis of a run
    /// @param field that has these in JSON
    static <F> View<F> percentiles(
            List<String> drawn, String title, String field, Function<F, List<Double>> millis) {
        return new View<>(
                false,
                drawn,
                runs -> List.of(PercentilePlot.of(title, together(runs, millis))),
                PercentilePlot.HINT,
                _ -> List.of(),
                run -> Map.of(field, millis.apply(run)));
    }

    /// All runs of a contestant as one.
    private static <F> Map<Contestant, List<Double>> together(
            Map<Contestant, List<F>> runs, Function<F, List<Double>> millis) {
        Map<Contestant, List<Double>> all = new LinkedHashMap<>();
        runs.forEach((one, figures) ->
                all.put(one, figures.stream().flatMap(run -> millis.apply(run).stream()).toList()));
        return all;
    }
}
