package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Place;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.exceptions.JedisDataException;

/// Those who know the master: Sentinels, or the nodes of a Cluster.
sealed interface Guides permits ClusterNodes, Sentinels {
    /// @param master that the guide names
    /// @param others who may be asked too
    record Answer(Place master, List<Place> others) {
        public Answer {
            others = List.copyOf(others);
        }
    }

    /// How long connections may be to a former master.
    Duration pause();

    /// The master in a sentence, for operators.
    String titled();

    /// A sentence without an end, for operators.
    String nobodyKnows();

    /// What is to be done where a guide wants a login, after its place.
    String loginRemedy();

    /// Where the master is.
    ///
    /// @param connection to the guide
    /// @param guide that is asked
    /// @throws RedisFailure when it does not know
    /// @throws JedisDataException when it refuses to answer
    Answer ask(BoundedConnection connection, Place guide);

    /// Why it refuses.
    ///
    /// @param refusal Redis's error line
    String explain(String refusal);
}
