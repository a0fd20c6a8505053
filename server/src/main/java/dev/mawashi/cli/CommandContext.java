package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.util.Map;

/// The surroundings of commands that list jobs or act on them.
record CommandContext(Map<String, String> environment, Terminal terminal, InstantSource clock) {
    static final String NO_RESQUE = "in a Cluster are no jobs of Resque: give the URL of a server";

    static CommandContext of(Map<String, String> environment) {
        return new CommandContext(environment, Terminal.ofThisProcess(), InstantSource.system());
    }

    RedisBroker broker(RedisOption redis) {
        return new RedisBroker(redis.address(environment), DeadLimits.DEFAULT);
    }

    /// For the jobs of Resque alone, whose keys are in no namespace of Sidekiq's.
    ///
    /// @throws WrongUse when such a namespace is set, or the keys are in a Cluster
    RedisBroker resqueBroker(RedisOption redis) {
        RedisAddress address = redis.address(environment);
        if (!address.namespace().isEmpty()) {
            throw new WrongUse(
                    redis.namespaceSource(environment)
                            + " is of Sidekiq's keys, and these jobs are Resque's: give none");
        }
        if (address.isCluster()) {
            throw new WrongUse(NO_RESQUE);
        }
        return new RedisBroker(address, DeadLimits.DEFAULT);
    }

    /// Records what a command changes.
    Recorder recorder(RedisBroker broker) {
        return new Recorder(broker, clock, user());
    }

    /// `user@host`, as far as the system knows them.
    String user() {
        String host = environment.getOrDefault("HOSTNAME", environment.getOrDefault("DYNO", ""));
        return System.getProperty("user.name", "-") + (host.isEmpty() ? "" : "@" + host);
    }

    /// A broker for Resque's queues.
    RedisBroker broker(RedisOption redis, ResqueKeys keys) {
        return new RedisBroker(redis.address(environment), DeadLimits.DEFAULT, keys.layout());
    }
}
