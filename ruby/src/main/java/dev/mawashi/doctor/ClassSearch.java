package dev.mawashi.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the job classes among an app's types: those that include Sidekiq's module, inherit from
/// ActiveJob's class, or have Resque's `@queue` and `self.perform`, also by way of other types of
/// the app.
final class ClassSearch {
    private static final Set<String> MARKS =
            Set.of(
                    "Sidekiq::Job",
                    "Sidekiq::Worker",
                    "Sidekiq::IterableJob",
                    "Sidekiq::Job::Iterable",
                    "ActiveJob::Base");

    /// Of Rails apps; a mark where the app does not define it itself.
    private static final String RAILS_BASE = "ApplicationJob";

    private static final Set<String> WORK =
            Set.of("perform", "each_iteration", "build_enumerator", "self.perform");

    private final Map<String, List<RubyType>> types = new HashMap<>();
    private final Set<String> superclasses = new HashSet<>();

    ClassSearch(Collection<RubyType> all) {
        for (RubyType type : all) {
            types.computeIfAbsent(type.name, _ -> new ArrayList<>()).add(type);
        }
        for (RubyType type : all) {
            String parent = resolve(type, type.superclass);
            if (!parent.isEmpty()) {
                superclasses.add(parent);
            }
        }
    }

    /// A job class.
    ///
    /// @param queue as its code names it; null where it does not, or not by a literal
    /// @param files those of it and of the app's types that it is made of
    record Found(
            String name,
            String file,
            int line,
            @Nullable String queue,
            boolean isResque,
            Set<String> files) {}

    /// By name.
    List<Found> find() {
        List<Found> found = new ArrayList<>();
        types.forEach((name, parts) -> {
            Found one = parts.getFirst().isClass ? job(name, parts) : null;
            if (one != null) {
                found.add(one);
            }
        });
        found.sort(Comparator.comparing(Found::name));
        return found;
    }

    private @Nullable Found job(String name, List<RubyType> parts) {
        Map<String, RubyType> line = new LinkedHashMap<>();
        Set<String> foreign = new HashSet<>();
        collect(name, line, foreign);
        Collection<RubyType> all = line.values();
        boolean isMarked =
                foreign.stream().anyMatch(MARKS::contains) || foreign.contains(RAILS_BASE);
        boolean isResque =
                !isMarked
                        && all.stream().anyMatch(type -> type.hasResqueQueue)
                        && all.stream().anyMatch(type -> type.methods.contains("self.perform"));
        boolean isAbstract =
                all.stream().noneMatch(type -> type.methods.stream().anyMatch(WORK::contains))
                        && (superclasses.contains(name) || name.equals(RAILS_BASE));
        if ((!isMarked && !isResque) || isAbstract) {
            return null;
        }
        Set<String> files = new LinkedHashSet<>();
        all.forEach(type -> files.add(type.file));
        RubyType first = parts.getFirst();
        String queue =
                all.stream()
                        .map(type -> type.queue)
                        .filter(one -> one != null)
                        .findFirst()
                        .orElse(null);
        return new Found(name, first.file, first.line, queue, isResque, files);
    }

    /// All of the app that a type is made of, each by its place, and the names that the app does
    /// not define.
    private void collect(String name, Map<String, RubyType> line, Set<String> foreign) {
        for (RubyType type : types.getOrDefault(name, List.of())) {
            if (line.putIfAbsent(type.file + ":" + type.line, type) != null) {
                continue;
            }
            List<String> parents = new ArrayList<>(type.modules);
            parents.add(type.superclass);
            for (String written : parents) {
                String known = resolve(type, written);
                if (known.isEmpty()) {
                    foreign.add(written);
                } else {
                    collect(known, line, foreign);
                }
            }
        }
    }

    /// The app's type that a constant stands for; "" for none.
    private String resolve(RubyType type, String written) {
        if (written.isEmpty() || MARKS.contains(written)) {
            return "";
        }
        return type.candidates(written).stream()
                .filter(name -> types.containsKey(name) && !name.equals(type.name))
                .findFirst()
                .orElse("");
    }
}
