package dev.mawashi.faults;

/// One fault of the catalogue.
///
/// @param number in the catalogue, such as `F02`
/// @param what happens to the rig, in words
/// @param runner that runs the jobs unless told otherwise
/// @param isForSidekiq whether Sidekiq can be put to it as well
/// @param isQuick whether it is one of those that each check runs
/// @param plan what it does
record Scenario(
        String number,
        String what,
        String runner,
        boolean isForSidekiq,
        boolean isQuick,
        Plan plan) {
    /// Does it, waits until the jobs are done, and says what must be true then.
    @FunctionalInterface
    interface Plan {
        Promise run(Rig rig) throws Exception;
    }

    static Scenario of(String number, String what, Plan plan) {
        return new Scenario(number, what, "jruby", false, false, plan);
    }

    Scenario on(String other) {
        return new Scenario(number, what, other, isForSidekiq, isQuick, plan);
    }

    Scenario forSidekiq() {
        return new Scenario(number, what, runner, true, isQuick, plan);
    }

    Scenario quick() {
        return new Scenario(number, what, runner, isForSidekiq, true, plan);
    }
}
