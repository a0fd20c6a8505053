package acceptance;

import dev.mawashi.job.JobContext;
import java.io.IOException;

/// Runs until the test opens the gate.
public final class Gate extends Noted {
    public void perform(JobContext context, String gate) throws IOException, InterruptedException {
        note("start", context, context.queue());
        try {
            pass(gate);
        } catch (InterruptedException e) {
            note("cut", context, context.isStopping());
            throw e;
        }
        note("end", context, context.isStopping());
    }
}
