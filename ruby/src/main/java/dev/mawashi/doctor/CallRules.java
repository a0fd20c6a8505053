package dev.mawashi.doctor;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.Nodes;

/// Judges calls by their receiver and name: those that concern the process, its environment, its
/// folder, time limits and threads.
final class CallRules {
    private static final Set<String> ENVIRONMENT_WRITES =
            Set.of(
                    "[]=",
                    "store",
                    "delete",
                    "update",
                    "merge!",
                    "replace",
                    "clear",
                    "delete_if",
                    "keep_if",
                    "select!",
                    "filter!",
                    "reject!");

    private static final Set<String> PROCESS_CALLS =
            Set.of(
                    "setproctitle",
                    "setsid",
                    "setpgid",
                    "setpgrp",
                    "setrlimit",
                    "setpriority",
                    "initgroups",
                    "uid=",
                    "gid=",
                    "euid=",
                    "egid=",
                    "groups=",
                    "exit!");

    private static final Set<String> BUNDLER_WRITES =
            Set.of(
                    "with_unbundled_env",
                    "with_original_env",
                    "with_clean_env",
                    "unbundled_system",
                    "original_system");

    private static final Map<String, Set<String>> OF_PROCESS =
            Map.of(
                    "ENV", ENVIRONMENT_WRITES,
                    "Dir", Set.of("chdir"),
                    "FileUtils", Set.of("cd", "chdir"),
                    "Bundler", BUNDLER_WRITES,
                    "Timeout", Set.of("timeout"),
                    "Thread", Set.of("new", "start", "fork"),
                    "Signal", Set.of("trap"));

    private static final Map<String, Rule> RULES =
            Map.of(
                    "ENV", Rule.ENVIRONMENT,
                    "Dir", Rule.FOLDER,
                    "FileUtils", Rule.FOLDER,
                    "Bundler", Rule.ENVIRONMENT,
                    "Timeout", Rule.TIMEOUT,
                    "Thread", Rule.THREAD,
                    "Signal", Rule.PROCESS);

    private final Set<String> ownMethods;

    /// @param ownMethods names of methods that the file defines: a call of `fork` or `exec` without
    ///   a receiver may be one of these
    CallRules(Set<String> ownMethods) {
        this.ownMethods = ownMethods;
    }

    /// The rule that a call falls under; null for none.
    @Nullable Rule of(Nodes.CallNode call) {
        String name = Names.of(call.name);
        if (call.receiver == null) {
            return ownMethods.contains(name) ? null : ofKernel(name, call);
        }
        String constant = Names.constant(call.receiver);
        return switch (constant) {
            case "Kernel" -> ofKernel(name, call);
            case "Process" -> ofProcess(name, call);
            case "File" -> name.equals("umask") && call.arguments != null ? Rule.PROCESS : null;
            default ->
                    OF_PROCESS.getOrDefault(constant, Set.of()).contains(name)
                            ? RULES.get(constant)
                            : null;
        };
    }

    private static @Nullable Rule ofKernel(String name, Nodes.CallNode call) {
        return switch (name) {
            case "fork" -> call.arguments == null ? Rule.FORK : null;
            case "exec" -> call.arguments == null ? null : Rule.EXEC;
            case "exit!" -> Rule.PROCESS;
            case "trap" -> call.arguments == null ? null : Rule.PROCESS;
            default -> null;
        };
    }

    private static @Nullable Rule ofProcess(String name, Nodes.CallNode call) {
        return switch (name) {
            case "fork", "daemon" -> Rule.FORK;
            case "exec" -> Rule.EXEC;
            default -> PROCESS_CALLS.contains(name) ? Rule.PROCESS : ofKernel(name, call);
        };
    }
}
