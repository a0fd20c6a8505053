package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.FeatureRace;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Programs;
import dev.mawashi.bench.rig.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `mawashi bench features`: the same job plain, in a Cluster and with an option, from its push to
/// its end.
final class Features {
    private static final String GEM = "sidekiq-unique-jobs";
    private static final String PLAIN = "plain";
    private static final String CLUSTER = "cluster";
    private static final Column PUSH = new Column("push us", "push_us_per_job", 1);
    private static final Figures.View VIEW =
            Figures.View.lessIsBetter(
                            PUSH,
                            new Column("bytes beside a job", "lock_bytes_per_job", 0),
                            new Column("jobs/s at work", Views.WORKING, 0),
                            new Column("CPU us/job", "cpu_us_per_job", 1),
                            new Column("Redis CPU us/job", "redis_us_per_job", 1),
                            new Column("Redis commands/job", "redis_commands_per_job", 1))
                    .drawing("cpu_us_per_job");

    private Features() {}

    static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        try (BenchRedis cluster = bench.startCluster()) {
            FeatureRace race = new FeatureRace(ground);
            FeatureRace inCluster = new FeatureRace(ground.with(cluster));
            List<Result> results =
                    bench.takeTurns(
                            contestants(bench, ground),
                            one -> (one.name().endsWith(CLUSTER) ? inCluster : race).run(one),
                            VIEW.columns());
            return bench.figures(results)
                    .rows(
                            VIEW,
                            Multiples.withFirst(
                                    results, one -> one.name().endsWith(PLAIN), PUSH.field()));
        }
    }

    private static List<Contestant> contestants(Bench bench, Ground ground) {
        boolean hasGem = Programs.hasGem(GEM);
        if (!hasGem) {
            bench.note(GEM + " is left out: ruby does not find it (gem install, or RUBYLIB)");
        }
        Contestants all = Contestants.of(ground, "features.rb");
        List<Contestant> contestants = new ArrayList<>();
        for (Row row : bench.rows()) {
            List<String> features = new ArrayList<>(List.of(PLAIN));
            if (row.kind().isOurs()) {
                features.addAll(List.of(CLUSTER, "unique_for", "expires_in"));
            }
            if (hasGem) {
                features.add(GEM);
            }
            bench.enter(all, row, bench.jobs(row)).stream()
                    .flatMap(one -> features.stream().map(feature -> with(one, feature)))
                    .forEach(contestants::add);
        }
        return contestants;
    }

    private static Contestant with(Contestant one, String feature) {
        return one.named(one.name() + ", " + feature).with(Map.of(FeatureRace.FEATURE, feature));
    }
}
