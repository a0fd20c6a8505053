package dev.mawashi.ruby;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jnr.constants.platform.Fcntl;
import jnr.posix.POSIX;
import jnr.posix.SpawnFileAction;
import org.jruby.Ruby;
import org.jruby.util.io.PopenExecutor;
import org.jspecify.annotations.Nullable;

/// Sees to it that a program which Ruby code starts inherits what it is given and nothing else.
///
/// Java opens sockets and most files without close-on-exec, and closes them in the programs that it
/// starts itself; JRuby starts them by posix_spawn and closes nothing. So this stands between JRuby
/// and the C library. To each program's file actions it adds the closing of all that is open in the
/// server, which happens in the program, and of some numbers that are free: what another thread
/// opens meanwhile gets the lowest of these. To Ruby code all files seem to be marked
/// close-on-exec, as in MRI.
///
/// `shared` has what Ruby code took that mark off; `given`, by the thread that is about to start a
/// program, what that one is to have under the number that it has here. Both name the file beside
/// its number, since Java may have closed it and opened another. Linux only.
final class Inheritance implements InvocationHandler {
    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final int STDERR = 2;
    private static final int FD_CLOEXEC = 1;

    /// So many files may be opened while a program starts.
    private static final int SPARE = 64;

    private static final int CALLERS_MAX = 8;

    /// What an action opens in the program. Its text alone decides.
    private static final Pattern OPENED =
            Pattern.compile(
                    "(?s).*\\bnew = (\\d+)\\)|.*, fd = (\\d+), flags = \\w+, mode = \\w+\\)");

    private static final StackWalker STACK =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final POSIX posix;
    private final Map<Integer, String> shared = new ConcurrentHashMap<>();
    private final Map<Thread, Map<Integer, String>> given =
            Collections.synchronizedMap(new WeakHashMap<>());

    private Inheritance(POSIX posix) {
        this.posix = posix;
    }

    /// Stands in between for all of this Ruby's calls from now on.
    static void limit(Ruby ruby) {
        POSIX lazy = ruby.getPosix();
        if (!lazy.isNative() || !Files.isDirectory(OPEN)) {
            return;
        }
        try {
            Field loaded = lazy.getClass().getDeclaredField("posix");
            loaded.setAccessible(true);
            Inheritance between = new Inheritance((POSIX) loaded.get(lazy));
            ClassLoader loader = POSIX.class.getClassLoader();
            loaded.set(lazy, Proxy.newProxyInstance(loader, new Class<?>[] {POSIX.class}, between));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JRuby reaches the C library otherwise", e);
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
            throws Throwable {
        if (args != null) {
            switch (method.getName()) {
                case "posix_spawnp" -> args[1] = limited(actions(args[1]));
                case "exec", "execv", "execve" -> markAll();
                case "fcntl", "fcntlInt" -> {
                    return control(method, args);
                }
                default -> {}
            }
        }
        return forward(method, args);
    }

    private @Nullable Object forward(Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(posix, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Collection<SpawnFileAction> actions(@Nullable Object argument) {
        List<SpawnFileAction> actions = new ArrayList<>();
        if (argument instanceof Collection<?> all) {
            all.forEach(action -> actions.add((SpawnFileAction) action));
        }
        return actions;
    }

    /// The actions of a program, and those that leave it nothing else.
    private Collection<SpawnFileAction> limited(Collection<SpawnFileAction> actions) {
        Set<Integer> open = numbers();
        Set<Integer> kept = new HashSet<>();
        for (SpawnFileAction action : actions) {
            Matcher opened = OPENED.matcher(action.toString());
            if (opened.matches()) {
                kept.add(Integer.valueOf(opened.group(opened.group(1) == null ? 2 : 1)));
            }
        }
        shared.keySet().stream().filter(this::isShared).forEach(kept::add);
        int unused = 1 + Stream.of(open, kept).flatMap(Set::stream).reduce(STDERR, Math::max);
        Map<Integer, String> own = given.remove(Thread.currentThread());
        if (own != null) {
            own.forEach((number, file) -> {
                if (file.equals(file(number)) && kept.add(number)) {
                    // Of a copy the mark is off, and that of the server's own file stays.
                    actions.add(SpawnFileAction.dup(number, unused));
                    actions.add(SpawnFileAction.dup(unused, number));
                    open.add(unused);
                }
            });
        }
        close(open, kept, actions);
        return actions;
    }

    private static void close(
            Set<Integer> open, Set<Integer> kept, Collection<SpawnFileAction> actions) {
        open.stream()
                .filter(number -> number > STDERR && !kept.contains(number))
                .forEach(number -> actions.add(SpawnFileAction.close(number)));
        IntStream.iterate(STDERR + 1, number -> number + 1)
                .filter(number -> !open.contains(number) && !kept.contains(number))
                .limit(SPARE)
                .forEach(number -> actions.add(SpawnFileAction.close(number)));
    }

    /// For a program that takes the server's place.
    private void markAll() {
        for (int number : numbers()) {
            if (number > STDERR && !isShared(number)) {
                int _ = posix.fcntlInt(number, Fcntl.F_SETFD, FD_CLOEXEC);
            }
        }
    }

    private @Nullable Object control(Method method, Object[] args) throws Throwable {
        int number = (int) args[0];
        boolean sets = args[1] == Fcntl.F_SETFD && args.length == 3;
        boolean asks = args[1] == Fcntl.F_GETFD;
        if (number <= STDERR || (!sets && !asks)) {
            return forward(method, args);
        }
        if (sets) {
            String file = file(number);
            if (args[2].equals(0) && file != null && isStartingProgram()) {
                given.computeIfAbsent(Thread.currentThread(), _ -> new HashMap<>())
                        .put(number, file);
                return 0;
            }
            if (args[2].equals(0) && file != null) {
                shared.put(number, file);
            } else {
                shared.remove(number);
            }
        } else if (!isShared(number)) {
            int _ = posix.fcntlInt(number, Fcntl.F_SETFD, FD_CLOEXEC);
        }
        return forward(method, args);
    }

    private boolean isShared(int number) {
        String file = shared.get(number);
        if (file == null || file.equals(file(number))) {
            return file != null;
        }
        shared.remove(number, file);
        return false;
    }

    private static boolean isStartingProgram() {
        return STACK.walk(callers ->
                callers.limit(CALLERS_MAX)
                        .anyMatch(caller -> caller.getDeclaringClass() == PopenExecutor.class));
    }

    private static Set<Integer> numbers() {
        Set<Integer> numbers = new HashSet<>();
        String[] names = OPEN.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            numbers.add(Integer.valueOf(name));
        }
        return numbers;
    }

    /// What is open under a number, such as `socket:[4711]`; null when nothing is.
    private static @Nullable String file(int number) {
        try {
            return Files.readSymbolicLink(OPEN.resolve(Integer.toString(number))).toString();
        } catch (IOException closed) {
            return null;
        }
    }
}
