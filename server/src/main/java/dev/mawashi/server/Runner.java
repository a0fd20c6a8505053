package dev.mawashi.server;

/// In which Ruby the app's jobs run.
public sealed interface Runner {

    /// Threads of one embedded JRuby.
    record Jruby() implements Runner {}

    /// Forked MRI processes.
    ///
    /// @param program the Ruby to use, by its path or name
    /// @param processes children of each capsule, 1 to `PROCESSES_MAX`
    record Mri(String program, int processes) implements Runner {
        public static final int PROCESSES_MAX = 1_000;

        public Mri {
            if (processes < 1 || processes > PROCESSES_MAX) {
                throw new IllegalArgumentException(
                        "processes is " + processes + ", must be 1 to " + PROCESSES_MAX);
            }
        }
    }
}
