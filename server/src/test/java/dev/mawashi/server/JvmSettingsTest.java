package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.mawashi.config.RunnerKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The JVM of the tests is none of the launcher's, so what the launcher would say is put in here.
final class JvmSettingsTest {
    private static JvmSettings.Found found(
            Map<String, String> environment, String reasons, String name) {
        return new JvmSettings(environment, reasons)
                .read().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void allOfItIsThere() {
        List<JvmSettings.Found> found = new JvmSettings(Map.of(), "").read();
        assertThat(found)
                .extracting(JvmSettings.Found::name)
                .containsExactly(
                        "heap",
                        "heap of new objects",
                        "metaspace",
                        "code cache",
                        "stack of a thread",
                        "direct memory",
                        "collector");
        assertThat(found).allMatch(one -> one.place().equals("the JVM"));
        assertThat(found).noneMatch(one -> one.reason().isEmpty());
        // What Java itself sees leaves out a part for survivors.
        assertThat(found.getFirst().bytes())
                .isCloseTo(Runtime.getRuntime().maxMemory(), withinPercentage(20));
    }

    @Test
    void theLaunchersChoiceHasItsReason() {
        String reasons = "-Xss16m: deep jobs\n-XX:ReservedCodeCacheSize=256m: much code: JRuby\n";

        assertThat(found(Map.of(), reasons, "stack of a thread"))
                .extracting(JvmSettings.Found::place, JvmSettings.Found::reason)
                .containsExactly("the launcher", "deep jobs");
        assertThat(found(Map.of(), reasons, "code cache").reason()).isEqualTo("much code: JRuby");
    }

    @Test
    void anOperatorsFlagsAreNamedByTheirVariable() {
        Map<String, String> given =
                Map.of("MAWASHI_JAVA_OPTS", "-Dx=y -Xss64m", "JDK_JAVA_OPTIONS", "-Xss1m -Xmx1g");

        assertThat(found(given, "-Xss16m: deep\n", "stack of a thread"))
                .extracting(JvmSettings.Found::place, JvmSettings.Found::reason)
                .containsExactly("MAWASHI_JAVA_OPTS", "");
        assertThat(found(given, "", "heap").place()).isEqualTo("JDK_JAVA_OPTIONS");
        Map<String, String> before = Map.of("JDK_JAVA_OPTIONS", "-Xss1m");
        assertThat(found(before, "-Xss16m: deep\n", "stack of a thread").place())
                .isEqualTo("the launcher");
    }

    @Test
    void littleMemoryForJrubyIsSaid() {
        Set<RunnerKind> jruby = Set.of(RunnerKind.JRUBY, RunnerKind.MRI);

        assertThat(JvmSettings.tightness(jruby, 511))
                .isEqualTo(
                        "511 MB of memory is little for JRuby, which takes some 210 beside the"
                                + " app: give it 512 or more, or --runner mri");
        assertThat(JvmSettings.tightness(jruby, 512)).isEmpty();
        assertThat(JvmSettings.tightness(Set.of(RunnerKind.FORK), 128)).isEmpty();
    }

    @Test
    void theLogHasWhatThereIsAndWhatTheHeapMayTake() {
        assertThat(new JvmSettings(Map.of(), "").line())
                .matches("[\\d,]+ MB of memory here: a heap of up to [\\d,]+ MB, collector \\w+");
    }

    @Test
    void aStartCacheThatDoesNotFitIsSaid() {
        List<String> given = List.of("-Xss16m", "-XX:AOTCache=/opt/run.aot");

        assertThat(JvmSettings.misfit(given, "mixed mode"))
                .isEqualTo("; the start cache does not fit: call mawashi prepare again");
        assertThat(JvmSettings.misfit(given, "mixed mode, sharing")).isEmpty();
        assertThat(JvmSettings.misfit(List.of("-Xss16m"), "mixed mode")).isEmpty();
    }
}
