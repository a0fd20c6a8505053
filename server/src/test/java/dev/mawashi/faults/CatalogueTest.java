package dev.mawashi.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CatalogueTest {
    private final Catalogue catalogue = new Catalogue();

    @Test
    void eachNumberHasAScenarioOrTheReasonWhyNot() {
        assertThat(catalogue.entries()).hasSize(107);
        assertThat(catalogue.entries().values())
                .allSatisfy(entry ->
                        assertThat(entry.instead().isEmpty())
                                .as(entry.toString())
                                .isEqualTo(!entry.scenarios().isEmpty()));
    }
}
