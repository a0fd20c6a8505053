package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.alarm.Alarm;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The guide and the alert rules know each alarm of the catalogue.
class AlarmTextsTest {
    private static final Pattern SECTION = Pattern.compile("(?ms)^## Alarms$(.*?)^## ");
    private static final Pattern RULE = Pattern.compile("mawashi_alarm\\{alarm=\"(\\w+)\"\\}");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    @Test
    void theGuideListsThem() {
        String guide = Texts.read(Texts.GUIDE.resolve("operate.md"));
        String section = Texts.groups(SECTION, guide).findFirst().orElseThrow();

        assertThat(Texts.quotedInFirstColumn(section))
                .containsExactlyElementsOf(Stream.of(Alarm.values()).map(Alarm::word).toList());
    }

    @Test
    void eachHasAnAlertWithItsWords() {
        String rules = Texts.read(Texts.ROOT.resolve("examples/monitoring/mawashi-alerts.yml"));

        assertThat(Texts.groups(RULE, rules))
                .containsExactlyElementsOf(Stream.of(Alarm.values()).map(Alarm::word).toList());
        for (Alarm alarm : Alarm.values()) {
            assertThat(rules).contains("{{ $labels.instance }}: " + alarm.illness() + "\"");
        }
    }

    @Test
    void eachNamesASectionThatIsThere() {
        for (Alarm alarm : Alarm.values()) {
            String[] place = alarm.page().split("#", 2);
            String page = Texts.read(Texts.GUIDE.resolve(place[0]));
            List<String> headings =
                    Texts.groups(HEADING, page)
                            .map(heading -> heading.toLowerCase().replace(' ', '-'))
                            .toList();
            assertThat(place.length == 1 || headings.contains(place[1])).as(alarm.page()).isTrue();
        }
    }
}
