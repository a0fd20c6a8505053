package dev.mawashi.pages;

import java.util.ArrayList;
import java.util.List;

/// Lines of a backtrace that stand together: the app's own, or those of gems, which are folded.
///
/// @param first number of the first line, from 1
public record Frames(boolean isOfGems, int first, List<String> lines) {
    public Frames {
        lines = List.copyOf(lines);
    }

    static List<Frames> of(List<String> backtrace) {
        List<Frames> all = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= backtrace.size(); i++) {
            boolean isOfGems = Show.isOfGem(backtrace.get(from));
            if (i == backtrace.size() || Show.isOfGem(backtrace.get(i)) != isOfGems) {
                all.add(new Frames(isOfGems, from + 1, backtrace.subList(from, i)));
                from = i;
            }
        }
        return all;
    }

    /// Such as `12 lines of gems`.
    public String title() {
        return lines.size() == 1 ? "1 line of a gem" : lines.size() + " lines of gems";
    }
}
