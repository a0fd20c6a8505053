package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureReaderIT {
    private static final JobQuery QUERY = JobQuery.ALL;

    /// Redis cuts the connection of a client that has it hold more of a reply.
    @Test
    void noReplyIsLargeWhateverTheRecordsAre() {
        String large = "x".repeat(1 << 20);
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect();
                FailureReader reader = new FailureReader(server.connect(), ResqueKeys.DEFAULT)) {
            for (int i = 0; i < 30; i++) {
                String record = "{\"error\":\"" + i + "\",\"payload\":\"" + large + "\"}";
                redis.call("RPUSH", "resque:failed", record);
            }
            redis.call("CONFIG", "SET", "client-output-buffer-limit", "normal 10mb 0 0");

            FailureReader.Found found = reader.find(QUERY, 3);

            assertThat(found.total()).isEqualTo(30);
            assertThat(errors(found.first())).containsExactly("29", "28", "27");
            assertThat(errors(views(reader.after("failed", 10, 13, QUERY))))
                    .containsExactly("10", "11", "12");
        }
    }

    private static List<FailureView> views(FailureReader.Looked looked) {
        return looked.found().stream().map(FailureReader.Placed::failure).toList();
    }

    private static List<String> errors(List<FailureView> failures) {
        return failures.stream().map(failure -> failure.text("error")).toList();
    }
}
