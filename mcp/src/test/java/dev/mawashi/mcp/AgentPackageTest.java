package dev.mawashi.mcp;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/// The package reaches jobs by the API's routes alone.
final class AgentPackageTest {
    @Test
    void itImportsWhatArchitectureSays() {
        ArchRuleDefinition.classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.jspecify..",
                        "io.modelcontextprotocol..",
                        "tools.jackson..",
                        "reactor.core..",
                        "dev.mawashi.mcp..",
                        "dev.mawashi.api..",
                        "dev.mawashi.http..",
                        "dev.mawashi.web..",
                        "dev.mawashi.wire..")
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("dev.mawashi.mcp"));
    }
}
