package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LocksCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final String KEY = "abcdefghijklmn";

    private static void lock(String key, String lock) {
        RIG.redis().call("HSET", "mw:locks", key, lock);
    }

    @Test
    void listsLocks() {
        assertThat(RIG.run("locks")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).isEmpty();
        assertThat(RIG.err().toString()).isEqualTo("no locks\n");
        lock(KEY, "9999999999999 7a~1 SyncJob");
        lock("abcdefghijklm2", "9999999999999 7b OtherJob");
        lock("abcdefghijklm3", "5 7c OverJob");

        assertThat(RIG.run("locks")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .containsPattern("abcdefghijklmn +SyncJob +7a +\\d+ d \\d+ h")
                .contains("OtherJob")
                .doesNotContain("OverJob");
        assertThat(RIG.err().toString()).isEmpty();
        assertThat(RIG.run("locks", "--class", "SyncJob", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .matches(
                        "\\{\"key\":\"abcdefghijklmn\",\"class\":\"SyncJob\",\"jid\":\"7a\","
                                + "\"until\":\"2286-11-20T17:46:39.999Z\",\"seconds_left\":\\d+,\"gem\":\"\"}\n");
        assertThat(RIG.run("locks", "--limit", "1")).isEqualTo(Main.DONE);
        assertThat(RIG.err().toString()).isEqualTo("1 of at most 3 locks, see more with --limit\n");
    }

    @Test
    void freesALockAndSaysWhoHeldIt() {
        lock(KEY, "9999999999999 7a~1 SyncJob");

        assertThat(RIG.run("locks", "free", KEY)).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .isEqualTo(
                        "lock abcdefghijklmn is free: SyncJob jid=7a held it. While that job waits or"
                                + " runs, an equal one can be enqueued\n");
        assertThat(RIG.redis().call("HLEN", "mw:locks")).isEqualTo(0L);
        assertThat(RIG.run("audit", "--json", "--limit", "1")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .contains(
                        "\"act\":\"free\",\"place\":\"lock:abcdefghijklmn\",\"to\":\"\","
                                + "\"detail\":\"SyncJob jid=7a\",\"state\":\"done\",\"touched\":1");
        lock(KEY, "9999999999999 7a SyncJob");
        assertThat(RIG.run("locks", "free", KEY, "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .isEqualTo(
                        "{\"key\":\"abcdefghijklmn\",\"freed\":true,\"class\":\"SyncJob\",\"jid\":\"7a\",\"gem\":\"\"}\n");
    }

    @Test
    void locksOfTheGemAreListedAndFreed() {
        String digest = "uniquejobs:9e22";
        RIG.redis().call("HSET", digest + ":LOCKED", "7a", "1795845700.5");
        RIG.redis().call("ZADD", "uniquejobs:digests", "1795845700.5", digest);

        assertThat(RIG.run("locks")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .containsPattern("uniquejobs:9e22 +7a +sidekiq-unique-jobs\n");
        assertThat(RIG.run("locks", "free", digest)).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .startsWith("lock uniquejobs:9e22 is free: jid=7a held it.");
        assertThat(RIG.redis().call("ZCARD", "uniquejobs:digests")).isEqualTo(0L);
        assertThat(RIG.run("locks", "free", digest)).isEqualTo(Main.FAILED);
    }

    /// Each 64th key begins so.
    @ParameterizedTest
    @ValueSource(strings = {"-bcdefghijklmn", "--cdefghijklmn", "-hcdefghijklmn"})
    void aKeyMayBeginWithADash(String key) {
        lock(key, "9999999999999 7a SyncJob");
        assertThat(RIG.run("locks", "free", key)).as(RIG.err().toString()).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).startsWith("lock " + key + " is free: SyncJob");
        lock(key, "9999999999999 7a SyncJob");
        assertThat(RIG.run("locks", "free", "--json", key)).isEqualTo(Main.DONE);
        assertThat(RIG.redis().call("HLEN", "mw:locks")).isEqualTo(0L);
    }

    @Test
    void whatNobodyHoldsAndIsNoHashIsSaid() {
        assertThat(RIG.run("locks", "free", KEY)).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .isEqualTo(
                        "mawashi: nobody holds the lock abcdefghijklmn (mawashi locks lists them)\n");
        assertThat(RIG.run("locks", "--limit", "0")).isEqualTo(Main.WRONG_USE);
        RIG.redis().call("SET", "mw:locks", "odd");
        for (String[] words : new String[][] {{"locks"}, {"locks", "free", KEY}}) {
            assertThat(RIG.run(words)).isEqualTo(Main.FAILED);
            assertThat(RIG.err().toString())
                    .startsWith("mawashi: the key mw:locks is no hash: see what it is");
        }
        assertThat(RIG.run("audit")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).doesNotContain("lock:");
    }
}
