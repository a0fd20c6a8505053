/// Runs job classes written in Java, from a class path of their own. Reads payload bytes, makes the
/// arguments that the method wants, hands on an `Outcome`. Reflection is at home here.
@NullMarked
package dev.mawashi.java;

import org.jspecify.annotations.NullMarked;
