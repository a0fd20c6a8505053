package dev.mawashi.acts;

/// Names of queues that jobs are sent to.
final class QueueName {
    private static final int LENGTH_MAX = 200;

    private QueueName() {}

    /// @param field where it is given
    /// @throws Refusal when it is none
    static String of(PostedFields asked, String field) {
        String name = asked.one(field);
        if (name.isEmpty() || name.length() > LENGTH_MAX || name.chars().anyMatch(c -> c < ' ')) {
            throw ActRefusal.wrong(
                    "to which queue? Give its name in the field "
                            + field
                            + ", of at most "
                            + LENGTH_MAX
                            + " characters");
        }
        return name;
    }
}
