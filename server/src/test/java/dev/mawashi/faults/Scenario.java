package dev.mawashi.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// One fault of the catalogue.
///
/// @param number in the catalogue, such as `F02`
/// @param what happens to the rig, in words
/// @param runners that it says something about; the first runs the jobs unless told otherwise
/// @param isForSidekiq whether Sidekiq can be put to it as well
/// @param isQuick whether it is one of those that each check runs
/// @param program that it wants beside Redis and Ruby and that a machine may lack, or ""
/// @param plan what it does
record Scenario(
        String number,
        String what,
        List<String> runners,
        boolean isForSidekiq,
        boolean isQuick,
        String program,
        Plan plan) {
    static final List<String> ALL_RUNNERS = List.of("jruby", "mri", "fork");

    /// Does it, waits until the jobs are done, and says what must be true then.
    @FunctionalInterface
    interface Plan {
        Promise run(Rig rig) throws Exception;
    }

    static Scenario of(String number, String what, Plan plan) {
        return new Scenario(number, what, ALL_RUNNERS, false, false, "", plan);
    }

    String runner() {
        return runners.getFirst();
    }

    /// Its own runner is this one.
    Scenario on(String other) {
        List<String> order = new ArrayList<>(List.of(other));
        runners.stream().filter(runner -> !runner.equals(other)).forEach(order::add);
        return new Scenario(number, what, order, isForSidekiq, isQuick, program, plan);
    }

    Scenario only(String... some) {
        return new Scenario(number, what, List.of(some), isForSidekiq, isQuick, program, plan);
    }

    Scenario forSidekiq() {
        return new Scenario(number, what, runners, true, isQuick, program, plan);
    }

    Scenario with(String tool) {
        return new Scenario(number, what, runners, isForSidekiq, isQuick, tool, plan);
    }

    /// Whether this machine has all that it wants.
    boolean isPossible() {
        return program.isEmpty()
                || Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    Scenario quick() {
        return new Scenario(number, what, runners, isForSidekiq, true, program, plan);
    }
}
