package dev.mawashi.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/// The slope of a figure over periods of equal length, with its standard error.
///
/// In each period the figure has the same ups and downs, such as after a restart. So each period is
/// cut into blocks, whose means count as one value each, since values close together are alike.
/// From period to period a block is only compared with those at the same place in others; within
/// periods the blocks of each second half are compared with each other. The slope is that of the
/// least squares, once the mean of what is compared is taken off.
///
/// @param perSecond change per second
/// @param error standard error of that
/// @param mean of all values
public record Trend(double perSecond, double error, double mean) {
    private static final int BLOCKS = 10;

    /// Beyond so many errors a slope is no chance.
    private static final double SURE = 2;

    private record Block(double time, double value) {}

    /// From period to period: what no restart takes back.
    ///
    /// @param times in seconds, rising
    /// @param values as many
    /// @param period in seconds
    /// @throws IllegalArgumentException when there are not two periods
    public static Trend across(List<Double> times, List<Double> values, double period) {
        return fit(blocks(times, values, period), block -> block % BLOCKS, values);
    }

    /// Within the second halves of periods: what a restart takes back, once all is warm.
    ///
    /// @throws IllegalArgumentException when there are too few values
    public static Trend within(List<Double> times, List<Double> values, double period) {
        Map<Long, Block> blocks = blocks(times, values, period);
        blocks.keySet().removeIf(block -> block % BLOCKS < BLOCKS / 2);
        return fit(blocks, block -> block / BLOCKS, values);
    }

    private static Map<Long, Block> blocks(List<Double> times, List<Double> values, double period) {
        Map<Long, List<Integer>> members = new TreeMap<>();
        for (int i = 0; i < times.size(); i++) {
            long block = (long) Math.floor(times.get(i) / period * BLOCKS);
            members.computeIfAbsent(block, _ -> new ArrayList<>()).add(i);
        }
        Map<Long, Block> blocks = new TreeMap<>();
        members.forEach((block, some) ->
                blocks.put(block, new Block(mean(times, some), mean(values, some))));
        return blocks;
    }

    private static double mean(List<Double> all, List<Integer> some) {
        return some.stream().mapToDouble(all::get).average().orElseThrow();
    }

    private static Trend fit(
            Map<Long, Block> blocks, LongUnaryOperator group, List<Double> values) {
        Map<Long, List<Block>> groups = new TreeMap<>();
        blocks.forEach((number, block) ->
                groups.computeIfAbsent(group.applyAsLong(number), _ -> new ArrayList<>())
                        .add(block));
        double across = 0;
        double both = 0;
        double up = 0;
        int free = -1;
        for (List<Block> place : groups.values()) {
            double time = place.stream().mapToDouble(Block::time).average().orElse(0);
            double value = place.stream().mapToDouble(Block::value).average().orElse(0);
            for (Block block : place) {
                across += (block.time() - time) * (block.time() - time);
                both += (block.time() - time) * (block.value() - value);
                up += (block.value() - value) * (block.value() - value);
            }
            free += place.size() - 1;
        }
        if (free < 1 || across == 0) {
            throw new IllegalArgumentException(
                    "a trend needs two periods, and several values in each tenth of them");
        }
        double slope = both / across;
        double left = Math.max(0, up - slope * both);
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        return new Trend(slope, Math.sqrt(left / free / across), mean);
    }

    /// Growth over a time, in percent of the mean.
    public double percent(double seconds) {
        return mean == 0 ? 0 : 100 * perSecond * seconds / mean;
    }

    /// Standard error of that.
    public double percentError(double seconds) {
        return mean == 0 ? 0 : 100 * error * seconds / mean;
    }

    /// Whether it surely grows by more than so many percent of the mean over a time.
    public boolean isAbove(double bound, double seconds) {
        return percent(seconds) - SURE * percentError(seconds) > bound;
    }
}
