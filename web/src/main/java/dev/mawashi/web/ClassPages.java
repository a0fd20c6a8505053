package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.figures.ClassRuns;
import dev.mawashi.figures.ClassTable;
import dev.mawashi.figures.Period;
import dev.mawashi.http.Call;
import dev.mawashi.pages.ClassPage;
import dev.mawashi.pages.ClassesPage;
import dev.mawashi.pages.Shell;
import java.util.List;

/// Pages of classes and their runs. An invalid period or order counts as missing.
final class ClassPages {
    private static final int NAME_MAX = 500;

    private final Desks desks;

    ClassPages(Desks desks) {
        this.desks = desks;
    }

    ClassesPage all(Shell shell, Call call) {
        Period period = period(call);
        String sort = field(call, "sort");
        ClassTable table = desks.read(desk -> desk.metrics().classes(period));
        return new ClassesPage(shell, table, ClassesPage.SORTS.contains(sort) ? sort : "runs");
    }

    ClassPage one(Shell shell, Call call) {
        String name = call.path().getOrDefault("name", "");
        String jobClass = name.length() > NAME_MAX ? name.substring(0, NAME_MAX) : name;
        Period period = period(call);
        ClassRuns runs = desks.read(desk -> desk.metrics().one(jobClass, period));
        return new ClassPage(shell, period, runs);
    }

    private static Period period(Call call) {
        return Period.of(field(call, "period")).orElse(Period.HOUR);
    }

    private static String field(Call call, String name) {
        return call.query().getOrDefault(name, List.of("")).getFirst();
    }
}
