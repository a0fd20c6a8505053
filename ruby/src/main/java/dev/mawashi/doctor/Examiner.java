package dev.mawashi.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Looks at an app's code and gems. Whatever cannot be read is named, and the rest is looked at.
public final class Examiner {
    /// Prism's results are read as deep as code is nested.
    private static final long STACK_BYTES = 64L << 20;

    private static final int REASONS_MAX = 20;
    private static final Duration FILE_LIMIT = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Path app;
    private final Path start;
    private final @Nullable Path gemfile;
    private final Map<String, String> environment;
    private final Duration fileLimit;
    private final List<String> troubles = new ArrayList<>();

    /// @param app its folder
    /// @param start that folder, or the one file to look at
    /// @param gemfile null where there is none
    public Examiner(Path app, Path start, @Nullable Path gemfile, Map<String, String> environment) {
        this(app, start, gemfile, environment, FILE_LIMIT);
    }

    /// @param fileLimit for the parsing of one file
    Examiner(
            Path app,
            Path start,
            @Nullable Path gemfile,
            Map<String, String> environment,
            Duration fileLimit) {
        this.app = app.toAbsolutePath().normalize();
        this.start = start.toAbsolutePath().normalize();
        this.gemfile = gemfile;
        this.environment = Map.copyOf(environment);
        this.fileLimit = fileLimit;
    }

    /// Takes up to some seconds per ten thousand files.
    public Examination examine() {
        AtomicReference<@Nullable Examination> result = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try (RubyParser parser = new RubyParser(fileLimit)) {
            Thread thread =
                    Thread.ofPlatform()
                            .name("mawashi-doctor-1")
                            .stackSize(STACK_BYTES)
                            .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
                            .start(() -> result.set(look(parser)));
            while (!thread.join(LOOK)) {
                parser.endIfOver();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the app was read", e);
        }
        Examination found = result.get();
        if (found == null) {
            throw new IllegalStateException("cannot read " + app, failure.get());
        }
        return found;
    }

    private Examination look(RubyParser parser) {
        AppSources sources = AppSources.read(app, start, parser);
        List<GemVerdict> gems = gems(parser);
        troubles.addAll(sources.troubles());
        List<RubyType> types =
                sources.files().stream().flatMap(file -> file.types().stream()).toList();
        List<ClassSearch.Found> found = new ClassSearch(types).find();
        Map<String, List<Finding>> findings =
                sources.files().stream()
                        .collect(Collectors.toMap(SourceFile::name, SourceFile::findings));
        return new Examination(
                app,
                sources.files().size(),
                found.stream().map(one -> verdict(one, findings, gems)).toList(),
                gems,
                elsewhere(sources.files(), found),
                troubles);
    }

    private List<GemVerdict> gems(RubyParser parser) {
        if (gemfile == null) {
            troubles.add("there is no Gemfile: gems are not judged");
            return List.of();
        }
        Gemfile.Asked asked = Gemfile.read(gemfile, parser, troubles);
        Path file = gemfile.resolveSibling(gemfile.getFileName() + ".lock");
        Lockfile lock = Lockfile.ofNames(asked.kept());
        if (Files.isRegularFile(file)) {
            lock = Lockfile.read(file);
        } else {
            troubles.add(
                    "there is no "
                            + file
                            + ": only the gems of the Gemfile itself are judged (bundle lock writes"
                            + " it)");
        }
        troubles.addAll(lock.troubles());
        InstalledGems installed = new InstalledGems(app, environment);
        return new GemJudge(SidekiqGems.read(parser), installed).judge(lock, asked.leftOut());
    }

    private static ClassVerdict verdict(
            ClassSearch.Found job, Map<String, List<Finding>> findings, List<GemVerdict> gems) {
        List<String> reasons = new ArrayList<>();
        BestRunner runner = BestRunner.JRUBY;
        List<String> ofMri =
                gems.stream()
                        .filter(gem -> gem.runner() != BestRunner.JRUBY)
                        .map(GemVerdict::name)
                        .toList();
        if (!ofMri.isEmpty()) {
            runner = BestRunner.MRI;
            reasons.add(
                    "the app loads what runs on MRI only (see its gems): "
                            + String.join(", ", ofMri));
        }
        for (String file : job.files()) {
            for (Finding finding : findings.getOrDefault(file, List.of())) {
                runner = runner.or(finding.runner());
                if (finding.runner() != BestRunner.JRUBY) {
                    reasons.add(finding.describe());
                }
            }
        }
        if (reasons.isEmpty()) {
            reasons.add("nothing was found that speaks against it");
        }
        return new ClassVerdict(
                job.name(),
                job.file(),
                job.line(),
                job.queue(),
                job.isResque(),
                runner,
                reasons.stream().limit(REASONS_MAX).toList());
    }

    private static List<Finding> elsewhere(List<SourceFile> files, List<ClassSearch.Found> jobs) {
        Set<String> ofJobs = new HashSet<>();
        jobs.forEach(job -> ofJobs.addAll(job.files()));
        return files.stream()
                .flatMap(file -> file.findings().stream())
                .filter(one ->
                        one.rule() == Rule.SYNTAX
                                || !ofJobs.contains(one.file())
                                || one.runner() == BestRunner.JRUBY)
                .sorted(Comparator.comparing(one -> one.rule() != Rule.SYNTAX))
                .toList();
    }
}
