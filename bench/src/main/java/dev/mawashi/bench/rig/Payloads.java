package dev.mawashi.bench.rig;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// The payloads of a benchmark: what a client writes for `perform_async` of one job class, each
/// with its own jid. The n-th is the same bytes in every run and for everybody.
///
/// @param jobClass in the benchmark's app
/// @param jobs how many jobs a payload stands for: itself, and those that it enqueues
/// @param arguments of the n-th, as JSON without the brackets
public record Payloads(String jobClass, int jobs, LongFunction<String> arguments) {
    /// Jobs that do nothing, some 150 bytes each.
    public static final Payloads NOOP = new Payloads("NoopJob", 1, Long::toString);

    /// Jobs that write down when they began; the number makes each jid unique.
    public static final Payloads PROBE = new Payloads("ProbeJob", 1, Long::toString);

    /// Jobs that wait.
    public static final Payloads SLEEP = new Payloads("SleepJob", 1, Long::toString);

    /// Jobs that make objects and wait; each hundredth fails at its first try.
    static final Payloads SOAK = new Payloads("SoakJob", 1, Long::toString);

    /// Jobs of 1 to 20 ms, one in ten of up to 2 s, and one in a thousand of 5 s and more.
    ///
    /// @param longest seconds of a job
    static Payloads rolling(int longest) {
        return new Payloads("RollJob", 1, number -> number + "," + milliseconds(number, longest));
    }

    private static long milliseconds(long number, int longest) {
        // As good as random.
        double place = number * SHA_STEP % SHA_BOUND / (double) SHA_BOUND;
        double within = number * SHA_STEP % ROLL_BOUND / (double) ROLL_BOUND;
        if (place < 0.9) {
            return 1 + Math.round(within * 19);
        }
        return Math.round(place < 0.999 ? within * 2_000 : 5_000 + within * (longest - 5) * 1_000);
    }

    /// The mean seconds of these.
    static double rollingSeconds(int longest) {
        return 0.9 * 0.0105 + 0.099 + 0.001 * (5 + longest) / 2;
    }

    /// Jobs that make some thousand objects.
    public static final Payloads OBJECTS = new Payloads("ObjectsJob", 1, Long::toString);

    /// Jobs that enqueue ten of those that do nothing.
    public static final Payloads FANOUT = new Payloads("FanoutJob", 11, Long::toString);

    /// Jobs that do nothing with a text.
    ///
    /// @param bytes of the text
    public static Payloads text(int bytes) {
        String text = ",\"" + "x".repeat(bytes) + "\"";
        return new Payloads("TextJob", 1, number -> number + text);
    }

    /// The jobs of a comparison of 2012: `[rand(123098)] * 20`, with numbers as good as random.
    public static final Payloads SHA = new Payloads("ShaJob", 1, Payloads::sameTwenty);

    /// Orders of ten items, some 700 bytes each.
    public static final Payloads ORDER = new Payloads("OrderJob", 1, Payloads::order);

    private static final String JID = "],\"jid\":\"b4c0ffee";
    private static final String TIMES =
            "\",\"created_at\":1763696400.1234567,\"enqueued_at\":1763696400.1235123}";
    private static final int ORDER_ITEMS = 10;
    private static final int CUSTOMERS = 1_000;
    private static final int SHA_TIMES = 20;
    private static final int SHA_BOUND = 123_098;
    private static final int ROLL_BOUND = 9_973;
    private static final long SHA_STEP = 48_271;

    private static String sameTwenty(long number) {
        String same = Long.toString(number * SHA_STEP % SHA_BOUND);
        return "[" + String.join(",", Collections.nCopies(SHA_TIMES, same)) + "]";
    }

    private static String order(long number) {
        String items =
                LongStream.range(0, ORDER_ITEMS)
                        .mapToObj(item ->
                                "{\"sku\":\"sku-%s-%s\",\"name\":\"item %s\",\"cents\":%s,\"count\":%s}"
                                        .formatted(
                                                number,
                                                item,
                                                item,
                                                100 + number % 900,
                                                1 + item % 3))
                        .collect(Collectors.joining(","));
        return "{\"order\":%s,\"customer\":%s,\"items\":[%s]}"
                .formatted(number, number % CUSTOMERS, items);
    }

    /// The bytes of each payload.
    int bytes() {
        return payload(1).length;
    }

    /// @param number from 0 on, or a time
    public byte[] payload(long number, JobSource intake) {
        return payload(number, intake, BenchRedis.QUEUE);
    }

    /// The same for another queue.
    public byte[] payload(long number, JobSource intake, String queue) {
        String fields = "\"class\":\"" + jobClass + "\",\"args\":[" + arguments.apply(number);
        String text =
                switch (intake) {
                    // As the client of Sidekiq 6.4 writes it.
                    case SIDEKIQ ->
                            "{\"retry\":true,\"queue\":\""
                                    + queue
                                    + "\","
                                    + fields
                                    + JID
                                    + HexFormat.of().toHexDigits(number)
                                    + TIMES;
                    case RESQUE -> "{" + fields + "]}";
                    case NONE -> throw new IllegalArgumentException("there is no such payload");
                };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// In Sidekiq's form.
    public byte[] payload(long number) {
        return payload(number, JobSource.SIDEKIQ);
    }
}
