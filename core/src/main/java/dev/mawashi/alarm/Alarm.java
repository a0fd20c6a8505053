package dev.mawashi.alarm;

/// The catalogue of alarms. Each names an illness in the words of the guide, and the page with its
/// remedy; the bounds stand in the rules.
public enum Alarm {
    HEAP_FULL("heap_full", "the heap is nearly full after collections", "tuning.md#memory"),
    GC_BUSY("gc_busy", "garbage collection takes the time of jobs", "tuning.md#memory"),
    CODE_CACHE_FULL(
            "code_cache_full",
            "the code cache is nearly full, and then Java compiles no more",
            "tuning.md#memory"),
    THREADS_GROW("threads_grow", "threads are started and do not end", "operate.md#alarms"),
    DEADLOCK(
            "deadlock", "threads wait for each other's locks and never go on", "operate.md#alarms"),
    CHILDREN_DIE("children_die", "child processes die", "runners.md#when-a-child-dies"),
    CHILDREN_GROW("children_grow", "the memory of children grows", "limits.md"),
    SUSPECTS(
            "suspects",
            "jobs were in hand when processes died, and run alone",
            "operate.md#leases-and-recovery"),
    SETTLED_LATE(
            "settled_late",
            "jobs ran twice: others recovered them before they ended",
            "operate.md#leases-and-recovery"),
    QUEUE_GROWS("queue_grows", "a queue grows", "tuning.md#by-symptom"),
    DEAD_SET_FULL(
            "dead_set_full",
            "the dead set is nearly full, and then its oldest jobs leave it",
            "operate.md#alarms"),
    REDIS_SLOW("redis_slow", "Redis is slow", "operate.md#alarms"),
    CERTIFICATE_LAPSES(
            "certificate_lapses", "the certificate of Redis lapses", "operate.md#alarms");

    private final String word;
    private final String illness;
    private final String page;

    Alarm(String word, String illness, String page) {
        this.word = word;
        this.illness = illness;
        this.page = page;
    }

    /// Its name in logs, records and figures, such as `heap_full`.
    public String word() {
        return word;
    }

    /// The illness, as the guide has it.
    public String illness() {
        return illness;
    }

    /// The page with the remedy, in `docs/guide`.
    public String page() {
        return page;
    }

    /// One sentence for people.
    ///
    /// @param figure what was measured
    String sentence(String figure) {
        return illness + ": " + figure + "; see docs/guide/" + page;
    }
}
