package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// An app that has loaded net/http. What its `start` does then is `http_start_test.rb`'s matter.
class HttpStartTest {
    @Test
    void theStartOfABootedAppListsNoMethods() {
        try (RubyRuntime ruby = TestRuby.boot("src/test/ruby/apps/http.rb")) {
            String timeout =
                    ruby.eval("Unlisted.start('host', 80, read_timeout: 7).read_timeout")
                            .toString();

            assertThat(timeout).isEqualTo("7");
        }
    }
}
