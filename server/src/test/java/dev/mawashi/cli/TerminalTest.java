package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class TerminalTest {
    private final StringWriter err = new StringWriter();

    private void confirm(boolean canAsk, String answer) {
        new Terminal(canAsk, false, () -> answer)
                .confirm("delete 12 jobs of dead", new PrintWriter(err));
    }

    @Test
    void onlyAYesGoesOn() {
        confirm(true, " Y ");
        confirm(true, "yes");
        assertThat(err.toString()).startsWith("This will delete 12 jobs of dead. Go on? [y/N] ");

        for (String no : new String[] {"", "n", "yeah", "delete"}) {
            assertThatThrownBy(() -> confirm(true, no))
                    .as(no)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("nothing was done");
        }
    }

    @Test
    void whereNobodyCanBeAskedItIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> confirm(false, "y"))
                .isInstanceOf(WrongUse.class)
                .hasMessageContaining("delete 12 jobs of dead")
                .hasMessageContaining("--yes");
        assertThat(err.toString()).isEmpty();
    }
}
