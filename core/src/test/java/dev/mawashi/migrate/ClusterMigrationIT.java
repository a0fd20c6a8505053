package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.job;
import static dev.mawashi.migrate.MigrationRig.jobs;
import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.push;
import static dev.mawashi.migrate.MigrationRig.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Jobs go into a Cluster and out of it, also while its slots move.
@Tag("stack")
final class ClusterMigrationIT {
    @RegisterExtension static final MigrationRig RIG = new MigrationRig();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ClusterForTests CLUSTER = new ClusterForTests(0);
    private static final RedisAddress SHOP = CLUSTER.address("shop");

    @AfterAll
    static void stopCluster() {
        CLUSTER.close();
    }

    @Test
    void itMovesJobsIntoAClusterWhoseSlotMovesAndBack() {
        String[] many =
                IntStream.range(0, 20_000).mapToObj(i -> job("s" + i)).toArray(String[]::new);
        RedisConnection source = RIG.source;
        push(source, "q", many);
        source.call("ZADD", "retry", "1795225704.961886", job("r"));
        List<String> retry = texts(source, "ZRANGE", "retry", "0", "-1", "WITHSCORES");
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Integer> moves = CompletableFuture.supplyAsync(() -> moveSlots(isOver));

        Migrated there = RIG.once(RIG.ends(RIG.oldServer.address(), SHOP), PATIENCE);

        assertThat(there.isWhole()).isTrue();
        assertThat(keys(source)).containsExactly("queues");
        Migrated back = RIG.once(RIG.ends(SHOP, RIG.newServer.address()), PATIENCE);
        isOver.set(true);

        assertThat(moves.join()).isPositive();
        assertThat(back.isWhole()).isTrue();
        assertThat(jobs(RIG.target, "queue:q")).containsExactly(many);
        assertThat(texts(RIG.target, "ZRANGE", "retry", "0", "-1", "WITHSCORES")).isEqualTo(retry);
    }

    private static int moveSlots(AtomicBoolean isOver) {
        int moves = 0;
        while (!isOver.get()) {
            RedisServerForTests other = CLUSTER.another("shop");
            CLUSTER.beginMove("shop", other);
            CLUSTER.endMove("shop", other);
            moves++;
        }
        return moves;
    }
}
