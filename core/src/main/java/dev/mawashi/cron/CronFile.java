package dev.mawashi.cron;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The schedules of a config file, and of an app's code.
public record CronFile(List<CronSchedule> schedules) {
    public static final CronFile NONE = new CronFile(List.of());

    public CronFile {
        schedules = List.copyOf(schedules);
    }

    /// As servers keep it in Redis.
    String text() {
        return JsonFields.array(schedules.stream().map(one -> one.json().toString()).toList());
    }

    /// The same for the same schedules.
    String digest() {
        try {
            byte[] bytes = text().getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// The schedules of a text; those that are none, of a later build or after damage, are left
    /// out.
    static List<CronSchedule> read(String text) {
        List<CronSchedule> schedules = new ArrayList<>();
        for (String element : JsonObject.elements(text)) {
            try {
                schedules.add(CronSchedule.of(JsonObject.of(element)));
            } catch (IllegalArgumentException _) {
                // Others are shown all the same.
            }
        }
        return schedules;
    }
}
