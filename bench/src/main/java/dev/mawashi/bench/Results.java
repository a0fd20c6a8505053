package dev.mawashi.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the noop benchmark found out: every run of every contestant, ours first.
///
/// @param redis what the jobs were in
/// @param limit moves a second of Redis alone, one a round; empty when that was not measured
/// @param notes what was left out, and why
record Results(
        String bench,
        Machine machine,
        String redis,
        Map<Contestant, List<Figures>> runs,
        List<Double> limit,
        List<String> notes)
        implements Report {
    Results {
        runs = new LinkedHashMap<>(runs);
        limit = List.copyOf(limit);
        notes = List.copyOf(notes);
    }

    static boolean isOurs(Contestant one) {
        return one.name().startsWith("mawashi");
    }

    List<Contestant> ours() {
        return runs.keySet().stream().filter(Results::isOurs).toList();
    }

    /// The fastest Sidekiq, or another peer where there is none.
    Optional<Contestant> peer() {
        return runs.keySet().stream()
                .filter(one -> !isOurs(one))
                .max(
                        Comparator.<Contestant, Boolean>comparing(
                                        one -> one.name().startsWith("sidekiq"))
                                .thenComparingDouble(this::workRate));
    }

    private double workRate(Contestant one) {
        return Spread.of(runsOf(one), Figures::workRate).median();
    }

    List<Figures> runsOf(Contestant contestant) {
        return Optional.ofNullable(runs.get(contestant)).orElseGet(List::of);
    }

    /// The jobs per second of one of ours in each round, start included, as a multiple of the
    /// peer's in the same round, the peer's own start not counted: it had fewer jobs to spread it
    /// over.
    List<Double> ratios(Contestant ours, Contestant peer) {
        List<Double> ratios = new ArrayList<>();
        List<Figures> our = runsOf(ours);
        List<Figures> their = runsOf(peer);
        for (int i = 0; i < Math.min(our.size(), their.size()); i++) {
            ratios.add(our.get(i).totalRate() / their.get(i).workRate());
        }
        return ratios;
    }

    /// The ratio of the medians of the same rates.
    double ratioOfMedians(Contestant ours, Contestant peer) {
        return Spread.of(runsOf(ours), Figures::totalRate).median()
                / Spread.of(runsOf(peer), Figures::workRate).median();
    }

    @Override
    public void print(PrintWriter out) {
        new TextReport(this, out).print();
    }

    @Override
    public String json() {
        return new JsonReport(this).text();
    }

    @Override
    public Section section() {
        return new NoopSection(this).section();
    }
}
