package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Searches Resque's failure lists in parts, each list from its newest record, so that nobody waits
/// for all of a large one. One thread's.
///
/// New records join a list at its end, so a search that goes on finds its place, unless older ones
/// were removed: then it may pass over some.
public final class FailureSearch {
    private static final Pattern PLACE = Pattern.compile("(\\d{1,18}):(.*)", Pattern.DOTALL);
    private static final long BYTES_MAX = 4 << 20;

    private final FailureReader reader;

    public FailureSearch(RedisConnection connection, ResqueKeys keys) {
        reader = new FailureReader(connection, keys);
    }

    /// A part of a search.
    ///
    /// @param looked how many records were looked at from the search's beginning to this part's end
    /// @param size how many there are, as of now
    /// @param next where the next part begins; "" at the end
    public record Part(List<FailureView> found, long looked, long size, String next) {
        public Part {
            found = List.copyOf(found);
        }
    }

    /// @param place where the last part says that the next begins; any other text for the beginning
    public Part search(JobQuery query, String place, JobSearch.Limit limit) {
        Matcher at = PLACE.matcher(place);
        boolean goesOn = at.matches();
        List<FailureView> found = new ArrayList<>();
        long looked = 0;
        long sizes = 0;
        String next = "";
        boolean isBefore = goesOn;
        for (String list : reader.lists()) {
            long size = reader.size(list);
            sizes += size;
            boolean isHere = isBefore && list.equals(at.group(2));
            isBefore &= !isHere;
            long end = isHere ? Math.min(size, Long.parseLong(at.group(1))) : size;
            if (!isBefore && next.isEmpty()) {
                end = look(list, end, query, found, limit);
                next = end > 0 ? end + ":" + list : "";
                looked += size - end;
            } else if (isBefore) {
                looked += size;
            }
        }
        return new Part(found, looked, sizes, next);
    }

    /// @return the place where it stopped; 0 at the list's beginning
    private long look(
            String list, long end, JobQuery query, List<FailureView> found, JobSearch.Limit limit) {
        long at = end;
        while (at > 0 && !isOver(found, limit)) {
            long from = Math.max(0, at - Math.min(FailureReader.PAGE, limit.most() - found.size()));
            FailureReader.Looked looked = reader.before(list, from, at, query);
            looked.found().forEach(placed -> found.add(placed.failure().shown()));
            at = looked.end();
        }
        return at;
    }

    private static boolean isOver(List<FailureView> found, JobSearch.Limit limit) {
        return found.size() >= limit.most()
                || found.stream().mapToLong(one -> one.size()).sum() >= BYTES_MAX
                || limit.isLate().getAsBoolean();
    }
}
