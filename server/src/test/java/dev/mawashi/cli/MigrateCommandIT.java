package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi migrate` as an operator calls it, and each thing that may be wrong with its two
/// Redises.
final class MigrateCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final RedisServerForTests NEW = new RedisServerForTests();
    private static final RedisConnection TARGET = NEW.connect();

    private final RedisConnection source = RIG.redis();

    @AfterAll
    static void stop() {
        TARGET.close();
        NEW.close();
    }

    @BeforeEach
    void fill() {
        TARGET.call("FLUSHALL");
        source.call("SADD", "queues", "low");
        for (int i = 0; i < 3; i++) {
            source.call("LPUSH", "queue:low", job(i));
            source.call("ZADD", "retry", "" + i, job(i));
        }
    }

    private static String job(int jid) {
        return "{\"class\":\"A\",\"args\":[],\"jid\":\"" + jid + "\",\"queue\":\"low\"}";
    }

    private static int migrate(String... more) {
        return RIG.run(
                Map.of("FROM_REDIS_URL", RIG.url(), "TO_REDIS_URL", NEW.url()),
                Stream.concat(Stream.of("migrate"), Arrays.stream(more)).toArray(String[]::new));
    }

    private static long number(RedisConnection redis, String... command) {
        return (Long) Objects.requireNonNull(redis.call(command));
    }

    private void nothingIsTaken() {
        assertThat(number(source, "LLEN", "queue:low")).isEqualTo(3);
        assertThat(number(source, "EXISTS", "mw:batch")).isZero();
    }

    @Test
    void itSaysWhatItHasMoved() {
        assertThat(migrate()).as(RIG.err()::toString).isZero();

        assertThat(RIG.out().toString().lines())
                .containsExactly(
                        "6 jobs moved from " + RIG.url() + " to " + NEW.url(),
                        "  queue:low 3",
                        "  retry 3");
        assertThat(number(TARGET, "LLEN", "queue:low")).isEqualTo(3);
        assertThat(number(TARGET, "ZCARD", "retry")).isEqualTo(3);
        assertThat(RIG.run("audit", "--redis", NEW.url())).isZero();
        assertThat(RIG.out().toString()).contains("migrate", "6");
    }

    @Test
    void aDryRunMovesNothing() {
        assertThat(migrate("--dry-run", "--json")).isZero();

        assertThat(RIG.out().toString())
                .contains(
                        "\"dry_run\":true",
                        "\"jobs\":6,\"places\":{\"queue:low\":3,\"retry\":3}",
                        "\"processes\":0");
        nothingIsTaken();
        assertThat(number(TARGET, "DBSIZE")).isZero();
    }

    @Test
    void aNamespaceMayBeLeftOrEntered() {
        String url = RIG.url();
        assertThat(RIG.run("migrate", "--from", url, "--to", url, "--to-namespace", "app"))
                .as(RIG.err()::toString)
                .isZero();
        assertThat(number(source, "LLEN", "app:queue:low")).isEqualTo(3);

        assertThat(RIG.run("migrate", "--from", url, "--to", url, "--from-namespace", "app"))
                .as(RIG.err()::toString)
                .isZero();
        assertThat(number(source, "LLEN", "queue:low")).isEqualTo(3);
        assertThat(number(source, "LLEN", "app:queue:low")).isZero();
    }

    @Test
    void onePlaceByTwoNamesIsRefused() {
        String other = RIG.url().replace("127.0.0.1", "localhost");

        assertThat(RIG.run("migrate", "--from", RIG.url(), "--to", other)).isEqualTo(1);

        assertThat(RIG.err().toString().lines()).hasSize(1);
        assertThat(RIG.err().toString()).contains("are one place");
        nothingIsTaken();
    }

    @Test
    void aNamespaceWithoutQueuesIsNamed() {
        assertThat(migrate("--from-namespace", "nobodys")).isEqualTo(1);

        assertThat(RIG.err().toString()).contains("there are no queues at", "--from-namespace");
    }

    @Test
    void twoRedisesAreWanted() {
        assertThat(RIG.run("migrate", "--to", NEW.url())).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("Give --from URL, or set FROM_REDIS_URL");
        assertThat(migrate("--to-namespace", "a b")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--to-namespace: a namespace has 1 to 100");
        assertThat(migrate("--to", "redis://127.0.0.1:1")).isEqualTo(1);
        assertThat(RIG.err().toString()).contains("cannot reach redis://127.0.0.1:1");
        nothingIsTaken();
    }

    @Test
    void aFullRedisTakesNothing() {
        TARGET.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(migrate()).isEqualTo(1);
        } finally {
            TARGET.call("CONFIG", "SET", "maxmemory", "0");
        }

        assertThat(RIG.err().toString().lines()).hasSize(1);
        assertThat(RIG.err().toString()).contains("OOM");
        nothingIsTaken();
    }

    @Test
    void aKeyOfAWrongTypeStopsNoOther() {
        TARGET.call("SET", "queue:low", "odd");
        source.call("SADD", "queues", "odd");
        source.call("SET", "queue:odd", "odd");

        assertThat(migrate()).isEqualTo(1);

        assertThat(RIG.out().toString())
                .contains(
                        "3 jobs moved",
                        "  retry 3",
                        "not moved: queue:low: ",
                        "not moved: queue:odd: ");
        nothingIsTaken();

        TARGET.call("DEL", "queue:low");
        source.call("DEL", "queue:odd");
        assertThat(migrate()).as(RIG.err()::toString).isZero();
        assertThat(number(TARGET, "LLEN", "queue:low")).isEqualTo(3);
    }

    @Test
    void aUserWhoMayNotDoThisIsRefused() {
        for (String command : List.of("lpush", "rename")) {
            TARGET.call(
                    "ACL", "SETUSER", "some", "reset", "on", ">x", "~*", "+@all", "-" + command);
            String url = NEW.url().replace("redis://", "redis://some:x@");

            assertThat(RIG.run("migrate", "--from", RIG.url(), "--to", url)).isEqualTo(1);

            assertThat(RIG.out().toString() + RIG.err()).contains("ACL of the guide");
            nothingIsTaken();
        }
        source.call("ACL", "SETUSER", "some", "reset", "on", ">x", "~*", "+@all", "-del");
        String url = RIG.url().replace("redis://", "redis://some:x@");

        assertThat(RIG.run("migrate", "--from", url, "--to", NEW.url())).isEqualTo(1);

        assertThat(RIG.out().toString() + RIG.err()).contains("ACL of the guide");
        nothingIsTaken();
    }

    @Test
    void twoAtOnceAreRefused() {
        source.call("SET", "mw:migrating", "{\"by\":\"anna@web\",\"since\":\"today\"}");

        assertThat(migrate()).isEqualTo(1);

        assertThat(RIG.err().toString()).contains("anna@web migrates these jobs since today");
        source.call("DEL", "mw:migrating");
        nothingIsTaken();
    }

    @Test
    void aBatchOnItsWayElsewhereIsNamed() {
        source.call(
                "RPUSH",
                "mw:batch",
                "{\"batch\":\"b\",\"kind\":\"list\",\"queues\":\"queue:\",\"place\":\"low\","
                        + "\"first\":true,\"to\":\"redis://third:6379/0\"}",
                job(9));

        assertThat(migrate()).isEqualTo(1);

        assertThat(RIG.err().toString())
                .contains("a migration to redis://third:6379/0 has stopped with 1 jobs");
        assertThat(number(source, "LLEN", "mw:batch")).isEqualTo(2);
    }

    @Test
    void theGuidesUsersAreEnough() {
        source.call("ACL", "LOG", "RESET");
        TARGET.call("ACL", "LOG", "RESET");
        source.call("SADD", "paused", "low");
        source.call("HSET", "mw:cron", "nightly", "1 a");
        source.call("SET", "stat:processed", "5");
        source.call("SADD", "mw:queues", "low");
        source.call("RPUSH", "mw:{queue:low}:suspects", job(7));
        String from = GuideAcl.makeOperator(source, RIG.address()).url();
        String to = GuideAcl.makeOperator(TARGET, NEW.address()).url();

        assertThat(RIG.run("migrate", "--from", from, "--to", to)).as(RIG.err()::toString).isZero();

        assertThat(number(TARGET, "LLEN", "queue:low")).isEqualTo(4);
        assertThat(GuideAcl.refused(source)).isEmpty();
        assertThat(GuideAcl.refused(TARGET)).isEmpty();
        assertThat(RIG.out().toString()).doesNotContain("@");
    }

    private void fillResque() {
        source.call("SADD", "resque:queues", "low");
        source.call("RPUSH", "resque:queue:low", job(0), job(1));
        source.call("RPUSH", "resque:failed", "{\"payload\":{}}");
        source.call("ZADD", "resque:delayed_queue_schedule", "9999999999", "9999999999");
        source.call("RPUSH", "resque:delayed:9999999999", job(2));
        source.call("SADD", "resque:timestamps:" + job(2), "delayed:9999999999");
        source.call("SET", "resque:stat:processed", "5");
        source.call("HSET", "resque:persistent_schedules", "nightly", "{}");
        source.call("SADD", "mw:{resque}:queues", "low");
        source.call("RPUSH", "mw:{resque:queue:low}:suspects", job(3));
    }

    @Test
    void resquesKeysGoInPlaceOfSidekiqs() {
        fillResque();
        source.call("ACL", "LOG", "RESET");
        TARGET.call("ACL", "LOG", "RESET");
        String from = GuideAcl.makeOperator(source, RIG.address()).url();
        String to = GuideAcl.makeOperator(TARGET, NEW.address()).url();

        assertThat(migrate("--resque", "--dry-run", "--json")).as(RIG.err()::toString).isZero();
        assertThat(RIG.out().toString())
                .contains(
                        "\"jobs\":4,\"places\":{\"resque:delayed_queue_schedule\":1,"
                                + "\"resque:failed\":1,\"resque:queue:low\":2}",
                        "\"in_flight\":1");
        assertThat(RIG.run("migrate", "--resque", "--from", from, "--to", to))
                .as(RIG.err()::toString)
                .isZero();

        assertThat(RIG.out().toString().lines().skip(1))
                .containsExactly(
                        "  resque:delayed_queue_schedule 1",
                        "  resque:failed 1",
                        "  resque:queue:low 3");
        assertThat(GuideAcl.refused(source)).isEmpty();
        assertThat(GuideAcl.refused(TARGET)).isEmpty();
        assertThat(number(TARGET, "LLEN", "resque:queue:low")).isEqualTo(3);
        nothingIsTaken();
    }

    @Test
    void resquesNamespaceIsRenamedInItsOwnRedis() {
        fillResque();
        String url = RIG.address().url();
        assertThat(RIG.run("migrate", "--resque", "--from", url, "--to", url)).isEqualTo(1);
        assertThat(RIG.err().toString()).contains("are one place");
        String[] renaming = {
            "migrate", "--resque", "--from", url, "--to", url, "--to-resque-namespace", "shop"
        };
        assertThat(RIG.run(renaming)).as(RIG.err()::toString).isZero();

        assertThat(RIG.out().toString())
                .contains(" in Resque's namespace shop", "resque:queue:low 3");
        assertThat(number(source, "LLEN", "shop:queue:low")).isEqualTo(3);
        assertThat(number(source, "LLEN", "shop:delayed:9999999999")).isOne();
        nothingIsTaken();
    }

    @Test
    void resquesNamespaceIsNamedAndNoOther() {
        assertThat(migrate("--resque", "--from-namespace", "app")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--from-namespace is of Sidekiq's keys");
        assertThat(migrate("--resque-namespace", "app")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--resque-namespace goes with --resque");
        assertThat(migrate("--resque", "--resque-namespace", "")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--resque-namespace: a Resque namespace has");
        assertThat(migrate("--to-resque-namespace", "app")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--to-resque-namespace goes with --resque");
        assertThat(migrate("--resque", "--to-resque-namespace", "queue")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("--to-resque-namespace: the Resque namespace");
        fillResque();
        assertThat(migrate("--resque", "--resque-namespace", "nobodys")).isEqualTo(1);
        assertThat(RIG.err().toString())
                .contains("there are no queues at", "database and --resque-namespace");
        nothingIsTaken();
    }

    @Test
    void onePassDoesNotWaitForProcesses() {
        source.call("SADD", "processes", "web-1:7:0f");
        source.call("HSET", "web-1:7:0f", "info", "{\"queues\":[\"low\"]}", "busy", "1");

        assertThat(migrate("--once")).isZero();

        assertThat(RIG.out().toString().lines().toList())
                .isEqualTo(
                        List.of(
                                "6 jobs moved from " + RIG.url() + " to " + NEW.url(),
                                "  queue:low 3",
                                "  retry 3",
                                "left: processes 1, jobs in hand 0, other jobs 0"));
    }
}
