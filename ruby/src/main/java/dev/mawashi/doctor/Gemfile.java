package dev.mawashi.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.AbstractNodeVisitor;
import org.ruby_lang.prism.Nodes;
import org.ruby_lang.prism.ParseResult;

/// Reads from a Gemfile which gems it asks for, and which of them a server on JRuby does not load:
/// those of the groups for development and tests, and those for other Rubies than JRuby.
final class Gemfile extends AbstractNodeVisitor<@Nullable Void> {
    private static final Set<String> OTHER_GROUPS =
            Set.of("development", "test", "ci", "lint", "doc", "docs", "staging", "deploy");

    private static final Set<String> JRUBY_PLATFORMS = Set.of("jruby", "java");

    private final Deque<Boolean> leftOut = new ArrayDeque<>();
    private final Set<String> names = new TreeSet<>();
    private final Set<String> kept = new TreeSet<>();

    private Gemfile() {}

    /// @param kept names of gems that are loaded
    /// @param leftOut names of those that are not
    record Asked(Set<String> kept, Set<String> leftOut) {}

    /// @return none where it cannot be read
    static Asked read(Path file, RubyParser parser, List<String> troubles) {
        try {
            ParseResult parsed = parser.parse(Files.readAllBytes(file));
            if (parsed.errors.length > 0) {
                troubles.add(
                        "%s:%s does not parse: %s"
                                .formatted(
                                        file,
                                        parsed.source.line(parsed.errors[0].location.startOffset),
                                        parsed.errors[0].message));
                return new Asked(Set.of(), Set.of());
            }
            Gemfile gemfile = new Gemfile();
            parsed.value.accept(gemfile);
            gemfile.names.removeAll(gemfile.kept);
            return new Asked(gemfile.kept, gemfile.names);
        } catch (RubyParser.Unparsable e) {
            troubles.add(file + " is not read: " + e.getMessage());
            return new Asked(Set.of(), Set.of());
        } catch (IOException e) {
            troubles.add("cannot read " + file + ": " + SourceTree.reason(e));
            return new Asked(Set.of(), Set.of());
        }
    }

    @Override
    protected @Nullable Void defaultVisit(Nodes.Node node) {
        node.visitChildNodes(this);
        return null;
    }

    @Override
    public @Nullable Void visitCallNode(Nodes.CallNode call) {
        switch (Names.of(call.name)) {
            case "gem" -> {
                String name =
                        Names.arguments(call).stream().findFirst().map(Names::literal).orElse(null);
                if (name != null) {
                    (leftOut.contains(true) || isLeftOut(call) ? names : kept).add(name);
                }
            }
            case "group" -> block(call, isOfOtherGroups(literals(Names.arguments(call))));
            case "platforms", "platform" ->
                    block(call, isOfOtherRubies(literals(Names.arguments(call))));
            default -> defaultVisit(call);
        }
        return null;
    }

    private void block(Nodes.CallNode call, boolean isLeftOut) {
        leftOut.push(isLeftOut);
        if (call.block != null) {
            call.block.accept(this);
        }
        leftOut.pop();
    }

    private static boolean isLeftOut(Nodes.CallNode call) {
        List<String> groups = new ArrayList<>(Names.literals(Names.keyword(call, "group")));
        groups.addAll(Names.literals(Names.keyword(call, "groups")));
        List<String> platforms = new ArrayList<>(Names.literals(Names.keyword(call, "platform")));
        platforms.addAll(Names.literals(Names.keyword(call, "platforms")));
        return isOfOtherGroups(groups) || isOfOtherRubies(platforms);
    }

    private static boolean isOfOtherGroups(List<String> groups) {
        return !groups.isEmpty() && OTHER_GROUPS.containsAll(groups);
    }

    private static boolean isOfOtherRubies(List<String> platforms) {
        return !platforms.isEmpty() && platforms.stream().noneMatch(JRUBY_PLATFORMS::contains);
    }

    private static List<String> literals(List<Nodes.Node> nodes) {
        return nodes.stream().flatMap(node -> Names.literals(node).stream()).toList();
    }
}
