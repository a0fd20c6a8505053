package dev.mawashi.pages;

import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobEntry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/// Parts of addresses.
public final class Links {
    private Links() {}

    /// A name as a part of a path.
    public static String segment(String name) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        // Such a part would mean another path.
        return encoded.matches("\\.{1,2}") ? encoded.replace(".", "%2E") : encoded;
    }

    /// An entry of a set by its score and jid, as on Sidekiq's page.
    public static String key(JobEntry entry) {
        return EntryKey.of(entry).toString();
    }

    /// A job of a queue as a row names it: by its jid, or, of one that has none, by a digest of its
    /// bytes.
    public static String rowKey(JobEntry entry) {
        String jid = entry.job().jid();
        return jid.isEmpty() ? "#" + entry.job().digest() : jid;
    }

    /// A score without an exponent, as Redis reads it.
    public static String score(double score) {
        return EntryKey.score(score);
    }

    /// A query of these fields, less those that are empty.
    public static String query(Map<String, String> fields) {
        String query =
                fields.entrySet().stream()
                        .filter(field -> !field.getValue().isEmpty())
                        .map(field -> field.getKey() + "=" + segment(field.getValue()))
                        .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }
}
