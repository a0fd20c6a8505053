package dev.mawashi.fleet;

/// The result of a question to a process.
public sealed interface Reply {
    /// The process was asked and has answered.
    ///
    /// @param text in the form that the question's kind has
    record Answered(String text) implements Reply {
        @Override
        public String problem() {
            return "";
        }
    }

    /// The process has answered that it does not know.
    ///
    /// @param reason in words
    record Declined(String reason) implements Reply {
        @Override
        public String problem() {
            return reason;
        }
    }

    /// No answer.
    enum Unanswered implements Reply {
        /// It was asked, and has not answered in time.
        LATE("it did not answer in time: it is stopped, very busy, or has just ended"),
        /// No live process has this identity.
        GONE("no live process has this identity"),
        /// It takes no questions.
        MUTE("it takes no questions: it is a process of Sidekiq's, or of an older Mawashi"),
        /// What it would take questions from is no list.
        ODD(
                "the key of its questions is no list: see redis-cli TYPE mw:questions:..., and delete it"),
        /// It has as many questions as may wait.
        MANY("too many questions wait for it: ask again in a minute");

        private final String problem;

        Unanswered(String problem) {
            this.problem = problem;
        }

        @Override
        public String problem() {
            return problem;
        }
    }

    /// Why there is no answer, in words; "" when there is one.
    String problem();
}
