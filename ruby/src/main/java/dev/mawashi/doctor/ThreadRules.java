package dev.mawashi.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.AbstractNodeVisitor;
import org.ruby_lang.prism.Nodes;

/// Finds code of a file that is not safe where jobs run side by side: keeps the scope of each node,
/// and has the rules judge it.
final class ThreadRules extends AbstractNodeVisitor<@Nullable Void> {
    private static final Set<String> LATER =
            Set.of("define_method", "define_singleton_method", "lambda", "proc");

    /// Called with a constant, their blocks have it for `self`.
    private static final Set<String> OF_CLASS =
            Set.of("class_eval", "class_exec", "module_eval", "module_exec");

    private static final Set<String> LOCKS =
            Set.of("synchronize", "mon_synchronize", "with_write_lock", "exclusively");

    private final CallRules calls;
    private final SharedState state;
    private Scope scope = Scope.FILE;

    private ThreadRules(String file, Nodes.Source source, Set<String> ownMethods) {
        calls = new CallRules(ownMethods);
        state = new SharedState(file, source);
    }

    /// @param types those of the same file
    static List<Finding> find(
            String file, Nodes.Source source, Nodes.Node root, List<RubyType> types) {
        Set<String> own =
                types.stream().flatMap(type -> type.methods.stream()).collect(Collectors.toSet());
        ThreadRules rules = new ThreadRules(file, source, own);
        root.accept(rules);
        return rules.state.findings();
    }

    @Override
    protected @Nullable Void defaultVisit(Nodes.Node node) {
        state.visit(node, scope);
        node.visitChildNodes(this);
        return null;
    }

    private @Nullable Void inside(Scope inner, Nodes.@Nullable Node node) {
        if (node != null) {
            Scope outer = scope;
            scope = inner;
            node.accept(this);
            scope = outer;
        }
        return null;
    }

    @Override
    public @Nullable Void visitClassNode(Nodes.ClassNode node) {
        return inside(scope.body(new Scope.ClassMethods(false, Set.of())), node.body);
    }

    @Override
    public @Nullable Void visitSingletonClassNode(Nodes.SingletonClassNode node) {
        boolean isOfSelf = node.expression instanceof Nodes.SelfNode;
        return inside(scope.body(new Scope.ClassMethods(isOfSelf, Set.of())), node.body);
    }

    @Override
    public @Nullable Void visitModuleNode(Nodes.ModuleNode node) {
        boolean isForClasses = Names.constant(node.constant_path).endsWith("ClassMethods");
        Scope.ClassMethods methods =
                isForClasses
                        ? new Scope.ClassMethods(true, Set.of())
                        : ModuleFunctions.of(node.body);
        return inside(scope.body(methods), node.body);
    }

    @Override
    public @Nullable Void visitDefNode(Nodes.DefNode node) {
        Nodes.DefNode whole = node.getNonLazy();
        boolean isOfClass =
                whole.receiver instanceof Nodes.SelfNode
                        || whole.receiver instanceof Nodes.ConstantReadNode
                        || (whole.receiver == null
                                && scope.classMethods().has(Names.of(whole.name)));
        Scope method = scope.method(isOfClass);
        inside(method, whole.parameters);
        return inside(method, whole.body);
    }

    @Override
    public @Nullable Void visitLambdaNode(Nodes.LambdaNode node) {
        return inside(scope.later(), node.body);
    }

    @Override
    public @Nullable Void visitDefinedNode(Nodes.DefinedNode node) {
        // It asks only.
        return null;
    }

    @Override
    public @Nullable Void visitCallNode(Nodes.CallNode node) {
        Rule rule = calls.of(node);
        if (rule != null && isReported(rule)) {
            state.add(rule, node, scope);
        }
        state.visitCall(node, scope);
        if (node.receiver != null) {
            node.receiver.accept(this);
        }
        if (node.arguments != null) {
            node.arguments.accept(this);
        }
        return inside(ofBlock(node), node.block);
    }

    private boolean isReported(Rule rule) {
        return switch (rule) {
            case FOLDER, FORK, THREAD -> true;
            // In a process of its own a job may do what it likes.
            case EXEC, PROCESS -> scope.isRunning() && !scope.isForked();
            default -> scope.isRunning();
        };
    }

    private Scope ofBlock(Nodes.CallNode call) {
        String name = Names.of(call.name);
        if (name.equals("class_methods")) {
            return scope.body(new Scope.ClassMethods(true, Set.of()));
        }
        if (name.equals("define_method")) {
            return scope.method(false);
        }
        if (LATER.contains(name)) {
            return scope.later();
        }
        if (LOCKS.contains(name)) {
            return scope.guarded();
        }
        if (OF_CLASS.contains(name) && !Names.constant(call.receiver).isEmpty()) {
            return scope.body(new Scope.ClassMethods(false, Set.of()));
        }
        return name.equals("fork") ? scope.forked() : scope.block();
    }

    /// The methods of a module whose `self` is the module: `module_function`, with names or for
    /// all, and `extend self`.
    private static final class ModuleFunctions {
        private static Scope.ClassMethods of(Nodes.@Nullable Node body) {
            List<String> names = new ArrayList<>();
            boolean isAll = false;
            boolean isFromHere = false;
            if (body instanceof Nodes.StatementsNode statements) {
                for (Nodes.Node one : statements.body) {
                    if (one instanceof Nodes.CallNode call && call.receiver == null) {
                        String name = Names.of(call.name);
                        isAll |= name.equals("extend") && hasSelf(call);
                        isFromHere |= name.equals("module_function") && call.arguments == null;
                        names.addAll(names(call));
                    } else if (isFromHere && one instanceof Nodes.DefNode method) {
                        names.add(Names.of(method.name));
                    }
                }
            }
            return new Scope.ClassMethods(isAll, Set.copyOf(names));
        }

        private static boolean hasSelf(Nodes.CallNode call) {
            return Names.arguments(call).stream().anyMatch(Nodes.SelfNode.class::isInstance);
        }

        private static List<String> names(Nodes.CallNode call) {
            if (!Names.of(call.name).equals("module_function")) {
                return List.of();
            }
            return Names.arguments(call).stream()
                    .flatMap(one ->
                            one instanceof Nodes.DefNode method
                                    ? List.of(Names.of(method.name)).stream()
                                    : Names.literals(one).stream())
                    .toList();
        }
    }
}
