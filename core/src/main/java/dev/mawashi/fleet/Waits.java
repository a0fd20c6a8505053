package dev.mawashi.fleet;

import java.util.List;
import java.util.regex.Pattern;

/// Recognises by the innermost of its Ruby calls what a job seems to wait for. Methods of the same
/// name that compute cannot be told apart.
final class Waits {
    /// Whoever holds it follows, or where to look.
    static final String LOCK = "a lock that another thread holds: ";

    /// A library has a few calls of its own above its wait.
    private static final int LIBRARY = 12;

    /// In the order in which they are tried: a pool before the lock or the sleep that it uses.
    private static final List<Kind> KINDS =
            List.of(
                    kind(
                            LIBRARY,
                            "/connection_adapters/abstract/connection_pool(?:/queue)?\\.rb:.*"
                                    + in("wait_poll|internal_poll"),
                            "a connection of ActiveRecord's pool: give the pool in database.yml"
                                    + " one per job that runs at once in a process"),
                    kind(
                            LIBRARY,
                            "/sequel/connection_pool/\\w+\\.rb:.*" + in("wait|sleep|pop"),
                            "a connection of Sequel's pool: raise max_connections"),
                    kind(
                            LIBRARY,
                            "/connection_pool/timed_stack\\.rb:.*" + in("wait|sleep"),
                            "a connection of a ConnectionPool: raise its size"),
                    kind(
                            LIBRARY,
                            "/resolv\\.rb:|" + in("getaddrinfo|getaddress|gethostbyname"),
                            "an answer of DNS: check the resolver, and set an open timeout"),
                    kind(
                            2,
                            in("TCPSocket#initialize|connect|connect_nonblock|connect_internal"),
                            "another host to accept a connection: set an open timeout"),
                    kind(
                            2,
                            in(
                                    "wait_readable|rbuf_fill|readpartial|read_nonblock|sysread|recv"
                                            + "|recvfrom|recv_nonblock"),
                            "bytes of a socket or pipe: set a read timeout"),
                    kind(
                            1,
                            in("read|gets|readline|select"),
                            "bytes of a socket or pipe: set a read timeout"),
                    kind(
                            1,
                            in("write|wait_writable|write_nonblock|syswrite"),
                            "a socket or pipe to take bytes: set a write timeout"),
                    kind(
                            1,
                            in("lock|synchronize|mon_enter|mon_synchronize"),
                            LOCK + "see mawashi processes threads"),
                    kind(1, in("flock"), "a lock on a file"),
                    kind(1, in("pop|push|shift|deq|enq"), "a queue between threads"),
                    kind(2, in("wait|waitpid|join|value|system|`"), "another program or thread"),
                    kind(1, in("sleep"), "the end of its own sleep"));

    /// @param depth how many of the innermost calls may show it
    /// @param call a line of a backtrace
    private record Kind(int depth, Pattern call, String sentence) {
        boolean isOf(List<String> ruby) {
            return ruby.stream().limit(depth).anyMatch(line -> call.matcher(line).find());
        }
    }

    private Waits() {}

    private static Kind kind(int depth, String call, String sentence) {
        return new Kind(depth, Pattern.compile(call), sentence);
    }

    /// A method at the end of a line, as each Ruby writes it: `'block in wait'`, `'Integer#times'`.
    private static String in(String methods) {
        return "in [`'](?:block (?:\\(\\d+ levels\\) )?in )?(?:[\\w:]+[.#])?(?:" + methods + ")'$";
    }

    /// @param ruby the calls, innermost first
    /// @return "" when no wait is known
    static String of(List<String> ruby) {
        return KINDS.stream()
                .filter(kind -> kind.isOf(ruby))
                .findFirst()
                .map(Kind::sentence)
                .orElse("");
    }
}
