package dev.mawashi.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Fuzz;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that somebody gives as `config/mawashi.yml`: each is read, or refused with a line.
class ConfigFuzzTest {
    private static final String[] WORDS = {
        "runner",
        "mri",
        "jruby",
        "fork",
        "java",
        "processes",
        "concurrency",
        "queues",
        "capsules",
        "runners",
        "resque",
        "namespace",
        "time_limits",
        "time_limit",
        "memory_limit",
        "threads",
        "virtual",
        "recycle_jobs",
        "recycle_hours",
        "default",
        "1",
        "0",
        "-1",
        "1e9",
        "0x10",
        "~",
        ".nan",
        ": ",
        ":\n  ",
        ":\n    ",
        "\n",
        "\n- ",
        ", ",
        "[",
        "]",
        "{",
        "}",
        "&a ",
        "*a",
        "!x ",
        "!!java.lang.Runtime ",
        "|",
        ">",
        "'",
        "\"",
        "#",
        "---\n",
        "\t",
        "%YAML 9\n",
        "? ",
        "<<: *a",
        "\u0000",
        "\ufeff",
        "\u2028",
        "\ud83d\ude00",
        "\\x",
        "\\u",
    };

    @TempDir Path folder;

    @Test
    void anyTextIsReadOrRefusedWithALine() {
        Fuzz.run("configuration", ConfigFuzzTest::parse);
    }

    private static void parse(Random random) {
        StringBuilder text = new StringBuilder();
        for (int words = random.nextInt(30); words > 0; words--) {
            text.append(WORDS[random.nextInt(WORDS.length)]);
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        if (random.nextInt(4) == 0) {
            bytes = Fuzz.mutated(bytes, random);
        }
        try {
            MawashiFile.parse(new String(bytes, UTF_8), "mawashi.yml");
        } catch (ConfigFailure refused) {
            assertThat(refused.getMessage()).startsWith("mawashi.yml");
        }
    }

    /// Deep nesting; aliases that mean a billion values; a type of Java's; a tab.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DEEP",
                "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nqueues: *c\n",
                "runner: !!javax.script.ScriptEngineManager [x]\n",
                "queues:\n\tdefault: {}\n",
                "runner: <%= `id` %>\n",
                "concurrency: ten\n",
                "runner: \"\\x",
                "runner: \"\\u\"\n",
                "- runner\n",
            })
    void whatCannotBeMeantIsOneLine(String text) {
        String given = text.equals("DEEP") ? "[".repeat(100_000) : text;
        assertThatThrownBy(() -> MawashiFile.parse(given, "mawashi.yml"))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageStartingWith("mawashi.yml")
                .extracting(failure -> String.valueOf(failure.getMessage()).lines().count())
                .isEqualTo(1L);
    }

    @Test
    void anEmptyFileOneWithABomAndOneWithCrlfAreRead() {
        assertThat(MawashiFile.parse("", "mawashi.yml")).isEqualTo(RunnerChoice.NONE);
        assertThat(MawashiFile.parse("\ufeffrunner: mri\r\n", "f").all().runner())
                .isEqualTo(RunnerKind.MRI);
    }

    @Test
    void aHugeFileAndOneThatIsNoUtf8AreRefusedUnread() throws IOException {
        Path huge = folder.resolve("huge.yml");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(1L << 32);
        }
        assertThatThrownBy(() -> MawashiFile.read(huge))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("is 4,294,967,296 bytes, at most 1,048,576");
        Path wide =
                Files.write(
                        folder.resolve("wide.yml"),
                        "runner: mri".getBytes(StandardCharsets.UTF_16));
        assertThatThrownBy(() -> MawashiFile.read(wide))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("it is not UTF-8");
    }
}
