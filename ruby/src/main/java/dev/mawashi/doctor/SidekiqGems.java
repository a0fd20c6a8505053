package dev.mawashi.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.AbstractNodeVisitor;
import org.ruby_lang.prism.Nodes;

/// The gems that rely on parts of Sidekiq, with how far they get here: read from the table that a
/// starting server uses, `known_reliances.rb`, so that there is one.
final class SidekiqGems extends AbstractNodeVisitor<@Nullable Void> {
    private static final String TABLE = "/mawashi/known_reliances.rb";

    private final Map<String, String> constants = new HashMap<>();
    private final List<Known> gems = new ArrayList<>();

    /// A gem of the table.
    ///
    /// @param works `yes`, `part`, or `no`, with which a server does not start
    /// @param here what becomes of it here
    /// @param instead the remedy; "" where none is needed
    record Known(String name, String works, String here, String instead) {
        boolean isRefused() {
            return works.equals("no");
        }

        String text() {
            return instead.isEmpty() ? here : here + "; " + instead;
        }
    }

    private SidekiqGems() {}

    /// By name.
    static Map<String, Known> read(RubyParser parser) {
        try (InputStream table = SidekiqGems.class.getResourceAsStream(TABLE)) {
            SidekiqGems gems = new SidekiqGems();
            byte[] ruby = Objects.requireNonNull(table, TABLE).readAllBytes();
            parser.parse(ruby).value.accept(gems);
            Map<String, Known> byName = new HashMap<>();
            gems.gems.forEach(gem -> byName.put(gem.name(), gem));
            return byName;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TABLE + ": " + e.getMessage(), e);
        }
    }

    @Override
    protected @Nullable Void defaultVisit(Nodes.Node node) {
        node.visitChildNodes(this);
        return null;
    }

    @Override
    public @Nullable Void visitConstantWriteNode(Nodes.ConstantWriteNode node) {
        String text = Names.literal(node.value);
        if (text != null) {
            constants.put(Names.of(node.name), text);
        }
        return defaultVisit(node);
    }

    @Override
    public @Nullable Void visitCallNode(Nodes.CallNode call) {
        if (Names.constant(call.receiver).equals("Gem") && Names.of(call.name).equals("new")) {
            gems.add(
                    new Known(
                            text(call, "name"),
                            text(call, "works"),
                            text(call, "here"),
                            text(call, "instead")));
        }
        return defaultVisit(call);
    }

    private String text(Nodes.CallNode call, String field) {
        return text(Names.keyword(call, field));
    }

    /// A text of literals and of constants of the file.
    private String text(Nodes.@Nullable Node node) {
        return switch (node) {
            case Nodes.InterpolatedStringNode parts -> {
                StringBuilder text = new StringBuilder();
                for (Nodes.Node part : parts.parts) {
                    text.append(text(part));
                }
                yield text.toString();
            }
            case Nodes.EmbeddedStatementsNode embedded when embedded.statements != null ->
                    text(embedded.statements.body[0]);
            case Nodes.ConstantReadNode read -> constants.getOrDefault(Names.of(read.name), "");
            case null, default -> Objects.requireNonNullElse(Names.literal(node), "");
        };
    }
}
