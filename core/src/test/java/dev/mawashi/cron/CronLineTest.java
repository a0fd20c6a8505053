package dev.mawashi.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronLineTest {
    private static final Instant YEAR = Instant.parse("2025-12-31T23:59:59Z");

    /// The rows were written by the real fugit, see the first line of the file.
    @Test
    void timesAreThoseOfFugit() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String row : rows()) {
            String[] parts = row.split(";", -1);
            CronLine line = CronLine.of(parts[0], ZoneId.of(parts[1]));
            Instant time = Instant.ofEpochSecond(Long.parseLong(parts[2]));
            List<String> times = new ArrayList<>();
            for (int i = 0; i < parts[3].split(",", -1).length; i++) {
                time = line.next(time);
                times.add("" + time.getEpochSecond());
            }
            if (!String.join(",", times).equals(parts[3])) {
                wrong.add(row + " but " + String.join(",", times));
            }
        }
        assertThat(wrong).isEmpty();
    }

    /// The TZ database has these names, and Ruby apps use them; Java has no rules for them.
    @ParameterizedTest
    @CsvSource({"EST,17", "MST,19", "HST,22"})
    void zonesOfFixedHoursAreKnownByTheirNames(String zone, int hour) {
        Instant noon = CronLine.of("0 12 * * *", CronLine.zone(zone)).next(YEAR);
        assertThat(noon).isEqualTo(Instant.parse("2026-01-01T%s:00:00Z".formatted(hour)));
    }

    private static List<String> rows() throws IOException {
        try (InputStream text = CronLineTest.class.getResourceAsStream("fugit.txt")) {
            byte[] bytes = Objects.requireNonNull(text).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(row -> !row.startsWith("#"))
                    .toList();
        }
    }

    /// A year: each local time that the zone's clock shows comes once, at its first time.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns",
                "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Casablanca",
                "Asia/Beirut", "America/Havana"
            })
    void aYearHasEachLocalTimeOnceWhereTheClockShowsIt(String name) {
        ZoneId zone = ZoneId.of(name);
        for (int minute = 0; minute < 24 * 60; minute += 30) {
            String text = minute % 60 + " " + minute / 60 + " * * *";
            CronLine line = CronLine.of(text, zone);
            List<Instant> expected = new ArrayList<>();
            LocalDateTime time = LocalDateTime.of(2026, 1, 1, minute / 60, minute % 60);
            for (; time.getYear() == 2026; time = time.plusDays(1)) {
                ZoneRules rules = zone.getRules();
                for (ZoneOffset offset : rules.getValidOffsets(time).stream().limit(1).toList()) {
                    expected.add(time.toInstant(offset));
                }
            }
            List<Instant> found = new ArrayList<>();
            Instant next = line.next(expected.getFirst().minusSeconds(1));
            for (; ZonedDateTime.ofInstant(next, zone).getYear() == 2026; next = line.next(next)) {
                found.add(next);
            }
            assertThat(found).as(text + " in " + name).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns",
                "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Casablanca",
                "Asia/Beirut", "America/Havana"
            })
    void minutesComeAllYearWithoutAGap(String name) {
        CronLine line = CronLine.of("*/15 * * * *", ZoneId.of(name));
        Instant time = YEAR;
        int count = 0;
        while (time.isBefore(YEAR.plus(Duration.ofDays(365)))) {
            Instant next = line.next(time);
            assertThat(Duration.between(time, next)).isLessThanOrEqualTo(Duration.ofMinutes(15));
            time = next;
            count++;
        }
        assertThat(count).isEqualTo(365 * 24 * 4 + 1);
    }

    /// Looks as a server does that is away now and then, for seconds or for days.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns",
                "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Casablanca",
                "Asia/Beirut", "America/Havana"
            })
    void aYearOfLooksAtAnyMomentsFindsEachTimeOnce(String name) {
        Random random = new Random(name.hashCode());
        for (String text : List.of("30 2 * * *", "*/20 0-3 * * *", "15 1 * * sun", "59 23 l * *")) {
            CronLine line = CronLine.of(text, ZoneId.of(name));
            List<Instant> expected = new ArrayList<>();
            Instant end = YEAR.plus(Duration.ofDays(365));
            Instant time = line.next(YEAR);
            for (; !time.isAfter(end); time = line.next(time)) {
                expected.add(time);
            }
            List<Instant> found = new ArrayList<>();
            Instant decided = YEAR;
            Instant now = YEAR;
            while (now.isBefore(end)) {
                int most = 1 << random.nextInt(20);
                Instant later = now.plusSeconds(1 + random.nextInt(most));
                now = later.isBefore(end) ? later : end;
                Instant last = line.last(decided, now).orElse(decided);
                for (time = line.next(decided); !time.isAfter(now); time = line.next(time)) {
                    found.add(time);
                    decided = time;
                }
                assertThat(last).isEqualTo(decided);
            }
            assertThat(found).as(text + " in " + name).isEqualTo(expected);
        }
    }

    @Test
    void theLastTimeIsFoundOverAnyGap() {
        CronLine line = CronLine.of("0 3 * * *", ZoneOffset.UTC);
        assertThat(line.last(Instant.EPOCH, YEAR)).contains(Instant.parse("2025-12-31T03:00:00Z"));
        assertThat(line.last(Instant.parse("2025-12-31T03:00:00Z"), YEAR)).isEmpty();
        assertThat(CronLine.of("* * * * * *", ZoneOffset.UTC).last(Instant.EPOCH, YEAR))
                .contains(YEAR);
        assertThat(line.last(Instant.EPOCH, Instant.parse("2025-12-31T03:00:00Z")))
                .contains(Instant.parse("2025-12-31T03:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';has 0 fields",
                "* * * *;has 4 fields",
                "* * * * * * *;has 7 fields",
                "61 * * * *;minute \"61\" is out of range: 0 to 59",
                "* 25 * * *;hour \"25\" is out of range: 0 to 24",
                "* * 0 * *;day of month \"0\" is out of range",
                "* * * 13 *;month \"13\" is out of range",
                "* * * * 8;day of week \"8\" is out of range: 0 to 7",
                "* * * * mon#6;day of week \"mon#6\" is no number, range or list",
                "* * * * mon%0;divides by 0",
                "*/0 * * * *;minute \"*/0\" has a step of 0",
                "~ * * * *;is a random number",
                "x * * * *;minute \"x\" is no number",
                ",,, * * * *;minute \",,,\" names none",
                "@often;is no word of cron's",
                "0 0 31 2 *;no month of 2 has a day 31",
                "0 0 30-31 feb *;no month of feb has a day 30-31",
                "0 0 31 4,6 mon&;no month of 4,6 has a day 31",
                "0 0 1 * mon#5&;is never",
                "0 0 * * * Europe/Berlon;zone \"Europe/Berlon\" is unknown",
                "0 0 * * * +99:00;zone \"+99:00\" is unknown",
            })
    void whatIsNoLineIsRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> CronLine.of(text, ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
