package acceptance;

import dev.mawashi.job.JobContext;
import java.io.IOException;

/// Notes what it got.
public final class Plain extends Noted {
    public void perform(JobContext context, Object... all) throws IOException {
        note("end", context, all.length);
    }
}
