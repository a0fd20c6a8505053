package dev.mawashi.limits;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// The program behind `.ci/limits`. Prints a row for each limit; docs/reliability.md, "At the
/// limits", says what the columns mean.
public final class Main {
    private static final int QUEUES = 10_000;
    private static final int FULL_QUEUES = 100;
    private static final int JOBS_MANY = 20_000;
    private static final int SCHEDULED = 1_000_000;
    private static final int DUE = 10_000;
    private static final int LARGE = 20;
    private static final int MALFORMED = 10_000;
    private static final int FLEET = 10;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("| what | jobs per second | longest script | server's heap |");
        System.out.println("|---|---:|---:|---:|");
        manyQueues();
        manyScheduled();
        largePayloads();
        equalMalformed();
        System.out.println();
        System.out.println("| idle | commands per second |");
        System.out.println("|---|---:|");
        idle(1);
        idle(FLEET);
    }

    private static void manyQueues() throws IOException {
        try (Place place = new Place()) {
            List<String> queues = IntStream.range(0, QUEUES).mapToObj(i -> "q" + i).toList();
            place.serve(queues);
            place.begin();
            for (int i = 0; i < JOBS_MANY; i++) {
                String queue = queues.get(i % FULL_QUEUES * (QUEUES / FULL_QUEUES));
                place.push("LPUSH", queue, place.job(i, 0));
            }
            place.flush();
            row("10,000 queues, 20,000 jobs in 100 of them", JOBS_MANY, place);
        }
    }

    private static void manyScheduled() throws IOException {
        try (Place place = new Place()) {
            for (int i = 0; i < SCHEDULED; i++) {
                place.schedule(i < DUE ? 1 + i : 4_000_000_000L + i, place.job(i, 0));
            }
            place.flush();
            place.begin();
            place.serve(List.of("default"));
            place.begin();
            row("1,000,000 scheduled, 10,000 of them due", DUE, place);
        }
    }

    private static void largePayloads() throws IOException {
        try (Place place = new Place()) {
            for (int i = 0; i < LARGE; i++) {
                place.push("LPUSH", "default", place.job(i, (16 << 20) - 200));
                place.flush();
            }
            place.serve(List.of("default"));
            place.begin();
            row("payloads of 16 MiB", LARGE, place);
        }
    }

    private static void equalMalformed() throws IOException {
        try (Place place = new Place()) {
            place.serve(List.of("default"));
            place.push("LPUSH", "default", place.job(0, 0));
            for (int i = 0; i < MALFORMED; i++) {
                place.push("RPUSH", "default", "oops");
            }
            place.begin();
            place.flush();
            row("10,000 equal malformed payloads before a job", MALFORMED + 1, place);
        }
    }

    private static void row(String what, int jobs, Place place) {
        double seconds = place.awaitDone();
        System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %s | %s |%n",
                what,
                jobs / seconds,
                place.longestScript(),
                place.peakHeap());
        System.out.flush();
    }

    private static void idle(int servers) throws IOException {
        try (Place place = new Place()) {
            for (int i = 0; i < servers; i++) {
                place.serve(List.of("default"));
            }
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f |%n",
                    servers == 1 ? "one server" : servers + " servers",
                    place.commandsPerSecond());
            System.out.flush();
        }
    }
}
