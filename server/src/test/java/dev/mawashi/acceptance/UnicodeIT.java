package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/// Queues, tags, labels, classes, arguments, errors, folders and settings in all scripts, in a real
/// process of each runner and on its page.
final class UnicodeIT {
    private static final List<String> NAMES =
            List.of("été", "e\u0301te\u0301", "очередь", "仕事", "🥋", "مهمة", "שלום", "ßẞ", "한국어");

    private static final List<String> CLASSES = List.of("Склад::Задача", "Été", "C仕事", "Ω한");

    private static final Pattern PAGE = Pattern.compile("metrics at (http://[^\\s,]+)");

    private static final String APP =
            """
            require "%s"
            Ledger.note("seen", ENV["MOT"], Dir.pwd[/[^\\/]*\\z/], RUBY_ENGINE, ENV["BYTES"].bytes)
            module Склад; end
            %%w[%s].each do |name|
              Object.class_eval("class #{name}; include Noted; self; end").class_eval do
                sidekiq_options retry: 3
                define_method(:perform) do |*words|
                  noted { raise "не вышло 🥋" if words.last == "raise" }
                  Ledger.note("words", jid, *words)
                end
              end
            end
            """;

    /// In a file, since this JVM may be in a locale that knows none of it.
    private static final String START =
            """
            set -e
            mkdir -p "$PLACE/папка 日本/🥋é/config" "$PLACE/папка 日本/классы"
            cd "$PLACE/папка 日本/🥋é"
            cp "$PLACE/app.rb" "äpp.rb"
            cp "$PLACE/sidekiq.yml" config/
            cp -r "$PLACE/classes/." ../классы
            export MOT="мот é"
            export BYTES=$(printf '\\377')
            exec "$@" %s
            """;

    @TempDir Path folder;

    private Child start(Workplace place, String runner, boolean isByFlags) throws IOException {
        Path app = Path.of("src/test/ruby/acceptance/app.rb").toAbsolutePath();
        Files.writeString(folder.resolve("app.rb"), APP.formatted(app, String.join(" ", CLASSES)));
        String names = String.join(", ", NAMES);
        Files.writeString(
                folder.resolve("sidekiq.yml"),
                (isByFlags ? "" : ":queues: [%s]\n:tag: метка 標\n".formatted(names))
                        + ":labels: [%s]\n".formatted(names));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String flags = runner.equals("java") ? " --java-classpath ../классы" : " -r ./äpp.rb";
        if (runner.equals("java")) {
            JavaIT.compile(Path.of("src/test/jobs"), classes);
        }
        if (isByFlags) {
            flags += " -g 'метка 標' -q " + String.join(" -q ", NAMES);
        }
        Path script = Files.writeString(folder.resolve("start.sh"), START.formatted(flags));
        List<String> command = new ArrayList<>(List.of("run", "--runner", runner, "--web", "0"));
        command.addAll(List.of("-c", "2", "--processes", "1", "--lease", "2", "--sweep", "0.5"));
        if (!runner.equals("mri")) {
            command.removeAll(List.of("--processes", "1"));
        }
        return place.script(folder, script, command.toArray(String[]::new));
    }

    private static String job(String jid, String jobClass, String words) {
        return "{\"class\":\"%s\",\"args\":[%s],\"jid\":\"%s\",\"created_at\":1795225660717}"
                .formatted(jobClass, words, jid);
    }

    @EachOf({"mri,true", "mri,false", "fork,true", "jruby,true", "java,true"})
    void allComesThrough(String runner, boolean isByFlags) throws IOException {
        List<String> classes = runner.equals("java") ? List.of("acceptance.Plain") : CLASSES;
        try (Workplace place = new Workplace(folder);
                Caller caller = new Caller()) {
            Child server = start(place, runner, isByFlags);
            String url = page(server.awaitLog("the page"));
            int jobs = 0;
            for (String queue : NAMES) {
                for (String jobClass : classes) {
                    String words = "\"" + String.join("\",\"", NAMES) + "\"";
                    place.push(queue, List.of(job("j" + jobs++, jobClass, words).getBytes(UTF_8)));
                }
            }
            int all = jobs;
            place.await("all ran", () -> place.ledger().byJid("end").size() == all);

            assertThat(caller.get(url + "/queues").body()).contains(NAMES);
            place.await("it is shown", () -> caller.tells(url + "/processes", 200, "метка 標"));
            assertThat(caller.get(url + "/processes").body()).contains(NAMES);
            if (!runner.equals("java")) {
                seesAll(place, runner);
                fails(place, caller, url);
            }
        }
    }

    private static String page(Child server) {
        Matcher found = PAGE.matcher(server.log());
        assertThat(found.find()).as(server::log).isTrue();
        return found.group(1);
    }

    private static void seesAll(Workplace place, String runner) {
        // On JRuby the environment has come through a JVM, which knows no bytes of it.
        String bytes = runner.equals("jruby") ? "jruby" : "ruby 255";
        assertThat(place.ledger().lines("seen"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.toString()).contains("мот", "🥋é", bytes));
        int all = NAMES.size() * CLASSES.size();
        // Noted after the end.
        place.await("all words", () -> place.ledger().lines("words").size() == all);
        assertThat(place.ledger().lines("words"))
                .allSatisfy(line -> assertThat(line.toString()).contains(NAMES));
    }

    private static void fails(Workplace place, Caller caller, String url) {
        for (String jobClass : CLASSES) {
            String job = job("bad", jobClass, "\"raise\"");
            place.push("очередь", List.of(job.getBytes(UTF_8)));
        }
        place.await("they failed", () -> place.number("ZCARD", "retry") == CLASSES.size());
        assertThat(caller.get(url + "/retries").body()).contains(CLASSES).contains("не вышло 🥋");
    }
}
