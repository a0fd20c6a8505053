package dev.mawashi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The tables of gems, and the order of versions.
final class TablesTest {
    @Test
    void eachEntryHasASourceAndARemedyWhereItNeedsMri() {
        List<KnownGems.Known> all =
                KnownGems.read().values().stream().flatMap(List::stream).toList();

        assertThat(all).hasSizeGreaterThan(120).noneMatch(one -> one.source().isEmpty());
        assertThat(all)
                .filteredOn(one -> one.fit() == KnownGems.Fit.NO)
                .noneMatch(one -> one.remedy().isEmpty());
    }

    @Test
    void noGemIsInBothTables() {
        try (RubyParser parser = new RubyParser()) {
            assertThat(SidekiqGems.read(parser).keySet())
                    .doesNotContainAnyElementsOf(KnownGems.read().keySet());
        }
    }

    @Test
    void theTableOfAStartIsReadWhole() {
        try (RubyParser parser = new RubyParser()) {
            Map<String, SidekiqGems.Known> gems = SidekiqGems.read(parser);

            assertThat(gems).hasSizeGreaterThanOrEqualTo(20);
            assertThat(gems.values())
                    .allMatch(gem -> List.of("yes", "part", "no").contains(gem.works()))
                    .noneMatch(gem -> gem.here().isEmpty());
            assertThat(Objects.requireNonNull(gems.get("datadog")).instead())
                    .startsWith("threads that it starts before the fork");
            assertThat(Objects.requireNonNull(gems.get("newrelic_rpm")).instead())
                    .contains("NEW_RELIC_DISPATCHER=sidekiq; threads that it starts");
            assertThat(gems.values().stream().filter(SidekiqGems.Known::isRefused))
                    .extracting(SidekiqGems.Known::name)
                    .contains("sidekiq-limit_fetch", "sidekiq-pro", "sidekiq-throttled")
                    .doesNotContain("sidekiq-cron");
        }
    }

    @Test
    void versionsAreComparedByNumbers() {
        assertThat(Versions.compare("1.10", "1.9")).isPositive();
        assertThat(Versions.compare("2", "2.0.0")).isZero();
        assertThat(Versions.compare("2.0.rc1", "2.0.0")).isNegative();
        assertThat(Versions.compare("3.1.99999999999999999999", "3.2")).isNegative();
    }
}
