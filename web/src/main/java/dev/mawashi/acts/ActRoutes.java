package dev.mawashi.acts;

import dev.mawashi.desk.RedisAway;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.pages.ConfirmPage;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Section;
import dev.mawashi.pages.Shells;
import dev.mawashi.pages.SorryPage;
import dev.mawashi.pages.Templates;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Makes routes of acts: reads what is asked for, and answers a browser by a page, a program in
/// JSON, what came of it.
///
/// A browser is sent to a page of ours, whose path comes from the route and never from the request,
/// with nothing but the id of the change: the page looks up what to say.
final class ActRoutes {
    /// What a form may have besides: that a person is sure, the page on which it stood, and what
    /// its other buttons take.
    private static final Set<String> FORM_FIELDS =
            Set.of("sure", "view", "from", "cursor", "to", "in", "at");

    private final Shells shells;
    private final Templates templates;

    ActRoutes(Shells shells, Templates templates) {
        this.shells = shells;
        this.templates = templates;
    }

    /// An act and what is around it.
    ///
    /// @param template of its path, below `/api/v1`
    /// @param section whose page it belongs to
    /// @param fields that a body may have
    record Post(
            String template,
            Role role,
            Section section,
            Set<String> fields,
            Performing performing) {}

    /// Does what is asked for.
    interface Performing {
        /// @throws Refusal when it is not done
        /// @throws Unsure when a person has to confirm it first
        ActOutcome perform(Ask ask);
    }

    /// The page to which a browser goes after it.
    interface Back {
        /// @return a path and the fields of its query
        Page to(Ask ask);
    }

    /// A page of ours.
    record Page(String path, Map<String, String> query) {}

    Route route(Post act, Back back) {
        Set<String> ofForm = new TreeSet<>(act.fields());
        ofForm.addAll(FORM_FIELDS);
        return Route.post(
                "/api/v1/" + act.template(),
                act.role(),
                call -> {
                    boolean isForm = call.contentType().startsWith("application/x-www-form");
                    try {
                        Ask ask = new Ask(call, PostedFields.of(call.contentType(), call.body()));
                        ask.fields().allowOnly(ask.fields().isForm() ? ofForm : act.fields());
                        return answer(act, back, ask);
                    } catch (ActRefusal refusal) {
                        return refused(refusal.status(), refusal.why(), isForm, act, call);
                    } catch (RedisAway away) {
                        return refused(away.status(), undone(away), isForm, act, call);
                    } catch (RedisFailure failure) {
                        RedisAway away = RedisAway.of(failure);
                        return refused(away.status(), undone(away), isForm, act, call);
                    }
                });
    }

    private static String undone(RedisAway away) {
        return away.isRefusal()
                ? "Redis refuses this, and a part may have been done: " + away.reason()
                : "Redis did not report whether it was done, or how much of it: " + away.reason();
    }

    private Answer answer(Post act, Back back, Ask ask) {
        try {
            ActOutcome outcome = act.performing().perform(ask);
            return ask.fields().isForm() ? seeOther(back.to(ask), outcome) : json(outcome);
        } catch (Unsure unsure) {
            return question(act, back, ask, unsure);
        }
    }

    private static Answer seeOther(Page page, ActOutcome outcome) {
        Answer plain = Answer.text(303, "see the page");
        return new Answer(
                303, plain.contentType(), plain.body(), Map.of("Location", link(page, outcome)));
    }

    private static String link(Page page, ActOutcome outcome) {
        Map<String, String> query = new LinkedHashMap<>(page.query());
        query.put("done", outcome.entry().id());
        return page.path() + Links.query(query);
    }

    private static Answer json(ActOutcome outcome) {
        return switch (outcome) {
            case ActOutcome.Done(AuditEntry entry) -> Answer.json(200, entry.json() + "\n");
            case ActOutcome.UnderWay(RunningAct running) ->
                    Answer.json(202, ActJson.underWay(running) + "\n");
        };
    }

    /// The same request once more, with a word that it is meant.
    private Answer question(Post act, Back back, Ask ask, Unsure unsure) {
        List<ConfirmPage.Field> fields = new ArrayList<>();
        ask.fields()
                .values()
                .forEach((name, values) ->
                        values.forEach(value -> fields.add(new ConfirmPage.Field(name, value))));
        fields.add(new ConfirmPage.Field("sure", "yes"));
        Page page = back.to(ask);
        return Answer.html(
                200,
                templates.render(
                        "confirm",
                        new ConfirmPage(
                                shells.shell(act.section(), ask.call().role()),
                                unsure.question(),
                                unsure.note(),
                                path(act.template(), ask.call()),
                                fields,
                                page.path() + Links.query(page.query()))));
    }

    private static String path(String template, Call call) {
        String path = "/api/v1/" + template;
        for (Map.Entry<String, String> name : call.path().entrySet()) {
            path = path.replace("{" + name.getKey() + "}", Links.segment(name.getValue()));
        }
        return path;
    }

    private Answer refused(int status, String why, boolean isForm, Post act, Call call) {
        if (!isForm) {
            return Answer.json(status, new JsonFields().text("error", why) + "\n");
        }
        SorryPage page =
                new SorryPage(shells.shell(act.section(), call.role()), "That was not done", why);
        return Answer.html(status, templates.render("sorry", page));
    }
}
