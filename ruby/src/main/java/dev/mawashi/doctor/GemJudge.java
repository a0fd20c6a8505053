package dev.mawashi.doctor;

import dev.mawashi.doctor.KnownGems.Known;
import dev.mawashi.doctor.Lockfile.LockedGem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Judges the gems of a `Gemfile.lock`: what the tables say, what the installed gem has, and what
/// the lock itself names.
final class GemJudge {
    private static final String ADD_PLATFORM = "bundle lock --add-platform java";

    private final Map<String, List<Known>> known = KnownGems.read();
    private final Map<String, SidekiqGems.Known> sidekiq;
    private final InstalledGems installed;

    GemJudge(Map<String, SidekiqGems.Known> sidekiq, InstalledGems installed) {
        this.sidekiq = sidekiq;
        this.installed = installed;
    }

    /// By name.
    List<GemVerdict> judge(Lockfile lock, Set<String> leftOut) {
        List<GemVerdict> verdicts = new ArrayList<>();
        for (LockedGem gem : lock.needed(leftOut).values()) {
            verdicts.add(judge(gem));
        }
        return verdicts;
    }

    private GemVerdict judge(LockedGem gem) {
        SidekiqGems.Known ofSidekiq = sidekiq.get(gem.name());
        if (ofSidekiq != null) {
            return new GemVerdict(
                    gem.name(),
                    gem.version(),
                    BestRunner.JRUBY,
                    ofSidekiq.isRefused(),
                    !ofSidekiq.works().equals("yes"),
                    ofSidekiq.text(),
                    "docs/guide/differences.md");
        }
        Known entry = entry(gem);
        if (entry == null) {
            return unknown(gem);
        }
        return ofTable(gem, entry);
    }

    private static GemVerdict ofTable(LockedGem gem, Known entry) {
        boolean isLocked = gem.platforms().contains("java");
        return switch (entry.fit()) {
            case NO -> {
                String reason = "runs on MRI only; instead: " + entry.remedy();
                yield verdict(gem, BestRunner.MRI, true, reason, entry);
            }
            case JAVA -> {
                String reason = isLocked ? "" : "has a gem for JRuby: " + ADD_PLATFORM;
                yield verdict(gem, BestRunner.JRUBY, !isLocked, text(reason, entry), entry);
            }
            case OWN -> {
                String reason = text("JRuby has its own", entry);
                yield verdict(gem, BestRunner.JRUBY, false, reason, entry);
            }
            case WORKS -> {
                boolean isNoted = !entry.remedy().isEmpty();
                yield verdict(gem, BestRunner.JRUBY, isNoted, entry.remedy(), entry);
            }
        };
    }

    private static String text(String reason, Known entry) {
        return reason.isEmpty() || entry.remedy().isEmpty()
                ? reason + entry.remedy()
                : reason + "; " + entry.remedy();
    }

    private @Nullable Known entry(LockedGem gem) {
        return known.getOrDefault(gem.name(), List.of()).stream()
                .filter(one -> one.holdsFor(gem.version()))
                .findFirst()
                .orElse(null);
    }

    private static GemVerdict verdict(
            LockedGem gem, BestRunner runner, boolean isNoted, String reason, Known entry) {
        return new GemVerdict(
                gem.name(), gem.version(), runner, false, isNoted, reason, entry.source());
    }

    private GemVerdict unknown(LockedGem gem) {
        String origin =
                switch (gem.origin()) {
                    case "GIT" -> "comes from git: what it holds is not known";
                    case "PATH" -> "comes from a folder: what it holds is not known";
                    default -> "";
                };
        boolean isNative = !gem.platforms().contains("ruby") && !gem.platforms().contains("java");
        if (isNative || installed.hasExtension(gem.name(), gem.version())) {
            String why = isNative ? "its platforms are " + String.join(", ", gem.platforms()) : "";
            String reason =
                    why.isEmpty()
                            ? "has a C extension where it is installed, and no entry in our table:"
                                    + " run its tests with mawashi jruby"
                            : why + ", none of them java: run its tests with mawashi jruby";
            return new GemVerdict(
                    gem.name(),
                    gem.version(),
                    BestRunner.MRI,
                    false,
                    true,
                    reason,
                    installed.place());
        }
        return new GemVerdict(
                gem.name(), gem.version(), BestRunner.JRUBY, false, !origin.isEmpty(), origin, "");
    }
}
