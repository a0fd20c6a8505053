package dev.mawashi.server;

import dev.mawashi.answer.Answers;
import dev.mawashi.answer.JvmFigures;
import dev.mawashi.answer.ThreadDump;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.ChildState;
import dev.mawashi.dispatch.Stack;
import dev.mawashi.presence.Census;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The answers of a running server about itself. Of jobs they have class, jid and queue, never the
/// arguments.
final class OwnAnswers implements Answers {
    private static final int LINES_MAX = 500;
    private static final int CHILDREN_MAX = 1_000;

    private final Apps apps;
    private final List<Capsule> capsules;
    private final Census census;
    private final JvmFigures jvm = new JvmFigures();

    /// @param capsules all, those of Sidekiq's jobs first: the hash of running jobs names theirs
    OwnAnswers(Apps apps, List<Capsule> capsules, Census census) {
        this.apps = apps;
        this.capsules = List.copyOf(capsules);
        this.census = census;
    }

    @Override
    public String jvm() {
        return jvm.json();
    }

    @Override
    public String threads() {
        List<String> parts = new ArrayList<>();
        parts.add("Running jobs\n");
        parts.addAll(census.describeWork());
        parts.add("\nRuby, and the slots of jobs in Java\n");
        parts.addAll(apps.stacks());
        parts.add("\nThreads of the server's own process, but virtual ones\n");
        parts.add(ThreadDump.ofPlatformThreads());
        return ThreadDump.cut(parts);
    }

    @Override
    public String stack(String slot) {
        for (Capsule capsule : capsules) {
            Stack found = capsule.stack(slot).orElse(null);
            if (found != null) {
                return json(capsule.runner(), found);
            }
        }
        throw new Unanswerable(
                "no job runs in slot " + slot + ": it has ended, or its process says nothing");
    }

    private static String json(String runner, Stack stack) {
        Payload payload = Payload.tryParse(stack.running().lease().payload());
        long pid = stack.running().pid();
        return String.format(
                Locale.ROOT,
                "{\"slot\":%s,\"jid\":%s,\"class\":%s,\"queue\":%s,\"run_ms\":%d,\"runner\":%s,"
                        + "\"pid\":%d,\"thread\":%s,\"ruby\":%s,\"java\":%s}",
                Json.quote(stack.running().slot()),
                text(payload == null ? null : payload.text("jid")),
                text(payload == null ? null : payload.jobClass()),
                Json.quote(stack.running().lease().queue()),
                (System.nanoTime() - stack.running().startedNanos()) / 1_000_000,
                Json.quote(runner),
                pid == 0 ? ProcessHandle.current().pid() : pid,
                pid == 0 ? Json.quote(stack.running().thread()) : "null",
                lines(stack.ruby()),
                lines(stack.java()));
    }

    private static String text(@Nullable String text) {
        return text == null ? "null" : Json.quote(text);
    }

    private static String lines(List<String> lines) {
        return lines.stream()
                .limit(LINES_MAX)
                .map(Json::quote)
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Override
    public String children() {
        Map<Long, Shown> all = new LinkedHashMap<>();
        for (Capsule capsule : capsules) {
            for (ChildState child : capsule.children()) {
                String name = capsule.settings().name();
                Shown one = new Shown(name, capsule.runner(), child);
                all.merge(child.pid(), one, Shown::with);
            }
        }
        return all.values().stream()
                .limit(CHILDREN_MAX)
                .map(OwnAnswers::json)
                .collect(Collectors.joining(",", "[", "]"));
    }

    /// A child, with the names of the capsules whose jobs it runs.
    private record Shown(String capsules, String runner, ChildState child) {
        Shown with(Shown more) {
            return new Shown(capsules + ", " + more.capsules, runner, child.with(more.child));
        }
    }

    private static String json(Shown shown) {
        ChildState child = shown.child();
        return String.format(
                Locale.ROOT,
                "{\"pid\":%d,\"capsule\":%s,\"runner\":%s,\"state\":%s,\"busy\":%d,\"slots\":%d,"
                        + "\"memory_kib\":%s,\"started_at\":%s}",
                child.pid(),
                Json.quote(shown.capsules()),
                Json.quote(shown.runner()),
                Json.quote(state(child)),
                child.busy(),
                child.slots(),
                child.kib().isPresent() ? "" + child.kib().getAsLong() : "null",
                child.startedAt().map(at -> Json.quote(at.toString())).orElse("null"));
    }

    private static String state(ChildState child) {
        if (child.isStopped()) {
            return "stopped";
        }
        if (child.isLeaving()) {
            return "leaving";
        }
        return child.busy() > 0 ? "busy" : "idle";
    }
}
