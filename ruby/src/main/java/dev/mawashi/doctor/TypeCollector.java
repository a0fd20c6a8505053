package dev.mawashi.doctor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.AbstractNodeVisitor;
import org.ruby_lang.prism.Nodes;

/// Collects the classes and modules of a file, with what makes them job classes.
final class TypeCollector extends AbstractNodeVisitor<@Nullable Void> {
    private final String file;
    private final Nodes.Source source;
    private final Deque<RubyType> open = new ArrayDeque<>();
    private final List<RubyType> types = new ArrayList<>();
    private int singletons;
    private int methods;

    TypeCollector(String file, Nodes.Source source) {
        this.file = file;
        this.source = source;
    }

    List<RubyType> types() {
        return types;
    }

    @Override
    protected @Nullable Void defaultVisit(Nodes.Node node) {
        node.visitChildNodes(this);
        return null;
    }

    @Override
    public @Nullable Void visitClassNode(Nodes.ClassNode node) {
        enter(node, node.constant_path, Names.constant(node.superclass), true, node.body);
        return null;
    }

    @Override
    public @Nullable Void visitModuleNode(Nodes.ModuleNode node) {
        enter(node, node.constant_path, "", false, node.body);
        return null;
    }

    private void enter(
            Nodes.Node node,
            Nodes.Node path,
            String superclass,
            boolean isClass,
            Nodes.@Nullable Node body) {
        String written = Names.constant(path);
        if (written.isEmpty()) {
            return;
        }
        String name = open.isEmpty() ? written : open.getFirst().name + "::" + written;
        RubyType type =
                new RubyType(name, superclass, isClass, file, source.line(node.startOffset));
        types.add(type);
        open.push(type);
        if (body != null) {
            body.accept(this);
        }
        open.pop();
    }

    @Override
    public @Nullable Void visitSingletonClassNode(Nodes.SingletonClassNode node) {
        singletons++;
        defaultVisit(node);
        singletons--;
        return null;
    }

    @Override
    public @Nullable Void visitDefNode(Nodes.DefNode node) {
        RubyType type = open.peek();
        if (type != null) {
            boolean isOfClass = singletons > 0 || node.receiver instanceof Nodes.SelfNode;
            type.methods.add((isOfClass ? "self." : "") + Names.of(node.name));
        }
        methods++;
        defaultVisit(node);
        methods--;
        return null;
    }

    @Override
    public @Nullable Void visitInstanceVariableWriteNode(Nodes.InstanceVariableWriteNode node) {
        RubyType type = open.peek();
        if (type != null && methods == 0 && Names.of(node.name).equals("@queue")) {
            type.hasResqueQueue = true;
            type.queue = Names.literal(node.value);
        }
        return defaultVisit(node);
    }

    @Override
    public @Nullable Void visitCallNode(Nodes.CallNode node) {
        RubyType type = open.peek();
        boolean isOwn = node.receiver == null || node.receiver instanceof Nodes.SelfNode;
        if (type != null && isOwn) {
            read(type, node);
        } else if (type != null && methods > 0 && node.receiver != null) {
            readHook(type, node);
        }
        return defaultVisit(node);
    }

    private void read(RubyType type, Nodes.CallNode call) {
        switch (Names.of(call.name)) {
            case "include", "prepend", "extend" -> addModules(type, call);
            case "sidekiq_options", "queue_as" -> {
                Nodes.Node option =
                        Names.of(call.name).equals("queue_as")
                                ? Names.arguments(call).stream().findFirst().orElse(null)
                                : Names.keyword(call, "queue");
                String queue = Names.literal(option);
                type.queue = queue == null ? type.queue : queue;
            }
            default -> {
                // Nothing that concerns jobs.
            }
        }
    }

    /// `base.include Sidekiq::Job` and `base.send :include, Sidekiq::Job` in `self.included(base)`.
    private void readHook(RubyType type, Nodes.CallNode call) {
        String name = Names.of(call.name);
        boolean isSent =
                name.equals("send")
                        && Names.arguments(call).stream()
                                .anyMatch(one -> "include".equals(Names.literal(one)));
        if (type.methods.contains("self.included") && (name.equals("include") || isSent)) {
            addModules(type, call);
        }
    }

    private static void addModules(RubyType type, Nodes.CallNode call) {
        for (Nodes.Node argument : Names.arguments(call)) {
            String module = Names.constant(argument);
            if (!module.isEmpty()) {
                type.modules.add(module);
            }
        }
    }
}
