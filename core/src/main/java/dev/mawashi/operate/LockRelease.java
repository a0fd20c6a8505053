package dev.mawashi.operate;

import dev.mawashi.inspect.LockView;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LockTable;
import java.util.List;

/// Frees a lock that an operator has seen, if the same job holds it still.
public final class LockRelease {
    private LockRelease() {}

    /// @return one touched, or one gone
    public static Report free(RedisConnection connection, LockView lock) {
        LockTable table = new LockTable(connection);
        int freed =
                lock.gem().isEmpty()
                        ? table.free(List.of(lock.held()))
                        : table.freeOfGem(lock.key(), lock.owners());
        return freed > 0 ? Report.touched(1) : Report.gone(1);
    }
}
