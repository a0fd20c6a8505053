package dev.mawashi.cron;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A line of cron's in a time zone: five fields, or six with seconds first, or a word such as
/// `@daily`, and perhaps a zone behind them. It means what the gem fugit makes of it, which the
/// schedules of Ruby apps are written for.
///
/// A local time that a day leaves out, since its clock goes forward, does not come on that day. One
/// that comes twice counts once, unless another time of the line lies between: of `30 2 * * *` the
/// first, of `*/5 * * * *` all.
public final class CronLine {
    private static final Map<String, String> WORDS =
            Map.of(
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *",
                    "@monthly", "0 0 1 * *",
                    "@weekly", "0 0 * * 0",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@noon", "0 12 * * *",
                    "@hourly", "0 * * * *");

    /// Zones of the TZ database that Java has no rules for.
    private static final Map<String, String> SHORT =
            Map.of("EST", "-05:00", "MST", "-07:00", "HST", "-10:00");

    private static final int LENGTH_MAX = 500;
    private static final Pattern OFFSET = Pattern.compile("[-+]\\d\\d:?\\d\\d");
    private static final Pattern ZONE = Pattern.compile("[A-Z][A-Za-z0-9+/_-]*");
    private static final Pattern WEEKDAY =
            Pattern.compile("(?i)(sun|mon|tue|wed|thu|fri|sat)([-/].*)?");

    /// Within so many years each day of the week has been on each day of the year.
    private static final int YEARS_MAX = 45;

    private static final Instant ANY = Instant.parse("2000-01-01T00:00:00Z");

    private final @Nullable BitSet seconds;
    private final @Nullable BitSet minutes;
    private final @Nullable BitSet hours;
    private final CronDays days;
    private final ZoneId zone;
    private final ZoneRules rules;

    private CronLine(List<String> fields, ZoneId zone) {
        int from = fields.size() - 5;
        String second = from == 0 ? "0" : fields.getFirst();
        seconds = CronField.SECOND.numbers(second);
        minutes = CronField.MINUTE.numbers(fields.get(from));
        hours = CronField.HOUR.numbers(fields.get(from + 1));
        days = CronDays.of(fields.get(from + 2), fields.get(from + 3), fields.get(from + 4));
        this.zone = zone;
        rules = zone.getRules();
    }

