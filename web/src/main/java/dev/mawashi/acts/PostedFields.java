package dev.mawashi.acts;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The fields of a POST's body, with one value or several. A browser sends a form, a program a JSON
/// object of strings, numbers, booleans and arrays of these.
///
/// @param isForm whether a browser waits for a page
record PostedFields(boolean isForm, Map<String, List<String>> values) {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";
    private static final int FIELDS_MAX = 100;
    private static final int LENGTH_MAX = 1_000;

    /// Most values of one field.
    static final int VALUES_MAX = 500;

    /// @throws Refusal when it is no form and no such object, or too much
    static PostedFields of(String contentType, byte[] body) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        boolean isForm = type.equals(FORM);
        if (!isForm && !type.equals(JSON) && !(type.isEmpty() && body.length == 0)) {
            throw new ActRefusal(415, "send " + JSON + ", or a form");
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (isForm) {
            readForm(new String(body, StandardCharsets.UTF_8), values);
        } else if (body.length > 0) {
            readJson(body, values);
        }
        return new PostedFields(isForm, values);
    }

    private static void readForm(String body, Map<String, List<String>> values) {
        for (String pair : body.split("&", -1)) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                add(values, decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
            }
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw ActRefusal.wrong("the form is not encoded as one");
        }
    }

    private static void readJson(byte[] body, Map<String, List<String>> values) {
        try {
            JsonScanner scanner = new JsonScanner(body);
            scanner.open('{');
            if (!scanner.close('}')) {
                do {
                    String name = Json.unquote(body, from(scanner), afterString(scanner));
                    scanner.expect(':');
                    int from = from(scanner);
                    scanner.skipValue();
                    addJson(values, name, text(body, from, scanner.position()));
                } while (scanner.more('}'));
            }
            scanner.expectEnd();
        } catch (MalformedPayload malformed) {
            throw ActRefusal.wrong("the body is no JSON object: " + malformed.reason());
        }
    }

    private static int from(JsonScanner scanner) {
        scanner.peek();
        return scanner.position();
    }

    private static int afterString(JsonScanner scanner) {
        scanner.skipString();
        return scanner.position();
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.UTF_8);
    }

    private static void addJson(Map<String, List<String>> values, String name, String json) {
        if (json.startsWith("{") || json.equals("null")) {
            throw ActRefusal.wrong("the field " + shown(name) + " has no value that is used here");
        }
        List<String> elements = json.startsWith("[") ? JsonElements.of(json) : List.of(json);
        for (String element : elements) {
            if (element.startsWith("{") || element.startsWith("[") || element.equals("null")) {
                throw ActRefusal.wrong("the field " + shown(name) + " is an array of plain values");
            }
            add(values, name, JsonElements.plain(element));
        }
    }

    private static void add(Map<String, List<String>> values, String name, String value) {
        if (values.size() >= FIELDS_MAX && !values.containsKey(name)) {
            throw ActRefusal.wrong("there are more than " + FIELDS_MAX + " fields");
        }
        if (value.length() > LENGTH_MAX) {
            throw ActRefusal.wrong(
                    "the field " + shown(name) + " is longer than " + LENGTH_MAX + " characters");
        }
        List<String> all = values.computeIfAbsent(name, _ -> new ArrayList<>());
        if (all.size() >= VALUES_MAX) {
            throw ActRefusal.wrong(
                    "the field "
                            + shown(name)
                            + " has more than "
                            + VALUES_MAX
                            + " values: use a filter, or several requests");
        }
        all.add(value);
    }

    private static String shown(String name) {
        return Json.quote(name.length() <= 50 ? name : name.substring(0, 50) + "…");
    }

    /// @throws Refusal when there is another field
    void allowOnly(Set<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw ActRefusal.wrong("there is no field " + shown(name) + " here");
            }
        }
    }

    /// A field's only value; "" when it is not given.
    ///
    /// @throws Refusal when it is given twice
    String one(String name) {
        List<String> all = all(name);
        if (all.size() > 1) {
            throw ActRefusal.wrong("the field " + shown(name) + " is given more than once");
        }
        return all.isEmpty() ? "" : all.getFirst().strip();
    }

    /// All of a field's values.
    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /// A field's number.
    ///
    /// @throws Refusal when it is given and is none, or out of range
    int number(String name, int other, int min, int max) {
        String text = one(name);
        if (text.isEmpty()) {
            return other;
        }
        if (!text.matches("[0-9]{1,9}")
                || Integer.parseInt(text) < min
                || Integer.parseInt(text) > max) {
            throw ActRefusal.wrong(
                    "the field " + shown(name) + " is a number from " + min + " to " + max);
        }
        return Integer.parseInt(text);
    }
}
