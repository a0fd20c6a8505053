package dev.mawashi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// Calls a test with each of these values, such as the runners that it is to hold on. The quick
/// check takes the first alone (system property `tests.quick`), so the first is the one that is
/// cheap or says most.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(EachOf.Values.class)
public @interface EachOf {

    /// Returns one value per call; commas part the arguments of a test that takes several.
    String[] value();

    /// The calls of a test.
    final class Values implements ArgumentsProvider {

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            String[] values = context.getRequiredTestMethod().getAnnotation(EachOf.class).value();
            return Arrays.stream(values, 0, Boolean.getBoolean("tests.quick") ? 1 : values.length)
                    .map(value -> Arguments.of((Object[]) value.split("\\s*,\\s*", -1)));
        }
    }
}
