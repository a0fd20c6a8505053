package dev.mawashi.pages;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

/// Makes HTML. Everything that comes from a model is escaped for where it stands.
public final class Templates {
    private final TemplateEngine engine =
            TemplateEngine.createPrecompiled(
                    null, ContentType.Html, null, Templates.class.getPackageName());

    /// @param name of the template, such as `overview`
    /// @param page its only parameter
    public String render(String name, Record page) {
        StringOutput html = new StringOutput();
        engine.render(name + ".jte", page, html);
        return html.toString();
    }
}
