package dev.mawashi.cron;

import java.time.LocalDate;
import java.time.Month;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The days of a cron line: months, days of the month and days of the week.
///
/// Where days of the month and of the week are both given a day need be only one of them, as
/// crontab has it; with `&` behind one of the two it must be both.
///
/// @param months null for all
/// @param monthdays null for all; -1, the last, is at `FROM_END` - 1
/// @param weekdays null for all
record CronDays(
        @Nullable BitSet months,
        @Nullable BitSet monthdays,
        @Nullable List<Weekday> weekdays,
        boolean isBoth) {
    static final int FROM_END = 64;

    /// A Monday, on which fugit's weeks begin to be counted, from 0 on.
    private static final LocalDate FIRST_WEEK = LocalDate.of(2018, 12, 31);

    /// `mon#2`, `fri#L`, `mon#-2`, `mon%2`, `mon%3+1`.
    private static final Pattern SPECIAL =
            Pattern.compile("([a-z]+|\\d)(?:#(-?[1-5]|l|last)|%(\\d{1,4})(?:\\+(\\d{1,4}))?)");

    /// A day of the week, 0 is Sunday.
    ///
    /// @param nth which of the month's, from its end below 0; 0 for any
    /// @param weeks in every so many weeks; 0 for any
    /// @param rest of the week's number divided by `weeks`
    record Weekday(int day, int nth, int weeks, int rest) {
        boolean isOn(LocalDate date) {
            if (date.getDayOfWeek().getValue() % 7 != day) {
                return false;
            }
            if (nth != 0) {
                int left = date.lengthOfMonth() - date.getDayOfMonth();
                return nth > 0 ? (date.getDayOfMonth() + 6) / 7 == nth : left / 7 + 1 == -nth;
            }
            long week = Math.floorDiv(ChronoUnit.DAYS.between(FIRST_WEEK, date), 7L);
            return weeks == 0 || Math.floorMod(week, weeks) == rest;
        }
    }

    /// @throws IllegalArgumentException with the reason
    static CronDays of(String days, String months, String weekdays) {
        boolean isBoth = days.endsWith("&") || weekdays.endsWith("&");
        BitSet chosenMonths = CronField.MONTH.numbers(months);
        BitSet chosenDays = CronField.DAY.numbers(bare(days));
        if (chosenDays != null && chosenMonths != null) {
            chosenMonths = having(chosenDays, chosenMonths);
            if (chosenMonths.isEmpty()) {
                throw new IllegalArgumentException("no month of " + months + " has a day " + days);
            }
        }
        return new CronDays(chosenMonths, chosenDays, weekdays(bare(weekdays)), isBoth);
    }

    private static String bare(String text) {
        return text.endsWith("&") ? text.substring(0, text.length() - 1) : text;
    }

    /// The chosen months that have one of these days, in some years. The others have no days of the
    /// week either.
    private static BitSet having(BitSet days, BitSet chosen) {
        BitSet months = new BitSet();
        for (Month month : Month.values()) {
            int first = days.nextSetBit(0);
            boolean hasOne = first <= month.maxLength() || days.nextSetBit(FROM_END - 31) >= 0;
            if (hasOne && chosen.get(month.getValue())) {
                months.set(month.getValue());
            }
        }
        return months;
    }

    private static @Nullable List<Weekday> weekdays(String text) {
        List<Weekday> weekdays = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        for (String part : CronField.WEEKDAY.parts(text)) {
            Matcher special = SPECIAL.matcher(part);
            if (special.matches()) {
                weekdays.add(special(special, part));
            } else {
                plain.append(part).append(',');
            }
        }
        if (plain.isEmpty()) {
            return weekdays;
        }
        BitSet days = CronField.WEEKDAY.numbers(plain.toString());
        if (days == null) {
            return null;
        }
        days.stream().forEach(day -> weekdays.add(new Weekday(day, 0, 0, 0)));
        return weekdays;
    }

    private static Weekday special(Matcher special, String part) {
        int day = CronField.WEEKDAY.number(special.group(1), part) % 7;
        String nth = special.group(2);
        if (nth != null) {
            return new Weekday(day, nth.startsWith("l") ? -1 : Integer.parseInt(nth), 0, 0);
        }
        int weeks = Integer.parseInt(special.group(3));
        if (weeks == 0) {
            throw CronField.WEEKDAY.wrong(part, "divides by 0");
        }
        int plus = special.group(4) == null ? 0 : Integer.parseInt(special.group(4));
        return new Weekday(day, 0, weeks, plus % weeks);
    }

    boolean isInMonth(LocalDate date) {
        return months == null || months.get(date.getMonthValue());
    }

    boolean isOn(LocalDate date) {
        if (monthdays != null && weekdays != null && !isBoth) {
            return isMonthday(monthdays, date) || isWeekday(weekdays, date);
        }
        return (monthdays == null || isMonthday(monthdays, date))
                && (weekdays == null || isWeekday(weekdays, date));
    }

    private static boolean isMonthday(BitSet days, LocalDate date) {
        int fromEnd = date.getDayOfMonth() - date.lengthOfMonth() - 1 + FROM_END;
        return days.get(date.getDayOfMonth()) || days.get(fromEnd);
    }

    private static boolean isWeekday(List<Weekday> days, LocalDate date) {
        for (Weekday day : days) {
            if (day.isOn(date)) {
                return true;
            }
        }
        return false;
    }
}
