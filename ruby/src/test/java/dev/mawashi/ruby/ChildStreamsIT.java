package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.children.ChildFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An app that does something to its standard output while an MRI parent loads it.
final class ChildStreamsIT {
    @TempDir Path folder;

    private ChildrenRig rig(String how) throws IOException {
        Files.writeString(folder.resolve("how"), how);
        return ChildrenRig.app(folder, "streams.rb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "replaces it",
                "replaces and closes it",
                "has objects of its own",
                "has objects of its own that flush",
                "reopens it"
            })
    void jobsRun(String how) throws IOException {
        jobRuns(rig(how));
    }

    @ParameterizedTest
    @ValueSource(strings = {"has objects of its own", "has objects of its own at the start"})
    void jobsRunInForks(String how) throws IOException {
        Files.writeString(folder.resolve("how"), how);
        jobRuns(ChildrenRig.appOfForkers(folder, "streams.rb", 1));
    }

    @Test
    void whatTheFirstChildPrintsWhenItStartsIsItsOwn() throws IOException {
        try (ChildrenRig rig = rig("prints at the start").startUp()) {
            rig.push("j", "TellJob", "[]");
            Eventually.until("it ran", () -> rig.told("told").size() == 1);
            Eventually.until("it has said so", () -> rig.printed().contains("starting up"));

            long pid = Long.parseLong(rig.told("told").getFirst().split(" ", 3)[1]);
            assertThat(rig.printer("starting up")).isEqualTo(pid);
        }
    }

    private static void jobRuns(ChildrenRig made) {
        try (ChildrenRig rig = made.start()) {
            rig.push("j", "TellJob", "[]");
            Eventually.until("it ran", () -> rig.told("told").size() == 1);

            assertThat(rig.told("words")).as("ARGV").containsExactly("[]");
        }
    }

    @ParameterizedTest
    @CsvSource({"closes it,output", "closes the errors,error"})
    void withoutAStreamTheServerDoesNotStart(String how, String name) throws IOException {
        try (ChildrenRig rig = rig(how)) {
            assertThatThrownBy(rig::start)
                    .isInstanceOf(ChildFailure.class)
                    .hasMessageStartingWith("the app has closed its standard " + name + " while");
        }
    }
}
