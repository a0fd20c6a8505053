package dev.mawashi;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds the code to the import table in ARCHITECTURE.md, which is the only copy of it.
class ArchitectureTest {
    private static final String BASE = "dev.mawashi.";
    private static final Path TABLE = Path.of("../ARCHITECTURE.md");

    private static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.mawashi");

    /// One slice each, with those nested in it.
    private static final SliceAssignment CLASSES_OF_DISPATCH =
            new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass one) {
                    String name = one.getName().replaceFirst("\\$.*", "");
                    return one.getPackageName().equals(BASE + "dispatch")
                            ? SliceIdentifier.of(name)
                            : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                    return "classes of dispatch";
                }
            };

    /// What one package alone may see besides the JDK and our own.
    private static final Map<String, List<String>> LIBRARIES =
            Map.ofEntries(
                    entry("redis", List.of("redis.clients..", "javax.net.ssl..")),
                    entry(
                            "ruby",
                            List.of(
                                    "org.jruby..",
                                    "org.jcodings..",
                                    "jnr.constants..",
                                    "jnr.posix..")),
                    entry("doctor", List.of("org.ruby_lang..", "com.dylibso.chicory.runtime..")),
                    entry("ruby.lines", List.of("org.jruby..", "org.jcodings..")),
                    entry(
                            "server",
                            List.of("sun.misc..", "jdk.management..", "com.sun.management..")),
                    entry("answer", List.of("com.sun.management..", "javax.management..")),
                    entry("beans", List.of("javax.management..")),
                    entry("tracing", List.of("io.opentelemetry..")),
                    entry("config", List.of("org.snakeyaml..")),
                    entry("http", List.of("org.eclipse.jetty..")),
                    entry("pages", List.of("gg.jte..")),
                    entry("scrape", List.of("io.prometheus..")),
                    entry("cli", List.of("picocli..")));

    @TestFactory
    Stream<DynamicTest> importsOnlyWhatTheTableAllows() throws IOException {
        return mayImport().entrySet().stream()
                .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> check(row)));
    }

    @Test
    void everyPackageIsInTheTable() throws IOException {
        var packages =
                MAIN.stream()
                        .map(c -> c.getPackageName().substring(BASE.length()))
                        .collect(Collectors.toSet());
        assertThat(packages).isEqualTo(mayImport().keySet());
    }

    /// A job goes through it by threads and children at once, so one reads it from `Capsule` down
    /// and never back up.
    @Test
    void noClassOfDispatchPointsBackUp() {
        slices().assignedFrom(CLASSES_OF_DISPATCH).should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void timeComesFromTheInjectedClock() {
        noClasses()
                .that()
                .resideOutsideOfPackages(BASE + "server..", BASE + "cli..")
                .should()
                .callMethod(Instant.class, "now")
                .check(MAIN);
    }

    private static void check(Map.Entry<String, List<String>> row) {
        List<String> allowed =
                new ArrayList<>(List.of("java..", "org.jspecify..", "com.google.errorprone.."));
        allowed.addAll(LIBRARIES.getOrDefault(row.getKey(), List.of()));
        allowed.add(BASE + row.getKey() + "..");
        row.getValue().forEach(name -> allowed.add(BASE + name + ".."));
        classes()
                .that()
                .resideInAPackage(BASE + row.getKey() + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .check(MAIN);
    }

    private static Map<String, List<String>> mayImport() throws IOException {
        Map<String, List<String>> table = new TreeMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(TABLE)) {
            if (line.startsWith("```")) {
                inTable = line.equals("```imports");
            } else if (inTable) {
                String[] sides = line.split("->", -1);
                table.put(sides[0].strip(), words(sides[1]));
            }
        }
        return table;
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split(" +")).filter(word -> !word.isEmpty()).toList();
    }
}
