package dev.mawashi.java;

import dev.mawashi.job.JavaJob;
import dev.mawashi.job.JobContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A job class with the handles that make an instance and call it. Shared by all slots.
final class JavaClass {
    private static final String PERFORM = "perform";

    private final String name;

    /// `() -> Object`
    private final MethodHandle constructor;

    /// `(Object, Object[]) -> Object`
    private final MethodHandle perform;

    private final boolean takesContext;
    private final List<ValueReader> readers;

    /// What the elements of a last parameter with `...` are; null when there is none.
    private final @Nullable Class<?> variable;

    /// The parameters' types, for messages.
    private final String signature;

    private JavaClass(Class<?> type, Method method) {
        name = type.getName();
        constructor = constructor(type);
        perform = perform(type, method);
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        takesContext = !parameters.isEmpty() && parameters.getFirst() == JobContext.class;
        int firstArgument = takesContext ? 1 : 0;
        List<Type> types =
                new ArrayList<>(
                        List.of(method.getGenericParameterTypes())
                                .subList(firstArgument, parameters.size()));
        variable = method.isVarArgs() ? parameters.getLast().getComponentType() : null;
        signature = types.stream().map(Type::getTypeName).collect(Collectors.joining(", "));
        if (variable != null) {
            types.set(types.size() - 1, variable);
        }
        ValueReaders found = new ValueReaders();
        readers = types.stream().map(found::of).toList();
    }

    /// @throws Refusal when it is no job class
    static JavaClass of(Class<?> type) {
        try {
            if (!JavaJob.class.isAssignableFrom(type)) {
                throw Refusal.unfit("does not implement " + JavaJob.class.getName());
            }
            if (!Modifier.isPublic(type.getModifiers())
                    || Modifier.isAbstract(type.getModifiers())) {
                throw Refusal.unfit("is not a public class that can have instances");
            }
            return new JavaClass(type, performOf(type));
        } catch (Refusal refusal) {
            throw Refusal.unfit("class " + type.getName() + " " + refusal.getMessage());
        }
    }

    private static Method performOf(Class<?> type) {
        List<Method> found =
                Arrays.stream(type.getMethods())
                        .filter(method -> method.getName().equals(PERFORM) && !method.isBridge())
                        .toList();
        if (found.size() > 1) {
            throw Refusal.unfit(
                    "has several public methods perform, must have one: "
                            + found.stream()
                                    .map(JavaClass::parameters)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        if (found.isEmpty() || Modifier.isStatic(found.getFirst().getModifiers())) {
            throw Refusal.unfit("has no public method perform that is not static");
        }
        return found.getFirst();
    }

    private static String parameters(Method method) {
        return Arrays.stream(method.getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static MethodHandle constructor(Class<?> type) {
        try {
            Constructor<?> found = type.getConstructor();
            return MethodHandles.publicLookup()
                    .unreflectConstructor(found)
                    .asType(MethodType.methodType(Object.class));
        } catch (ReflectiveOperationException _) {
            throw Refusal.unfit("has no public constructor without parameters");
        }
    }

    private static MethodHandle perform(Class<?> type, Method method) {
        int parameters = method.getParameterCount();
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(type, PERFORM, typeOf(method))
                    .asFixedArity()
                    .asType(MethodType.genericMethodType(1 + parameters))
                    .asSpreader(Object[].class, parameters);
        } catch (ReflectiveOperationException e) {
            throw Refusal.unfit("has a perform that cannot be called: " + e.getMessage());
        }
    }

    private static MethodType typeOf(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    }

    String name() {
        return name;
    }

    /// Makes an instance and calls it.
    ///
    /// @param args where the JSON array of the arguments is; null when there are none
    /// @throws Throwable what the app's code throws
    void run(JobContext context, @Nullable JsonInput args) throws Throwable {
        @Nullable Object[] values = arguments(context, args);
        Object job = (Object) constructor.invokeExact();
        Object _ = (Object) perform.invokeExact(job, values);
    }

    private @Nullable Object[] arguments(JobContext context, @Nullable JsonInput args)
            throws Throwable {
        int given = args == null ? 0 : size(args);
        int fixed = variable == null ? readers.size() : readers.size() - 1;
        if (given < fixed || (given > fixed && variable == null)) {
            throw Refusal.arguments(
                    "%s takes %s arguments%s (%s), the job has %s"
                            .formatted(
                                    name,
                                    fixed,
                                    variable == null ? "" : " or more",
                                    signature,
                                    given));
        }
        List<@Nullable Object> values = new ArrayList<>(1 + readers.size());
        if (takesContext) {
            values.add(context);
        }
        Object rest = variable == null ? null : Array.newInstance(variable, given - fixed);
        if (args != null && args.enter('[', ']')) {
            for (int i = 0; i < given; i++) {
                Object value = argument(args, i);
                if (i < fixed) {
                    values.add(value);
                } else {
                    Array.set(rest, i - fixed, value);
                }
                args.more(']');
            }
        }
        if (rest != null) {
            values.add(rest);
        }
        return values.toArray();
    }

    private int size(JsonInput args) {
        if (args.kind() != '[') {
            throw Refusal.arguments("\"args\" of a job of " + name + " is not an array");
        }
        return args.size();
    }

    private @Nullable Object argument(JsonInput args, int index) throws Throwable {
        ValueReader reader = readers.get(Math.min(index, readers.size() - 1));
        try {
            return reader.read(args);
        } catch (Mismatch mismatch) {
            throw Refusal.arguments(
                    name + ": " + mismatch.within("argument " + (index + 1)).getMessage());
        }
    }
}
