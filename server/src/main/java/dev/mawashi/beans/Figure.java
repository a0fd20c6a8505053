package dev.mawashi.beans;

import java.util.function.Supplier;

/// An attribute of a bean: a figure that is read when somebody asks for it.
///
/// @param name such as `BusySlots`
/// @param help what it is, in a line
/// @param type of its values, which are `Boolean`, `Long` or `Double`
record Figure(String name, String help, Class<?> type, Supplier<Object> value) {
    static Figure number(String name, String help, Supplier<Long> value) {
        return new Figure(name, help, Long.class, value::get);
    }
}
