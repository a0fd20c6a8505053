package dev.mawashi.doctor;

import dev.mawashi.wire.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Makes a `config/mawashi.yml` of verdicts. A runner is chosen per queue: the one that isolates
/// most among those of its classes.
final class Advice {
    private static final String DEFAULT_QUEUE = "default";
    private static final int NAMES_SHOWN = 3;

    private final Examination examination;

    Advice(Examination examination) {
        this.examination = examination;
    }

    /// That of most queues; of a tie the one that isolates less.
    BestRunner otherwise() {
        Map<String, BestRunner> queues = queues();
        if (queues.isEmpty()) {
            boolean needsMri =
                    examination.gems().stream().anyMatch(gem -> gem.runner() == BestRunner.MRI);
            return needsMri ? BestRunner.MRI : BestRunner.JRUBY;
        }
        Map<BestRunner, Long> counts =
                queues.values().stream()
                        .collect(
                                Collectors.groupingBy(
                                        runner -> runner, TreeMap::new, Collectors.counting()));
        BestRunner most = BestRunner.JRUBY;
        for (Map.Entry<BestRunner, Long> one : counts.entrySet()) {
            if (one.getValue() > counts.getOrDefault(most, 0L)) {
                most = one.getKey();
            }
        }
        return most;
    }

    private Map<String, BestRunner> queues() {
        Map<String, BestRunner> queues = new TreeMap<>();
        for (ClassVerdict one : examination.classes()) {
            if (!one.isResque()) {
                queues.merge(queue(one), one.runner(), BestRunner::or);
            }
        }
        return queues;
    }

    private static String queue(ClassVerdict one) {
        return one.queue() == null ? DEFAULT_QUEUE : one.queue();
    }

    String yaml() {
        StringBuilder text = new StringBuilder("# config/mawashi.yml, by mawashi doctor\n");
        BestRunner otherwise = otherwise();
        text.append("runner: ").append(otherwise.word()).append('\n');
        Map<String, BestRunner> others = queues();
        others.values().removeIf(runner -> runner == otherwise);
        if (!others.isEmpty()) {
            text.append("queues:\n");
            others.forEach((queue, runner) -> {
                text.append("  # ").append(names(queue, runner)).append('\n');
                text.append("  ").append(Json.quote(queue)).append(":\n");
                text.append("    runner: ").append(runner.word()).append('\n');
            });
        }
        examination.classes().stream()
                .filter(ClassVerdict::isResque)
                .map(ClassVerdict::runner)
                .reduce(BestRunner::or)
                .ifPresent(runner ->
                        text.append("resque:\n  runner: ").append(runner.word()).append('\n'));
        return text.toString();
    }

    /// The classes that decide a queue's runner.
    private String names(String queue, BestRunner runner) {
        List<String> names =
                examination.classes().stream()
                        .filter(one -> !one.isResque() && queue(one).equals(queue))
                        .filter(one -> one.runner() == runner)
                        .map(ClassVerdict::name)
                        .toList();
        String shown = names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
        int more = names.size() - NAMES_SHOWN;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }
}
