package acceptance;

import dev.mawashi.job.JobContext;
import java.io.IOException;

/// Ends the process that it runs in, until the test opens the gate.
public final class Exit extends Noted {
    public void perform(JobContext context, String gate) throws IOException {
        note("start", context, "");
        if (!isOpen(gate)) {
            System.exit(7);
        }
        note("end", context, "");
    }
}
