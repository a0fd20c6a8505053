package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The class and arguments of a job without the wrapper that ActiveJob puts around them, by the
/// rules of Sidekiq's page (6.4.1, `api.rb`, `display_class` and `display_args`).
///
/// @param args a JSON array on one line, or whatever stands in its place
record Unwrapped(String jobClass, String args) {
    static final Unwrapped NOTHING = new Unwrapped("", "");

    private static final Set<String> WRAPPERS =
            Set.of(
                    "ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper",
                    "Sidekiq::ActiveJob::Wrapper");
    private static final String OLD_MAILER = "ActionMailer::DeliveryJob";
    private static final String MAILER = "ActionMailer::MailDeliveryJob";

    /// Mailer class, method and `deliver_now` stand before a mail's own arguments.
    private static final int MAILER_WORDS = 3;

    /// What is shown of arguments that are too large to be read as a text.
    private static final int START_BYTES = 128 << 10;

    static Unwrapped of(Payload job) {
        if (job.length("args") > JobView.WHOLE_BYTES_MAX) {
            return ofLarge(job);
        }
        String jobClass = plain(job.raw("class"));
        String args = JsonElements.compact(Objects.requireNonNullElse(job.raw("args"), "[]"));
        String display = job.text("display_class");
        Unwrapped shown = new Unwrapped(jobClass, args);
        if (WRAPPERS.contains(jobClass)) {
            try {
                shown = unwrap(plain(job.raw("wrapped")), JsonElements.of(args), shown);
            } catch (MalformedPayload _) {
                // The wrapper holds something else than ActiveJob's: shown as it is.
            }
        }
        return display == null ? shown : new Unwrapped(display, shown.args());
    }

    /// The beginning of the arguments stands for them, and is no JSON.
    private static Unwrapped ofLarge(Payload job) {
        String jobClass = plain(job.raw("class"));
        String wrapped = WRAPPERS.contains(jobClass) ? plain(job.raw("wrapped")) : "";
        return new Unwrapped(
                Objects.requireNonNullElse(
                        job.text("display_class"), wrapped.isEmpty() ? jobClass : wrapped),
                job.start("args", START_BYTES) + "…");
    }

    private static Unwrapped unwrap(String wrapped, List<String> args, Unwrapped asItIs) {
        if (args.isEmpty()) {
            return wrapped.isEmpty() ? asItIs : new Unwrapped(wrapped, "[]");
        }
        if (wrapped.isEmpty()) {
            boolean isName = args.getFirst().startsWith("\"");
            return isName ? new Unwrapped(plain(args.getFirst()), "[]") : asItIs;
        }
        String arguments = field(args.getFirst(), "arguments");
        if (arguments == null) {
            return new Unwrapped(wrapped, asItIs.args());
        }
        List<String> own = JsonElements.of(arguments);
        boolean isMail = wrapped.equals(OLD_MAILER) || wrapped.equals(MAILER);
        return isMail && own.size() >= MAILER_WORDS
                ? mail(own, wrapped.equals(MAILER))
                : new Unwrapped(wrapped, arguments);
    }

    private static Unwrapped mail(List<String> own, boolean hasOptions) {
        String method = plain(own.get(0)) + "#" + plain(own.get(1));
        List<String> rest = own.subList(MAILER_WORDS, own.size());
        String inOptions = hasOptions && !rest.isEmpty() ? field(rest.getFirst(), "args") : null;
        return new Unwrapped(
                method, inOptions == null ? "[" + String.join(",", rest) + "]" : inOptions);
    }

    private static @Nullable String field(String object, String name) {
        return Payload.parse(object.getBytes(StandardCharsets.UTF_8)).raw(name);
    }

    private static String plain(@Nullable String json) {
        return json == null || json.equals("null") ? "" : JsonElements.plain(json);
    }
}
