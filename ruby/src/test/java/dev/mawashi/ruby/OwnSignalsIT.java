package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.children.Child;
import dev.mawashi.event.Event;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Signals that ask an MRI child for its end: from one of its jobs, and from elsewhere.
final class OwnSignalsIT {
    @TempDir Path folder;

    @Test
    void aChildEndsAfterItsJobsWhenOneOfThemSendsItTerm() {
        assertReplaced("[\"TERM\"]");
    }

    @Test
    void aChildThatAJobQuietsAndThenEndsLosesNoJob() {
        assertReplaced("[\"TSTP\",\"TERM\"]");
    }

    private void assertReplaced(String signals) {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 3).start()) {
            rig.push("n1", "GateJob", "[\"gate\"]");
            rig.push("n2", "GateJob", "[\"gate\"]");
            Eventually.until("both run", () -> rig.told("began").size() == 2);
            Child child = rig.pool().children().iterator().next();
            rig.push("signals", "SignallingJob", signals);
            Eventually.until(
                    "it gets a successor",
                    () -> !rig.capsule().events().of(Event.ChildRecycled.class).isEmpty());
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(2);
            rig.open("gate");
            rig.capsule().awaitEnded(4);
            Eventually.until("it ends", () -> ProcessHandle.of(child.pid()).isEmpty());

            assertThat(rig.capsule().events().of(Event.ChildRecycled.class))
                    .extracting(Event.ChildRecycled::why)
                    .allMatch(why -> why.startsWith("a job has sent it T"))
                    .hasSize(1);
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
            assertThat(ChildrenRig.jids(rig.told("began"))).containsExactly("n1", "n2", "signals");
            assertThat(rig.told("began")).hasSize(3).allMatch(line -> isOf(child, line));
            assertThat(ChildrenRig.jids(rig.told("told")))
                    .containsExactly("after", "n1", "n2", "signals");
            assertThat(rig.told("told"))
                    .hasSize(4)
                    .filteredOn(line -> !isOf(child, line))
                    .singleElement()
                    .asString()
                    .startsWith("after ");
        }
    }

    private static boolean isOf(Child child, String line) {
        return line.endsWith(" " + child.pid());
    }

    @Test
    void aChildGoesOnWhenTheSignalComesFromElsewhere() throws IOException, InterruptedException {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 2).start()) {
            rig.push("before", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            Child child = rig.pool().children().iterator().next();
            for (String signal : new String[] {"-TERM", "-INT", "-TSTP"}) {
                new ProcessBuilder("kill", signal, Long.toString(child.pid())).start().waitFor();
            }
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(2);

            assertThat(rig.told("told")).hasSize(2).allMatch(line -> isOf(child, line));
            assertThat(rig.capsule().events().of(Event.ChildRecycled.class)).isEmpty();
        }
    }
}
