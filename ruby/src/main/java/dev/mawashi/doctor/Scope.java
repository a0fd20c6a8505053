package dev.mawashi.doctor;

import java.util.Set;

/// The surroundings of a node: what `self` is there, and when it runs.
///
/// @param isModule whether it is the body of a class or module, or inside one
/// @param isRunning whether it runs when jobs run, and not once when the file is loaded
/// @param isSelfClass whether `self` is a class or module
/// @param isGuarded whether a lock is held
/// @param isInBlock whether it is in a block of the body, where `self` may be another object
/// @param isForked whether it runs in a process that `fork` has made
/// @param classMethods the methods of which `self` is the module, by their names; null for all
record Scope(
        boolean isModule,
        boolean isRunning,
        boolean isSelfClass,
        boolean isGuarded,
        boolean isInBlock,
        boolean isForked,
        ClassMethods classMethods) {
    static final Scope FILE =
            new Scope(false, false, false, false, false, false, new ClassMethods(false, Set.of()));

    /// The methods whose `self` is the class or module in whose body they stand.
    ///
    /// @param isAll whether that holds for all
    /// @param names otherwise these
    record ClassMethods(boolean isAll, Set<String> names) {
        boolean has(String name) {
            return isAll || names.contains(name);
        }
    }

    /// The body of a class or module.
    Scope body(ClassMethods methods) {
        return new Scope(true, isRunning, true, isGuarded, false, isForked, methods);
    }

    Scope method(boolean isOfClass) {
        return new Scope(isModule, true, isOfClass, false, false, isForked, classMethods);
    }

    /// A block that is called later.
    Scope later() {
        return new Scope(isModule, true, isSelfClass, isGuarded, true, isForked, classMethods);
    }

    Scope guarded() {
        return new Scope(isModule, isRunning, isSelfClass, true, true, isForked, classMethods);
    }

    Scope block() {
        return new Scope(isModule, isRunning, isSelfClass, isGuarded, true, isForked, classMethods);
    }

    Scope forked() {
        return new Scope(isModule, isRunning, isSelfClass, isGuarded, true, true, classMethods);
    }

    /// Whether an instance variable here belongs to a class or module, and threads may meet at it.
    boolean sharesVariables() {
        return isModule && isRunning && isSelfClass && !isGuarded;
    }

    /// Whether threads may meet at what all of a process share.
    boolean shares() {
        return isRunning && !isGuarded;
    }
}
