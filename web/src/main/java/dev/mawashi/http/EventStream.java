package dev.mawashi.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Events that any number of clients follow, as server-sent events. Safe for any thread.
///
/// No thread waits for a follower: an event is made once, and is written to each as far as its
/// connection takes it. Who reads too slowly misses events and gets the newest, so an event has all
/// figures; who reads nothing is closed.
public final class EventStream {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(15);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "0:0:0:0:0:0:0:1");

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final Runnable onFollower;
    private final Set<StreamFollower> followers = ConcurrentHashMap.newKeySet();
    private volatile byte[] last = COMMENT;
    private volatile boolean isClosed;
    private volatile long sentNanos;

    /// @param all most followers at once
    /// @param each most of one address, save of this machine, where a proxy may stand for many
    /// @param unread how long a follower may leave unread what was sent
    public record Limits(int all, int each, Duration unread) {
        public static final Limits USUAL = new Limits(256, 32, Duration.ofSeconds(30));
    }

    /// @param nanoTime a monotonic clock
    /// @param onFollower called when somebody begins to follow; must not wait
    public EventStream(Limits limits, LongSupplier nanoTime, Runnable onFollower) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.onFollower = onFollower;
        sentNanos = nanoTime.getAsLong();
    }

    /// What a route replies so that its caller follows, beginning with the newest event. Beyond the
    /// limits the caller hears why not, with status 503.
    public CallReply follow() {
        return new Following(this);
    }

    /// How many follow.
    public int count() {
        return followers.size();
    }

    /// Begins to write to a follower, or refuses.
    ///
    /// @return why not; null when it has begun
    synchronized @Nullable Answer begin(Request request, Response response, Callback callback) {
        String address = Request.getRemoteAddr(request);
        if (isClosed) {
            return refusal("the page is being stopped");
        }
        if (followers.size() >= limits.all()) {
            return refusal("all " + limits.all() + " live streams are taken: ask for the page");
        }
        if (!LOOPBACK.contains(address) && ofAddress(address) >= limits.each()) {
            return refusal("your address has its " + limits.each() + " live streams already");
        }
        StreamFollower follower =
                new StreamFollower(request, response, callback, nanoTime, followers::remove);
        followers.add(follower);
        follower.offer(last);
        onFollower.run();
        return null;
    }

    private static Answer refusal(String why) {
        Answer plain = Answer.text(503, why);
        return new Answer(503, plain.contentType(), plain.body(), Map.of("Retry-After", "30"));
    }

    private long ofAddress(String address) {
        return followers.stream().filter(one -> one.address().equals(address)).count();
    }

    /// Sends an event to all who follow.
    ///
    /// @param name of the event, a word
    /// @param data of any number of lines
    public void send(String name, String data) {
        String text = "event: " + name + "\ndata: " + data.replace("\n", "\ndata: ") + "\n\n";
        byte[] event = text.getBytes(StandardCharsets.UTF_8);
        last = event;
        sentNanos = nanoTime.getAsLong();
        followers.forEach(follower -> follower.offer(event));
    }

    /// Closes those who read nothing, and after a long silence writes to the others, and what
    /// stands between, that the stream lives. To be called about every second, by whoever sends.
    public void look() {
        long unreadNanos = limits.unread().toNanos();
        followers.forEach(follower -> follower.closeIfUnread(unreadNanos));
        if (nanoTime.getAsLong() - sentNanos >= SILENCE_MAX.toNanos()) {
            sentNanos = nanoTime.getAsLong();
            followers.forEach(follower -> follower.offerComment(COMMENT));
        }
    }

    /// Ends all streams as whole answers. Nobody follows from then on.
    public synchronized void close() {
        isClosed = true;
        followers.forEach(StreamFollower::end);
    }
}
