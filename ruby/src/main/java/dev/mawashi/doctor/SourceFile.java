package dev.mawashi.doctor;

import java.util.List;
import org.ruby_lang.prism.ParseResult;

/// The contents of a Ruby file, as far as they matter.
///
/// @param types in the order in which it opens them
/// @param findings by line; of a file that does not parse, of which nothing else is known, the
///   first mistake
record SourceFile(String name, List<RubyType> types, List<Finding> findings) {
    SourceFile {
        types = List.copyOf(types);
        findings = List.copyOf(findings);
    }

    /// @param name relative to the app's folder
    static SourceFile of(String name, ParseResult parsed) {
        if (parsed.errors.length > 0) {
            // Of such a file Prism's loader makes no nodes.
            ParseResult.Error first = parsed.errors[0];
            int line = parsed.source.line(first.location.startOffset);
            Finding mistake = new Finding(Rule.SYNTAX, name, line, first.message, true);
            return new SourceFile(name, List.of(), List.of(mistake));
        }
        TypeCollector collector = new TypeCollector(name, parsed.source);
        parsed.value.accept(collector);
        List<RubyType> types = collector.types();
        return new SourceFile(
                name, types, ThreadRules.find(name, parsed.source, parsed.value, types));
    }
}
