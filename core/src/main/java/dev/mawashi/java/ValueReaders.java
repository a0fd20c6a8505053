package dev.mawashi.java;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the readers for the parameter types of one job class.
final class ValueReaders {
    private static final ValueReader ANY = scalar(Object.class);

    private final Map<Class<?>, RecordReader> records = new HashMap<>();

    /// @throws Refusal when no JSON value can be of that type
    ValueReader of(Type type) {
        ValueReader reader =
                switch (type) {
                    case Class<?> plain -> plain(plain);
                    case ParameterizedType generic -> generic(generic);
                    case WildcardType open -> of(open.getUpperBounds()[0]);
                    default -> null;
                };
        if (reader == null) {
            throw Refusal.unfit(
                    "has a parameter of type "
                            + type.getTypeName()
                            + ", which no argument can be: see dev.mawashi.job.JavaJob");
        }
        return reader;
    }

    private @Nullable ValueReader plain(Class<?> type) {
        if (type == List.class) {
            return Containers.list(ANY);
        }
        if (type == Map.class) {
            return Containers.map(ANY);
        }
        return type.isRecord() ? record(type) : Scalars.of(type);
    }

    private @Nullable ValueReader generic(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            return Containers.list(of(arguments[0]));
        }
        return type.getRawType() == Map.class && arguments[0] == String.class
                ? Containers.map(of(arguments[1]))
                : null;
    }

    private ValueReader record(Class<?> type) {
        RecordReader known = records.get(type);
        if (known != null) {
            return known;
        }
        RecordComponent[] components = type.getRecordComponents();
        RecordReader reader = new RecordReader(type.getName(), constructor(type, components));
        records.put(type, reader);
        for (RecordComponent component : components) {
            ValueReader value = of(component.getGenericType());
            reader.add(component.getName(), component.getType().isPrimitive(), value);
        }
        return reader;
    }

    private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return MethodHandles.publicLookup()
                    .findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException _) {
            throw Refusal.unfit(
                    "has a parameter of type " + type.getName() + ", which is not public");
        }
    }

    private static ValueReader scalar(Class<?> type) {
        ValueReader reader = Scalars.of(type);
        if (reader == null) {
            throw new IllegalStateException("no reader for " + type);
        }
        return reader;
    }
}