    /// @param zone of lines that name none
    /// @throws IllegalArgumentException with the reason when it is no such line, or its time never
    ///   comes
    public static CronLine of(String text, ZoneId zone) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("a cron line has at most 500 characters");
        }
        String[] words = text.strip().split("\\s+");
        if (words[0].startsWith("@")) {
            String fields = WORDS.get(words[0]);
            if (fields == null) {
                throw new IllegalArgumentException(
                        '"' + words[0] + "\" is no word of cron's: write @daily or five fields");
            }
            words = (fields + text.strip().substring(words[0].length())).split("\\s+");
        }
        String last = words[words.length - 1];
        boolean hasZone = words.length > 5 && isZone(last);
        int fields = hasZone ? words.length - 1 : words.length;
        if (fields != 5 && fields != 6) {
            throw new IllegalArgumentException(
                    "\"%s\" has %s fields: write minute, hour, day, month and day of the week, and"
                                    .formatted(text, text.isBlank() ? 0 : fields)
                            + " perhaps the second before them");
        }
        CronLine line =
                new CronLine(Arrays.asList(words).subList(0, fields), hasZone ? zone(last) : zone);
        if (line.next(ANY).equals(Instant.MAX)) {
            throw new IllegalArgumentException('"' + text + "\" is never: no day is like that");
        }
        return line;
    }

    /// A name of a zone may be as short as GMT, but none begins as a weekday's does.
    private static boolean isZone(String word) {
        return OFFSET.matcher(word).matches()
                || (ZONE.matcher(word).matches() && !WEEKDAY.matcher(word).matches());
    }

    /// @throws IllegalArgumentException when there is no such zone
    public static ZoneId zone(String name) {
        try {
            return ZoneId.of(name, SHORT);
        } catch (DateTimeException _) {
            throw new IllegalArgumentException(
                    "zone \"" + name + "\" is unknown: write Europe/Berlin, UTC or +02:00");
        }
    }

    /// The line's zone.
    public ZoneId zone() {
        return zone;
    }

    /// The first time after this one; `Instant.MAX` if there is none.
    public Instant next(Instant after) {
        Instant next = anyNext(after);
        while (isRepeat(next)) {
            next = anyNext(next);
        }
        return next;
    }

    /// The next times after a moment, at most so many.
    public List<Instant> next(Instant after, int most) {
        List<Instant> times = new ArrayList<>();
        Instant next = next(after);
        while (times.size() < most && !next.equals(Instant.MAX)) {
            times.add(next);
            next = next(next);
        }
        return times;
    }

    /// The last of its times that is after one moment and not after another.
    public Optional<Instant> last(Instant after, Instant until) {
        Duration back = Duration.ofMinutes(1);
        Instant from = until.minus(back);
        while (from.isAfter(after) && next(from).isAfter(until)) {
            back = back.multipliedBy(8);
            from = until.minus(back);
        }
        Instant last = null;
        Instant next = next(from.isAfter(after) ? from : after);
        while (!next.isAfter(until)) {
            last = next;
            next = next(next);
        }
        return Optional.ofNullable(last);
    }

    /// Whether this local time was an hour or so before, and none of the line's since then.
    private boolean isRepeat(Instant time) {
        if (rules.isFixedOffset() || time.equals(Instant.MAX)) {
            return false;
        }
        ZonedDateTime local = time.atZone(zone);
        List<ZoneOffset> offsets = rules.getValidOffsets(local.toLocalDateTime());
        if (offsets.size() < 2 || local.getOffset().equals(offsets.getFirst())) {
            return false;
        }
        return anyNext(local.withEarlierOffsetAtOverlap().toInstant()).equals(time);
    }

    private Instant anyNext(Instant after) {
        ZonedDateTime time = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).atZone(zone);
        int lastYear = time.getYear() + YEARS_MAX;
        while (time.getYear() <= lastYear) {
            ZonedDateTime later = later(time);
            if (later == null) {
                return time.toInstant();
            }
            time = notPastTransition(time, later);
        }
        return Instant.MAX;
    }

    /// A later moment before which the line has no time; null when this is one of them.
    private @Nullable ZonedDateTime later(ZonedDateTime time) {
        if (!days.isInMonth(time.toLocalDate())) {
            return time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
        }
        if (!days.isOn(time.toLocalDate())) {
            return time.toLocalDate().plusDays(1).atStartOfDay(zone);
        }
        if (hours != null && !hours.get(time.getHour())) {
            return time.plusSeconds(3_600 - time.getMinute() * 60L - time.getSecond());
        }
        int minute = minutes == null ? time.getMinute() : minutes.nextSetBit(time.getMinute());
        if (minute != time.getMinute()) {
            int to = minute < 0 ? 60 : minute;
            return time.plusSeconds((to - time.getMinute()) * 60L - time.getSecond());
        }
        int second = seconds == null ? time.getSecond() : seconds.nextSetBit(time.getSecond());
        if (second == time.getSecond()) {
            return null;
        }
        return time.plusSeconds((second < 0 ? 60 : second) - time.getSecond());
    }

    /// Where the clock is changed, local time goes on from another place.
    private ZonedDateTime notPastTransition(ZonedDateTime time, ZonedDateTime later) {
        if (rules.isFixedOffset()) {
            return later;
        }
        ZoneOffsetTransition change = rules.nextTransition(time.toInstant());
        return change != null && change.getInstant().isBefore(later.toInstant())
                ? change.getInstant().atZone(zone)
                : later;
    }
}
