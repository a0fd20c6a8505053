package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResqueChoiceTest {
    private static String shown(String file, @Nullable Integer concurrency) {
        RunnerChoice choice = MawashiFile.parse(file, "mawashi.yml");
        CapsulePlan plan = choice.resque().plan(choice.all(), concurrency);
        return "%s %s %d in %d"
                .formatted(plan.name(), plan.kind().word(), plan.slots(), plan.processes());
    }

    @Test
    void flagsWinOverTheFile() {
        ResqueChoice file =
                MawashiFile.parse("resque: {queues: a, namespace: app, processes: 2}", "m")
                        .resque();

        assertThat(file.with(null, null)).isEqualTo(file);
        assertThat(file.with("b", "other"))
                .isEqualTo(new ResqueChoice("b", "other", file.pool(), Map.of(), Origins.NONE));
        assertThat(ResqueChoice.NONE.with("b", null).queues()).isEqualTo("b");
    }

    @Test
    void itsJobsRunOneAtATimeUntilASectionOrAFlagSaysMore() {
        String top = "{runner: mri, processes: 3, concurrency: 20";

        assertThat(shown(top + "}", null)).isEqualTo("resque mri 3 in 3");
        assertThat(shown(top + "}", 5)).isEqualTo("resque mri 15 in 3");
        assertThat(shown(top + ", resque: {concurrency: 2}}", 5)).isEqualTo("resque mri 6 in 3");
        assertThat(shown("{runner: mri}", 1)).isEqualTo("resque mri 1 in 1");
    }

    @Test
    void itsSectionIsAPoolLikeOthers() {
        String file = "{runner: jruby, resque: {runner: mri, processes: 2, concurrency: 4}}";

        assertThat(shown(file, null)).isEqualTo("resque mri 8 in 2");
        assertThat(shown("{runner: mri, processes: 2, resque: {runner: fork}}", 4))
                .isEqualTo("resque fork 4 in 1");
    }

    @Test
    void itsRunnerIsLoadedThoughNoOtherQueueHasIt() {
        assertThat(MawashiFile.parse("{runner: java, resque: {runner: fork}}", "m").first())
                .isEqualTo(RunnerKind.FORK);
    }
}
