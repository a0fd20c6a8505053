package dev.mawashi.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/// The decoded parameters of an address, or the reason for their refusal.
record Parameters(Map<String, List<String>> fields, @Nullable Answer refusal) {
    static final int FIELDS_MAX = 100;

    /// Addresses stay in histories, bookmarks and the logs of proxies.
    private static final Set<String> SECRETS =
            Set.of(
                    "token",
                    "access_token",
                    "auth_token",
                    "api_token",
                    "api_key",
                    "apikey",
                    "auth",
                    "authorization",
                    "bearer",
                    "password",
                    "secret");

    static Parameters of(Request request) {
        String query = request.getHttpURI().getQuery();
        if (query == null) {
            return new Parameters(Map.of(), null);
        }
        // Counted before anything is made of it.
        if (query.chars().filter(letter -> letter == '&').count() >= FIELDS_MAX) {
            return refused("an address has at most " + FIELDS_MAX + " parameters");
        }
        Map<String, List<String>> fields = new HashMap<>();
        try {
            for (Fields.Field field : Request.extractQueryParameters(request)) {
                fields.put(field.getName(), field.getValues());
            }
        } catch (RuntimeException _) {
            return refused("the parameters are no UTF-8 in percent encoding");
        }
        boolean hasSecret =
                fields.keySet().stream()
                        .anyMatch(name -> SECRETS.contains(name.toLowerCase(Locale.ROOT)));
        return hasSecret
                ? refused(
                        "a secret does not belong into an address, which others get to see: send"
                                + " it in the header Authorization: Bearer")
                : new Parameters(fields, null);
    }

    private static Parameters refused(String why) {
        return new Parameters(Map.of(), Answer.text(400, why));
    }
}
