package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs payloads, good and bad, in a real Ruby.
class RubyRunnerTest {
    private static RubyRuntime ruby;
    private RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(TestRuby.JOBS);
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @BeforeEach
    void openSlot() {
        slot = ruby.runner().openSlot();
    }

    @AfterEach
    void closeSlot() {
        slot.close();
    }

    @Test
    void performGetsTheArgumentsAndTheJid() {
        Outcome outcome =
                run(
                        "{\"class\":\"EchoJob\",\"jid\":\"j1\",\"args\":[1,\"x\",{\"k\":[1.5,null,true]}]}");

        assertThat(outcome).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[\"j1\", [1, \"x\", {\"k\" => [1.5, nil, true]}]]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[1]", "[1,2]", "[1,2,3]", "[1,2,3,4]", "[1,2,3,4,5,6,7,8,9]"})
    void performGetsAnyNumberOfArguments(String args) {
        run("{\"class\":\"EchoJob\",\"args\":" + args + "}");

        assertThat(seen().replace(" ", "")).isEqualTo("[nil," + args + "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"args\":null"})
    void missingAndNullArgsAreNoArguments(String args) {
        assertThat(run("{\"class\":\"EchoJob\"" + args + "}")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[nil, []]");
    }

    @Test
    void aClassMayBeNestedOrBeginWithColons() {
        assertThat(run("{\"class\":\"Nested::DeepJob\",\"args\":[]}")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(run("{\"class\":\"::Nested::DeepJob\"}")).isEqualTo(Outcome.SUCCEEDED);
        seen();
        seen();
    }

    @Test
    void aRunCountsUnderTheWrappedNameAndOtherwiseUnderItsClass() {
        run("{\"class\":\"::Nested::DeepJob\",\"args\":[]}");
        assertThat(slot.jobName()).isEqualTo("::Nested::DeepJob");
        seen();

        String wrapped =
                "{\"wrapped\":\"M\\u00fcll::MailJob\",\"class\":\"Nested::DeepJob\",\"args\":[]}";
        run(wrapped);
        String name = slot.jobName();
        assertThat(name).isEqualTo("M\u00fcll::MailJob");
        run(wrapped);
        assertThat(slot.jobName()).as("made once").isSameAs(name);
        seen();
        seen();

        run("{\"class\":\"EchoJob\",\"wrapped\":null}");
        assertThat(slot.jobName()).isEqualTo("EchoJob");
        seen();
    }

    @Test
    void aRunThatNeverReachedAJobClassCountsUnderNoName() {
        run("{\"class\":\"EchoJob\"}");
        seen();

        run("{\"class\":\"NoSuchJob\",\"wrapped\":\"EchoJob\"}");
        assertThat(slot.jobName()).isNull();

        run("{\"class\":\"EchoJob\"}");
        seen();
        run("no JSON");
        assertThat(slot.jobName()).isNull();
    }

    @Test
    void escapesInTheClassNameAreText() {
        assertThat(run("{\"cl\\u0061ss\":\"Noop\\u004aob\"}")).isEqualTo(Outcome.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "42",
                "\"x\"",
                "[]",
                "{\"class\":\"NoopJob\",\"args\":[1",
                "{\"class\":\"NoopJob\"} x",
                "{\"class\":\"NoopJob\"}{\"class\":\"NoopJob\"}",
                "\ufeff{\"class\":\"NoopJob\"}",
                "{\"class\":\"NoopJob\",\"args\":[NaN]}",
                "{\"class\":\"NoopJob\",\"args\":[-Infinity]}",
                "{\"class\":\"NoopJob\",\"x\":[01]}",
                "{\"class\":\"NoopJob\",\"args\":[\"a\nb\"]}"
            })
    void whatIsNotOneJsonObjectIsMalformed(String payload) {
        assertThat(run(payload)).isInstanceOf(Outcome.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {98, 99, 500, 1_000, 100_000})
    void nestingEndsWhereJsonParseEndsIt(int arrays) {
        Outcome outcome =
                run(
                        "{\"class\":\"NoopJob\",\"args\":"
                                + "[".repeat(arrays)
                                + "]".repeat(arrays)
                                + "}");

        assertThat(outcome instanceof Outcome.Malformed).isEqualTo(arrays + 1 > 100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "class|{\"class\":\"NoopJob\",\"args\":[],\"class\":\"EchoJob\"}",
                "x|{\"class\":\"NoopJob\",\"x\":1,\"x\":1}",
                "x|{\"x\":1,\"class\":\"NoopJob\",\"\\u0078\":1}",
            })
    void aTopLevelKeyThatIsThereTwiceIsMalformed(String key, String payload) {
        Outcome outcome = run(payload);

        assertThat(outcome)
                .isEqualTo(new Outcome.Malformed("the key \"" + key + "\" is there twice"));
    }

    @Test
    void manyTopLevelKeysAreCheckedForDuplicatesToo() {
        StringBuilder fields = new StringBuilder("{\"class\":\"NoopJob\"");
        for (int i = 0; i < 100_000; i++) {
            fields.append(",\"k").append(i).append("\":0");
        }

        assertThat(run(fields + "}")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(run(fields + ",\"k99\":1}")).isInstanceOf(Outcome.Malformed.class);
    }

    @Test
    void aHashWithAMillionKeysArrivesWhole() {
        StringBuilder keys = new StringBuilder("{\"k\":0");
        for (int i = 0; i < 1_000_000; i++) {
            keys.append(",\"k").append(i).append("\":0");
        }

        assertThat(run("{\"class\":\"EchoJob\",\"args\":[" + keys + "}]}"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(ruby.eval("Seen.take.last.first.size").toString()).isEqualTo("1000001");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"class\":null}",
                "{\"class\":7}",
                "{\"class\":\"\"}",
                "{\"class\":[\"NoopJob\"]}"
            })
    void aPayloadThatNamesNoClassFails(String payload) {
        assertThat(failed(payload).errorClass()).isEqualTo("NameError");
        assertThat(failed(payload).message()).contains("names no job class");
    }

    /// As Sidekiq passes them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"abc\" | [\"abc\"]",
                "5 | [5]",
                "false | [false]",
                "{\"a\":1} | [[\"a\", 1]]",
                "{} | []",
            })
    void argsThatAreNoArrayAreSplatted(String args, String passed) {
        assertThat(run("{\"class\":\"EchoJob\",\"args\":" + args + "}"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[nil, " + passed + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "Kernel,is not a job class",
        "File,is not a job class",
        "::Object,is not a job class",
        "NotAJob,is not a job class",
        "Seen,is not a job class",
        "Sidekiq::Job,is not a job class",
        "Java::JavaLang::Runtime,uninitialized constant",
        "java.lang.Runtime,wrong constant name",
        "Foo::../../x,wrong constant name",
        "NoSuchJob,uninitialized constant NoSuchJob",
        "EchoJob::NoopJob,uninitialized constant",
        "TrapJob::Anything,uninitialized constant",
        "EchoJob::Kernel,uninitialized constant",
        "EchoJob::String,uninitialized constant",
        "Nested::EchoJob,uninitialized constant",
        "Seen::LIST::Foo,uninitialized constant",
        "system,wrong constant name",
        "' NoopJob',wrong constant name",
        "NoopJob\\n,wrong constant name",
        "NoopJob\\u0000,wrong constant name",
        "Nо\u043epJob,uninitialized constant",
        "::,wrong constant name",
        "NoopJob::,wrong constant name"
    })
    void onlyJobClassesAreFound(String name, String message) {
        Outcome.Failed failed = failed("{\"class\":\"" + name + "\",\"args\":[]}");

        assertThat(failed.errorClass()).isEqualTo("NameError");
        assertThat(failed.message()).contains(message);
    }

    @Test
    void aClassNameOfTenKilobytesIsRefusedInAShortMessage() {
        Outcome.Failed failed = failed("{\"class\":\"" + "A".repeat(10_000) + "\"}");

        assertThat(failed.message()).startsWith("wrong constant name").hasSizeLessThan(200);
    }

    @Test
    void aClassNameOfInvalidUtf8IsRefused() {
        byte[] payload = "{\"class\":\"NoopJob?\"}".getBytes(UTF_8);
        payload[17] = (byte) 0xff;

        assertThat(slot.run("default", payload)).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void numbersKeepEveryDigit() {
        run(
                "{\"class\":\"EchoJob\",\"args\":[9007199254740993,130775545883395173,1"
                        + "0".repeat(400)
                        + "]}");

        assertThat(ruby.eval("Seen.take.last == [2**53 + 1, 130775545883395173, 10**400]").isTrue())
                .isTrue();
    }

    @Test
    void invalidUtf8ArrivesByteForByte() {
        byte[] payload = "{\"class\":\"EchoJob\",\"args\":[\"a?b\"]}".getBytes(UTF_8);
        payload[payload.length - 5] = (byte) 0xff;
        slot.run("default", payload);

        assertThat(ruby.eval("Seen.take.last.first.bytes == [97, 255, 98]").isTrue()).isTrue();
    }

    @Test
    void otherOrderAndWhiteSpaceMakeNoDifference() {
        assertThat(run(" { \"args\" : [ ] ,\r\n\t\"class\" : \"NoopJob\" } "))
                .isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void theSameBytesCanRunTwice() {
        byte[] payload = "{\"class\":\"EchoJob\",\"args\":[\"a\"]}".getBytes(UTF_8);
        byte[] copy = payload.clone();

        assertThat(slot.run("default", payload)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(slot.run("default", payload)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(payload).isEqualTo(copy);
        assertThat(seen()).isEqualTo(seen());
    }

    @Test
    void privatePerformAndWrongArityFail() {
        assertThat(failed("{\"class\":\"ShyJob\"}").errorClass()).isEqualTo("NoMethodError");
        assertThat(failed("{\"class\":\"OneArgumentJob\"}").message())
                .isEqualTo("wrong number of arguments (given 0, expected 1)");
    }

    private Outcome run(String payload) {
        return slot.run("default", payload.getBytes(UTF_8));
    }

    private Outcome.Failed failed(String payload) {
        return (Outcome.Failed) run(payload);
    }

    private static String seen() {
        return ruby.eval("Seen.take.inspect").asJavaString();
    }
}
