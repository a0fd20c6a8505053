package dev.mawashi.server;

import dev.mawashi.answer.Answers;
import dev.mawashi.answer.JvmFigures;
import dev.mawashi.answer.ThreadDump;
import dev.mawashi.children.ProcessMemory;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.ChildState;
import dev.mawashi.dispatch.Running;
import dev.mawashi.dispatch.Stack;
import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.StackView;
import dev.mawashi.presence.Census;
import dev.mawashi.wire.Payload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The answers of a running server about itself. Of jobs they have class, jid and queue, never the
/// arguments.
final class OwnAnswers implements Answers {
    private static final int LINES_MAX = 500;

    /// A child answers for one job at a time.
    private static final int STACKS_MAX = 5;

    /// No further job is looked at after that: a child under load takes seconds for each, and other
    /// questions wait meanwhile.
    private static final Duration STACKS_PATIENCE = Duration.ofSeconds(2);

    private static final int CHILDREN_MAX = 1_000;

    private final Apps apps;
    private final List<Capsule> capsules;
    private final Census census;
    private final Restarts restarts;
    private final Reload reload;
    private final HeapDumps heaps;
    private final JvmFigures jvm = new JvmFigures();

    /// @param capsules all, those of Sidekiq's jobs first: the hash of running jobs names theirs
    OwnAnswers(
            Apps apps,
            List<Capsule> capsules,
            Census census,
            Restarts restarts,
            Reload reload,
            InstantSource clock) {
        heaps = new HeapDumps(() -> apps.folder().kept("dumps"), clock);
        this.apps = apps;
        this.capsules = List.copyOf(capsules);
        this.census = census;
        this.restarts = restarts;
        this.reload = reload;
    }

    @Override
    public String jvm() {
        return jvm.take().json();
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
                return view(capsule.runner(), found, lockedBy(found)).json();
            }
        }
        throw new Unanswerable(
                "no job runs in slot " + slot + ": it has ended, or its process says nothing");
    }

    @Override
    public String stacks(String jobClass) {
        List<Found> all = new ArrayList<>(running());
        Collections.shuffle(all);
        long end = System.nanoTime() + STACKS_PATIENCE.toNanos();
        return StackView.json(
                all.stream()
                        .filter(found -> found.isOf(jobClass))
                        .limit(STACKS_MAX)
                        .takeWhile(_ -> System.nanoTime() - end < 0)
                        .flatMap(found -> view(found).stream())
                        .toList());
    }

    private List<Found> running() {
        List<Found> all = new ArrayList<>();
        for (Capsule capsule : capsules) {
            for (Running running : capsule.running()) {
                all.add(new Found(capsule, running));
            }
        }
        return all;
    }

    /// A running job, and the capsule that runs it.
    private record Found(Capsule capsule, Running running) {
        /// @param jobClass "" for any
        boolean isOf(String jobClass) {
            return jobClass.isEmpty() || jobClass.equals(jobClass(running));
        }
    }

    private Optional<StackView> view(Found found) {
        return found.capsule()
                .stack(found.running().slot())
                .map(stack -> view(found.capsule().runner(), stack, lockedBy(stack)));
    }

    /// The job that the holder's thread runs, and the thread; the thread where it runs none.
    private String lockedBy(Stack stack) {
        String thread = stack.lockedBy();
        if (thread.isEmpty()) {
            return "";
        }
        return running().stream()
                        .map(Found::running)
                        .filter(one -> one.thread().equals(thread))
                        .map(one -> "%s %s in ".formatted(jobClass(one), jid(one)))
                        .findFirst()
                        .orElse("")
                + thread;
    }

    private static String jid(Running running) {
        Payload payload = Payload.tryParse(running.lease().payload());
        return payload == null ? "" : Objects.requireNonNullElse(payload.text("jid"), "");
    }

    private static String jobClass(Running running) {
        Payload payload = Payload.tryParse(running.lease().payload());
        return payload == null ? "" : Objects.requireNonNullElse(payload.jobClass(), "");
    }

    private static StackView view(String runner, Stack stack, String lockedBy) {
        long nanos = System.nanoTime() - stack.running().startedNanos();
        long pid = stack.running().pid();
        return new StackView(
                stack.running().slot(),
                jid(stack.running()),
                jobClass(stack.running()),
                stack.running().lease().queue(),
                Duration.ofNanos(nanos),
                runner,
                pid == 0 ? ProcessHandle.current().pid() : pid,
                pid == 0 ? stack.running().thread() : "",
                stack.ruby().stream().limit(LINES_MAX).toList(),
                stack.java().stream().limit(LINES_MAX).toList(),
                lockedBy);
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
        return ChildView.json(all.values().stream().limit(CHILDREN_MAX).map(Shown::view).toList());
    }

    @Override
    public String heap(String pid) {
        if (pid.isEmpty()) {
            return heaps.ofJvm();
        }
        ChildState known =
                capsules.stream()
                        .filter(capsule -> capsule.runner().equals(RunnerKind.MRI.word()))
                        .flatMap(capsule -> capsule.children().stream())
                        .filter(child -> Long.toString(child.pid()).equals(pid))
                        .findFirst()
                        .orElseThrow(() ->
                                new Unanswerable(
                                        pid
                                                + " is no child of the runner mri: see mawashi"
                                                + " processes show"));
        return heaps.of(
                apps.child(known.pid())
                        .orElseThrow(() -> new Unanswerable("child " + pid + " has ended")));
    }

    @Override
    public String restart() {
        return restarts.begin().json();
    }

    @Override
    public String reload() {
        return reload.run().json();
    }

    @Override
    public String generations() {
        return restarts.view().json();
    }

    /// A child, with the names of the capsules whose jobs it runs.
    private record Shown(String capsules, String runner, ChildState child) {
        Shown with(Shown more) {
            return new Shown(capsules + ", " + more.capsules, runner, child.with(more.child));
        }

        ChildView view() {
            return new ChildView(
                    child.pid(),
                    child.generation(),
                    capsules,
                    runner,
                    state(child),
                    child.busy(),
                    child.slots(),
                    ProcessMemory.kib(child.pid()),
                    child.startedAt());
        }
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
