package dev.mawashi.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.fleet.WorkEntry.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a process writes of itself is read as it was written, each field of it.
class FleetFormsTest {
    private static final Instant AT = Instant.ofEpochMilli(1_795_225_700_123L);
    private static final Instant SECOND = Instant.ofEpochSecond(1_795_225_700L);
    private static final String ODD = "a \"b\" \\ \n \u00e9 \ud83d\ude00 {}";

    private static Map<String, String> hash(List<String> fields) {
        Map<String, String> hash = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            hash.put(fields.get(i), fields.get(i + 1));
        }
        return hash;
    }

    @Test
    void theRecord() {
        ProcessInfo info =
                new ProcessInfo(
                        "box",
                        42,
                        Optional.of(AT.minusSeconds(9)),
                        ODD,
                        List.of("high", ODD),
                        List.of("mawashi", ODD),
                        "7.3.9",
                        true,
                        List.of());
        MawashiFigures own =
                new MawashiFigures(
                        List.of(new CapsuleView(ODD, "mri", 10, 4), new CapsuleView("", "", 0, 0)),
                        7,
                        Duration.ofMillis(1_501),
                        Duration.ofMillis(20),
                        List.of(new AlarmView("heap_full", ODD, AT), new AlarmView("", "", AT)));
        ProcessRecord record =
                new ProcessRecord(
                        "box:42:ab", info, 14, 5, Optional.of(AT), 77, true, 2_048, ODD, true, own);

        assertThat(ProcessRecord.of("box:42:ab", hash(record.fields()))).contains(record);
    }

    @Test
    void aRunningJob() {
        for (Place place : List.of(new Place("mri", "", 4_711), new Place("jruby", "t-1", 0))) {
            WorkEntry work =
                    new WorkEntry("1a", ODD, bytes("{\"jid\":1}"), Optional.of(SECOND), place, "");

            assertThat(WorkEntry.of("1a", bytes(work.json())))
                    .usingRecursiveComparison()
                    .isEqualTo(work);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no job", "\"\"", "[1]"})
    void aRunningJobWhosePayloadIsNone(String payload) {
        WorkEntry work =
                new WorkEntry("1", "q", bytes(payload), Optional.of(SECOND), Place.UNKNOWN, "");

        assertThat(WorkEntry.of("1", bytes(work.json())).payload()).isEqualTo(bytes(payload));
    }

    @Test
    void aRunningJobOfResques() {
        WorkEntry work =
                new WorkEntry(
                        "",
                        ODD,
                        bytes("{\"class\":\"A\",\"args\":[\"\u00e9\"]}"),
                        Optional.of(SECOND),
                        Place.UNKNOWN,
                        "run-1");

        assertThat(WorkEntry.ofWorker(bytes(work.workerJson())))
                .usingRecursiveComparison()
                .isEqualTo(work);
    }

    @Test
    void anAnswerAboutChildren() {
        List<ChildView> children =
                List.of(
                        new ChildView(
                                7,
                                2,
                                "a, b",
                                "mri",
                                "busy",
                                1,
                                5,
                                OptionalLong.of(9),
                                Optional.of(AT)),
                        new ChildView(
                                8,
                                0,
                                ODD,
                                "",
                                "idle",
                                0,
                                0,
                                OptionalLong.empty(),
                                Optional.empty()));

        assertThat(ChildView.listOf(ChildView.json(children))).isEqualTo(children);
        assertThat(ChildView.listOf(ChildView.json(List.of()))).isEmpty();
    }

    @Test
    void anAnswerAboutARestart() {
        RestartView failed =
                new RestartView(
                        RestartView.State.FAILED,
                        3,
                        ODD + "\n    at jobs.rb:1",
                        Duration.ofSeconds(9),
                        List.of(
                                new RestartView.Generation(1, 1, 2, Optional.empty()),
                                new RestartView.Generation(
                                        3,
                                        4,
                                        5,
                                        Optional.of(Instant.parse("2026-11-26T14:00:01Z")))));

        assertThat(RestartView.of(failed.json())).isEqualTo(failed);
        assertThat(failed.oldRuns()).isEqualTo(2);
        assertThat(RestartView.of("{}").state()).isEqualTo(RestartView.State.NONE);
    }

    @Test
    void anAnswerAboutAStack() {
        StackView stack =
                new StackView(
                        "1a",
                        "j1",
                        "Report",
                        ODD,
                        Duration.ofMillis(1_501),
                        "jruby",
                        42,
                        "mawashi-slot-1",
                        List.of(ODD, ""),
                        List.of("java"),
                        "Report j2 in mawashi-slot-2");
        assertThat(StackView.of(stack.json())).isEqualTo(stack);
        assertThat(stack.waitsFor())
                .isEqualTo("a lock that another thread holds: Report j2 in mawashi-slot-2");

        StackView ofNoJob =
                new StackView(
                        "1", "", "", "q", Duration.ZERO, "mri", 7, "", List.of(), List.of(), "");
        assertThat(StackView.of(ofNoJob.json())).isEqualTo(ofNoJob);
        assertThat(ofNoJob.json())
                .isEqualTo(
                        "{\"slot\":\"1\",\"jid\":null,\"class\":null,\"queue\":\"q\",\"run_ms\":0,"
                                + "\"runner\":\"mri\",\"pid\":7,\"thread\":null,\"waits_for\":null,"
                                + "\"locked_by\":null,\"ruby\":[],\"java\":[]}");
        assertThat(StackView.listOf(StackView.json(List.of(stack, ofNoJob))))
                .containsExactly(stack, ofNoJob);
    }

    @Test
    void anAnswerAboutTheJvm() {
        JvmView.Usage usage = new JvmView.Usage(1, 2, OptionalLong.of(3));
        JvmView.Usage unlimited = new JvmView.Usage(4, 5, OptionalLong.empty());
        JvmView jvm =
                new JvmView(
                        "25.0.1+8",
                        ODD,
                        Duration.ofMillis(11),
                        12,
                        OptionalDouble.of(0.1234),
                        Duration.ofMillis(13),
                        Duration.ofMillis(14),
                        usage,
                        unlimited,
                        List.of(
                                new JvmView.Pool("Metaspace", false, unlimited),
                                new JvmView.Pool("Eden", true, usage)),
                        List.of(new JvmView.Collector("G1", 15, Duration.ofMillis(16))),
                        List.of(
                                new JvmView.Pause(
                                        Optional.of(AT),
                                        "G1",
                                        "System.gc()",
                                        Duration.ofMillis(17),
                                        18,
                                        19)),
                        new JvmView.Threads(
                                20, 21, 22, 23, Map.of("RUNNABLE", 24L, "TIMED_WAITING", 25L)),
                        new JvmView.Classes(26, 27, 28),
                        JvmView.FLAGS.stream()
                                .collect(Collectors.toMap(name -> name, name -> "of " + name)));

        assertThat(JvmView.of(jvm.json())).isEqualTo(jvm);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
