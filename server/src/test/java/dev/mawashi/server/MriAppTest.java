package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.RubySettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MriAppTest {
    @ParameterizedTest
    @CsvSource({"1,8,1", "2,2,2", "2,1,1", "4,2,2", "4,8,4", "6,4,3", "7,4,1", "8,6,4", "9,4,3"})
    void forkersAreAsManyAsCoresAndShareThePlacesEqually(int atOnce, int cores, int forkers) {
        assertThat(MriApp.forkers(atOnce, cores)).isEqualTo(forkers);
    }

    @Test
    void childrenAreToldOfFlagsForTheLogger() {
        AppFlags flags =
                new AppFlags(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        new LinkedHashMap<>(),
                        true,
                        true,
                        List.of(),
                        false,
                        false);
        assertThat(given(flags))
                .containsExactlyInAnyOrder(Map.entry("verbose", "1"), Map.entry("log_json", "1"));
        assertThat(given(AppFlags.require("a.rb"))).containsExactly(Map.entry("require", "a.rb"));
    }

    private static List<Map.Entry<String, String>> given(AppFlags flags) {
        return MriApp.given(new RubySettings(flags, Map.of(), null, _ -> {}, _ -> List.of()));
    }
}
