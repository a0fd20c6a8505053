package dev.mawashi.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// What a simulation has done so far, told with a failure.
final class Story implements Supplier<String> {
    private static final int STEPS_TOLD = 40;

    private final String name;
    private final List<String> steps = new ArrayList<>();

    Story(String name) {
        this.name = name;
    }

    void add(String step) {
        steps.add(step);
    }

    @Override
    public String get() {
        List<String> last = steps.subList(Math.max(0, steps.size() - STEPS_TOLD), steps.size());
        return name + ", step " + steps.size() + ": " + last + " ";
    }
}
