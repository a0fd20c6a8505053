package dev.mawashi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Remedies of what fails in a boot.
final class BootFaultsTest {
    private final BootFaults faults = new BootFaults(Path.of("/srv/app"));

    private BootFault fault(String kind, String feature, String remedy, String gem) {
        return faults.of(
                List.of(kind, feature, "/srv/app/a.rb:1", "LoadError: no", remedy, gem, ""));
    }

    @Test
    void aGemThatHasNoneForJrubyIsToBeReplacedWhateverTheBootSays() {
        assertThat(fault("incomplete", "redcarpet", "install it", "redcarpet").remedy())
                .isEqualTo(
                        "redcarpet runs on MRI only; instead: kramdown, or run with --runner mri");
        assertThat(fault("missing", "mysql2/client", "", "").remedy())
                .startsWith("mysql2 runs on MRI only; instead: activerecord-jdbcmysql-adapter");
    }

    @Test
    void aGemWithOneForJrubyIsToBeInstalled() {
        assertThat(fault("incomplete", "bcrypt", "", "bcrypt").remedy())
                .startsWith("bcrypt has a gem for JRuby: bundle lock --add-platform java");
        assertThat(fault("incomplete", "bcrypt", "take it out", "bcrypt").remedy())
                .isEqualTo("take it out");
    }

    @Test
    void whatIsUnknownHasARemedyToo() {
        assertThat(fault("incomplete", "own/ext", "", "own").remedy())
                .startsWith("own may have a part in C");
        assertThat(fault("missing", "no/such", "", "").remedy())
                .startsWith("add the gem that has it to the Gemfile");
        assertThat(fault("missing", "/srv/app/lib/x.rb", "", "").remedy())
                .isEqualTo("add the file");
        assertThat(fault("raised", "/srv/app/a.rb", "", "").describe())
                .isEqualTo("a.rb:1: LoadError: no");
    }
}
