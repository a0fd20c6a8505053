package dev.mawashi.ruby;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.jruby.RubyArray;
import org.jruby.runtime.builtin.IRubyObject;

/// The answer of the app's own connection to Redis once the app was loaded. It has deleted the key
/// of `key`, unless it had a problem or shows nothing.
///
/// @param place where it leads, without login; "" where that is not known
/// @param problem the reason why it could not be asked; "" for none
/// @param namespace that it puts before all keys; "" for none
/// @param url where it leads, with login; "" where that is not known, or does not count
/// @param obstacle what of its settings a server cannot take; "" for none
/// @param isMet whether it has found the key
public record AppRedis(
        String place,
        String problem,
        String namespace,
        String url,
        String obstacle,
        boolean isMet) {
    public static final int WORDS = 6;

    /// The app has no connection of its own, or one that shows nothing.
    public static final AppRedis NONE = new AppRedis("", "", "", "", "", false);

    private static final Pattern LOGINS =
            Pattern.compile("(?<=//)[^/?]*@|sentinel_(username|password)=[^&]*");

    /// The key that `mawashi/app_redis.rb` deletes.
    ///
    /// @param identity of the server
    public static String key(String identity) {
        return "mw:place:" + identity;
    }

    /// Whether the app's connection could be asked, or a reason is known why not.
    public boolean isKnown() {
        return !place.isEmpty() || !problem.isEmpty();
    }

    /// The place, and the problem if there is one. Some problems have the place in them.
    public String describe() {
        if (problem.isEmpty()) {
            return place;
        }
        return problem.contains(place) ? problem : place + ": " + problem;
    }

    /// Whether both have the same settings but for logins.
    public boolean isLike(AppRedis other) {
        return LOGINS.matcher(url).replaceAll("").equals(LOGINS.matcher(other.url).replaceAll(""));
    }

    /// Without the login.
    @Override
    public String toString() {
        return describe();
    }

    static AppRedis of(IRubyObject answer) {
        return of(Arrays.stream(((RubyArray<?>) answer).toArray()).map(String::valueOf).toList());
    }

    /// @param words as many as `WORDS`
    public static AppRedis of(List<String> words) {
        Iterator<String> next = words.iterator();
        return new AppRedis(
                next.next(),
                next.next(),
                next.next(),
                next.next(),
                next.next(),
                !next.next().isEmpty());
    }
}
