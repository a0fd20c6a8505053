package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.Run;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ViewsTest {
    private static Result result(String name, double working, double secondHalf) {
        Contestant contestant =
                new Contestant(name, name, List.of(name), Map.of(), 1, 1_000, JobSource.SIDEKIQ);
        Run run =
                Run.EMPTY
                        .with("jobs_per_second", 1)
                        .with("jobs_per_second_working", working)
                        .with("jobs_per_second_second_half", secondHalf);
        return new Result(contestant, List.of(run));
    }

    @Test
    void bothSidesAreComparedByTheirSecondHalvesOnceWarm() {
        Result ours = result("jruby-50", 500, 1_500);
        List<Result> results =
                List.of(ours, result("sidekiq-2x10", 900, 700), result("sidekiq-2x25", 800, 750));
        Multiples comparison = Views.warmWithFastest(results).orElseThrow();
        assertThat(comparison.reference().name()).isEqualTo("sidekiq-2x25");
        assertThat(comparison.times(ours)).isEqualTo(2);
    }
}
