package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class CapsulePlansTest {
    private static CapsulePlans.Wanted capsule(String name, int concurrency, String... queues) {
        SequencedMap<String, Integer> weights = new LinkedHashMap<>();
        for (String queue : queues) {
            weights.put(queue, weights.size());
        }
        return new CapsulePlans.Wanted(name, concurrency, weights, Origins.NONE);
    }

    private static List<CapsulePlan> plans(String file, CapsulePlans.Wanted... capsules) {
        return CapsulePlans.of(List.of(capsules), choice(file));
    }

    private static RunnerChoice choice(String file) {
        RunnerChoice choice = MawashiFile.parse(file, "mawashi.yml");
        return choice.with(PoolSettings.NONE, null, null);
    }

    private static String shown(CapsulePlan plan) {
        return "%s %s %s %d in %d"
                .formatted(
                        plan.name(),
                        plan.queues(),
                        plan.kind().word(),
                        plan.slots(),
                        plan.processes());
    }

    @Test
    void aQueueWithARunnerOfItsOwnLeavesItsCapsule() {
        String file = "{runner: jruby, queues: {b: {runner: mri, processes: 2, concurrency: 3}}}";

        assertThat(plans(file, capsule("default", 10, "a", "b", "c")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("default/b {b=1} mri 6 in 2", "default {a=0, c=2} jruby 10 in 1");
    }

    @Test
    void aConcurrencyHoldsInTheServerButForTheMainCapsuleOfSeveralProcesses() {
        String file =
                "{runner: mri, processes: 2, queues: {b: {concurrency: 3}, c: {runner: mri, recycle_hours: 1}}}";
        List<CapsulePlan> plans =
                plans(
                        file,
                        capsule("default", 10, "a", "b", "c"),
                        capsule("serial", 1, "d"),
                        capsule("four", 4, "e"));

        assertThat(plans)
                .extracting(CapsulePlansTest::shown)
                .containsExactly(
                        "default/b {b=1} mri 3 in 2",
                        "default/c {c=2} mri 20 in 2",
                        "default {a=0} mri 20 in 2",
                        "serial {d=0} mri 1 in 2",
                        "four {e=0} mri 4 in 2");
        assertThat(plans)
                .extracting(CapsulePlan::isApart)
                .containsExactly(false, true, false, false, false);
    }

    @Test
    void thereAreNoMoreProcessesThanSlots() {
        assertThat(plans("{runner: mri}", capsule("default", 1, "a")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("default {a=0} mri 1 in 1");
    }

    @Test
    void aCapsuleThatInheritsProcessesHasNoMoreThanSlots() {
        String file =
                "{runner: mri, processes: 4, queues: {c: {recycle_jobs: 9, concurrency: 2}},"
                        + " capsules: {serial: {memory_limit: 500}, two: {recycle_hours: 1}}}";

        assertThat(
                        plans(
                                file,
                                capsule("default", 10, "a", "c"),
                                capsule("serial", 1, "b"),
                                capsule("two", 2, "d")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly(
                        "default/c {c=1} mri 2 in 2",
                        "default {a=0} mri 40 in 4",
                        "serial {b=0} mri 1 in 1",
                        "two {d=0} mri 2 in 2");
    }

    @Test
    void capsulesThatShareProcessesHaveNoMoreThanSlots() {
        String file =
                "{runner: mri, processes: 4, queues: {a: {concurrency: 1}, b: {concurrency: 1}}}";

        assertThat(plans(file, capsule("default", 10, "a", "b")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("default/a {a=0} mri 1 in 2", "default/b {b=1} mri 1 in 2");
        assertThat(plans(file, capsule("default", 10, "a", "b"), capsule("five", 5, "c")))
                .extracting(CapsulePlan::processes)
                .containsExactly(4, 4, 4);
    }

    @Test
    void processesAreNoMatterToARunnerThatForksForEachJob() {
        String file = "{runner: mri, processes: 3, queues: {b: {runner: fork}}}";

        assertThat(plans(file, capsule("default", 4, "a", "b")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("default/b {b=1} fork 4 in 1", "default {a=0} mri 12 in 3");
    }

    @Test
    void theOnlyQueueOfACapsuleTakesTheCapsuleWithIt() {
        assertThat(plans("{runner: jruby, queues: {a: {concurrency: 3}}}", capsule("one", 10, "a")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("one {a=0} jruby 3 in 1");
    }

    @Test
    void aLimitOnTimeAloneNeedsNoSlotsOfItsOwn() {
        assertThat(
                        plans(
                                "{runner: jruby, queues: {b: {time_limit: 3}}}",
                                capsule("one", 10, "a", "b")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly("one {a=0, b=1} jruby 10 in 1");
    }

    @Test
    void aCapsulesSettingsHoldForItsQueuesWhereTheseSayNothing() {
        String file =
                "{runner: jruby, capsules: {one: {runner: mri, processes: 4}},"
                        + " queues: {b: {processes: 2}}}";

        assertThat(plans(file, capsule("one", 5, "a", "b"), capsule("two", 7, "c")))
                .extracting(CapsulePlansTest::shown)
                .containsExactly(
                        "one/b {b=1} mri 10 in 2",
                        "one {a=0} mri 20 in 4",
                        "two {c=0} jruby 7 in 1");
    }

    @Test
    void aRunnerForJobClassesHasSlotsAndNoQueues() {
        List<CapsulePlan> plans =
                plans(
                        "{runner: jruby, runners: {mri: {processes: 2}}}",
                        capsule("default", 5, "a"));

        assertThat(plans)
                .extracting(CapsulePlansTest::shown)
                .containsExactly("default {a=0} jruby 5 in 1", "runner-mri {} mri 10 in 2");
        assertThat(plans).extracting(CapsulePlan::isForClasses).containsExactly(false, true);
    }

    @Test
    void aQueueCannotHaveTwoRunners() {
        assertThatThrownBy(() ->
                        plans(
                                "{runner: jruby, capsules: {two: {runner: mri}}}",
                                capsule("one", 5, "a", "b"),
                                capsule("two", 5, "b")))
                .isInstanceOf(ConfigFailure.class)
                .hasMessage(
                        "queue \"b\" is mapped to two runners: jruby in capsule \"one\", mri in capsule \"two\"");
    }

    @Test
    void aCapsuleThatTheAppDoesNotHaveIsAnError() {
        assertThatThrownBy(
                        () -> plans("{runner: jruby, capsules: {too: {}}}", capsule("two", 5, "b")))
                .isInstanceOf(ConfigFailure.class)
                .hasMessage("config/mawashi.yml names a capsule \"too\", the app has: two");
    }

    @Test
    void queuesOfOthersAreTold() {
        String file = "{runner: jruby, queues: {a: {}, z: {}}}";

        assertThat(CapsulePlans.strangers(plans(file, capsule("one", 1, "a")), choice(file)))
                .containsExactly("z");
    }
}
