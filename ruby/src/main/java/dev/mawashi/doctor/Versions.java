package dev.mawashi.doctor;

import java.math.BigInteger;

/// The order of gems' versions: by their numbers; a part with letters is older than none.
final class Versions {
    private Versions() {}

    static int compare(String one, String other) {
        String[] ones = one.split("\\.", -1);
        String[] others = other.split("\\.", -1);
        for (int i = 0; i < Math.max(ones.length, others.length); i++) {
            int order = part(ones, i).compareTo(part(others, i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static BigInteger part(String[] parts, int at) {
        if (at >= parts.length) {
            return BigInteger.ZERO;
        }
        return parts[at].matches("\\d+") ? new BigInteger(parts[at]) : BigInteger.ONE.negate();
    }
}
