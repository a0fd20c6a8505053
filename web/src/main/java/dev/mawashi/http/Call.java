package dev.mawashi.http;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request, as far as a route needs to know it.
///
/// @param role of whoever asks
/// @param who the name that they gave, for the record of what was changed; `-` for none
/// @param address from which they ask
/// @param path what the template's names stand for, decoded
/// @param query the query's fields, decoded, each with all its values
/// @param contentType what the body is said to be; "" where nothing is said
/// @param idempotencyKey the header of that name, several with `, ` between them
/// @param body at most 1 MiB; empty where there is none
public record Call(
        Role role,
        String who,
        String address,
        Map<String, String> path,
        Map<String, List<String>> query,
        String contentType,
        @Nullable String idempotencyKey,
        byte[] body) {}
