package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.Nodes;

/// Judges writes to what threads share: variables of classes, class variables, globals, objects of
/// constants; and collects the findings of a file.
///
/// Whether `LIST << x` does harm is known once the file has been read: only where `LIST` is a plain
/// array, hash, set or string that is not frozen.
final class SharedState {
    private static final Set<String> CHANGES =
            Set.of(
                    "<<",
                    "[]=",
                    "push",
                    "append",
                    "unshift",
                    "prepend",
                    "insert",
                    "concat",
                    "add",
                    "delete",
                    "delete_at",
                    "delete_if",
                    "clear",
                    "merge!",
                    "update",
                    "store",
                    "replace",
                    "shift",
                    "pop",
                    "map!",
                    "select!",
                    "filter!",
                    "reject!",
                    "sort!",
                    "sort_by!",
                    "compact!",
                    "flatten!",
                    "uniq!",
                    "keep_if",
                    "gsub!",
                    "sub!",
                    "add?",
                    "delete?",
                    "transform_values!",
                    "transform_keys!",
                    "default=");

    private static final Set<String> COLLECTIONS =
            Set.of("Array", "Hash", "Set", "String", "StringIO");

    /// Set per thread or per method by Ruby itself.
    private static final Set<String> OWN_GLOBALS = Set.of("$~", "$_", "$!", "$@", "$?", "$&");

    private static final Set<String> ACCESSORS =
            Set.of(
                    "cattr_accessor",
                    "cattr_writer",
                    "mattr_accessor",
                    "mattr_writer",
                    "class_attribute");

    /// The same in `class << self`.
    private static final Set<String> ATTRIBUTES =
            Set.of(
                    "attr_accessor",
                    "attr_writer",
                    "attr_internal",
                    "attr_internal_accessor",
                    "attr_internal_writer");

    private final String file;
    private final Nodes.Source source;
    private final List<Finding> findings = new ArrayList<>();

    /// Constants and variables of classes that hold a plain object.
    private final Set<String> plain = new HashSet<>();

    /// Changes of the objects of constants and variables.
    private final List<Change> changes = new ArrayList<>();

    private record Change(String name, Finding finding) {}

    SharedState(String file, Nodes.Source source) {
        this.file = file;
        this.source = source;
    }

    /// By line.
    List<Finding> findings() {
        changes.stream()
                .filter(change -> plain.contains(change.name()))
                .forEach(change -> findings.add(change.finding()));
        return findings.stream().sorted(Comparator.comparingInt(Finding::line)).distinct().toList();
    }

    void add(Rule rule, Nodes.CallNode call, Scope scope) {
        String receiver = call.receiver == null ? "" : Names.constant(call.receiver) + ".";
        add(rule, call, receiver + Names.of(call.name), scope);
    }

    private void add(Rule rule, Nodes.Node node, String code, Scope scope) {
        findings.add(finding(rule, node, code, scope));
    }

    private Finding finding(Rule rule, Nodes.Node node, String code, Scope scope) {
        return new Finding(rule, file, source.line(node.startOffset), code, !scope.isRunning());
    }

    void visit(Nodes.Node node, Scope scope) {
        switch (node) {
            case Nodes.InstanceVariableWriteNode write -> variable(write, write.name, scope);
            case Nodes.InstanceVariableOrWriteNode write ->
                    variable(write, write.name, write.value, "||=", scope);
            case Nodes.InstanceVariableAndWriteNode write ->
                    variable(write, write.name, write.value, "&&=", scope);
            case Nodes.InstanceVariableOperatorWriteNode write ->
                    variable(
                            write, write.name, write.value, operator(write.binary_operator), scope);
            case Nodes.InstanceVariableTargetNode target ->
                    variable(target, target.name, null, "=", scope);
            case Nodes.ClassVariableWriteNode write -> classVariable(write, write.name, "=", scope);
            case Nodes.ClassVariableOrWriteNode write ->
                    classVariable(write, write.name, "||=", scope);
            case Nodes.ClassVariableAndWriteNode write ->
                    classVariable(write, write.name, "&&=", scope);
            case Nodes.ClassVariableOperatorWriteNode write ->
                    classVariable(write, write.name, operator(write.binary_operator), scope);
            case Nodes.ClassVariableTargetNode target ->
                    classVariable(target, target.name, "=", scope);
            case Nodes.GlobalVariableWriteNode write -> global(write, write.name, "=", scope);
            case Nodes.GlobalVariableOrWriteNode write -> global(write, write.name, "||=", scope);
            case Nodes.GlobalVariableAndWriteNode write -> global(write, write.name, "&&=", scope);
            case Nodes.GlobalVariableOperatorWriteNode write ->
                    global(write, write.name, operator(write.binary_operator), scope);
            case Nodes.GlobalVariableTargetNode target -> global(target, target.name, "=", scope);
            default -> visitOther(node, scope);
        }
    }

    private void visitOther(Nodes.Node node, Scope scope) {
        switch (node) {
            case Nodes.ConstantWriteNode write -> constant(Names.of(write.name), write.value);
            case Nodes.ConstantOrWriteNode write -> constant(Names.of(write.name), write.value);
            case Nodes.IndexOrWriteNode write -> index(write, write.receiver, "||=", scope);
            case Nodes.IndexAndWriteNode write -> index(write, write.receiver, "&&=", scope);
            case Nodes.IndexOperatorWriteNode write ->
                    index(write, write.receiver, operator(write.binary_operator), scope);
            case Nodes.IndexTargetNode target -> index(target, target.receiver, "=", scope);
            case Nodes.CallOrWriteNode write ->
                    attribute(write, write.receiver, write.read_name, "||=", scope);
            case Nodes.CallAndWriteNode write ->
                    attribute(write, write.receiver, write.read_name, "&&=", scope);
            case Nodes.CallOperatorWriteNode write ->
                    attribute(
                            write,
                            write.receiver,
                            write.read_name,
                            operator(write.binary_operator),
                            scope);
            case Nodes.ConstantReadNode read when Names.of(read.name).equals("RubyVM") ->
                    add(Rule.MRI_ONLY, read, "RubyVM", scope);
            default -> {
                // Nothing that threads share.
            }
        }
    }

    private static String operator(byte[] name) {
        return Names.of(name) + "=";
    }

    private void variable(Nodes.InstanceVariableWriteNode write, byte[] name, Scope scope) {
        if (!scope.isRunning()
                && scope.isModule()
                && !scope.isInBlock()
                && isLiteral(write.value)) {
            add(Rule.SHARED_OBJECT, write, Names.of(name) + " =", scope);
        }
        variable(write, name, write.value, "=", scope);
    }

    private void variable(
            Nodes.Node node,
            byte[] name,
            Nodes.@Nullable Node value,
            String operator,
            Scope scope) {
        String variable = Names.of(name);
        if (scope.sharesVariables()) {
            add(Rule.CLASS_STATE, node, variable + " " + operator, scope);
        }
        if (scope.isSelfClass() && isPlain(value)) {
            plain.add(variable);
        }
    }

    private void classVariable(Nodes.Node node, byte[] name, String operator, Scope scope) {
        if (scope.shares()) {
            add(Rule.CLASS_VARIABLE, node, Names.of(name) + " " + operator, scope);
        }
    }

    private void global(Nodes.Node node, byte[] name, String operator, Scope scope) {
        String variable = Names.of(name);
        if (scope.shares() && !OWN_GLOBALS.contains(variable)) {
            boolean isTitle = variable.equals("$0") || variable.equals("$PROGRAM_NAME");
            Rule rule = isTitle ? Rule.PROCESS : Rule.GLOBAL;
            add(rule, node, variable + " " + operator, scope);
        }
    }

    private void constant(String name, Nodes.Node value) {
        if (isPlain(value)) {
            plain.add(name);
        }
    }

    void visitCall(Nodes.CallNode call, Scope scope) {
        String name = Names.of(call.name);
        if (call.receiver == null) {
            declaration(call, name, scope);
            return;
        }
        if (CHANGES.contains(name)) {
            change(call, call.receiver, name, scope);
        }
        boolean isWrite = name.endsWith("=") && call.isAttributeWrite() && !name.equals("[]=");
        if (isWrite) {
            String attribute = name.substring(0, name.length() - 1);
            attribute(call, call.receiver, attribute.getBytes(UTF_8), "=", scope);
        }
    }

    private void declaration(Nodes.CallNode call, String name, Scope scope) {
        boolean isOfClass =
                ACCESSORS.contains(name)
                        || (scope.classMethods().isAll() && ATTRIBUTES.contains(name));
        if (isOfClass && !scope.isRunning()) {
            List<String> names =
                    Names.arguments(call).stream()
                            .flatMap(argument -> Names.literals(argument).stream())
                            .toList();
            add(Rule.CLASS_ATTRIBUTE, call, name + " " + String.join(", ", names), scope);
        }
        if (name.equals("instance_variable_set") && scope.sharesVariables()) {
            add(Rule.CLASS_STATE, call, name, scope);
        }
    }

    private void index(
            Nodes.Node node, Nodes.@Nullable Node receiver, String operator, Scope scope) {
        if (receiver == null) {
            return;
        }
        if (Names.constant(receiver).equals("ENV")) {
            if (scope.isRunning()) {
                add(Rule.ENVIRONMENT, node, "ENV[] " + operator, scope);
            }
            return;
        }
        change(node, receiver, "[] " + operator, scope);
    }

    /// `self.class.total += 1`: an attribute of the class.
    private void attribute(
            Nodes.Node node,
            Nodes.@Nullable Node receiver,
            byte[] name,
            String operator,
            Scope scope) {
        boolean isOfClass =
                receiver instanceof Nodes.CallNode call
                        && call.receiver instanceof Nodes.SelfNode
                        && Names.of(call.name).equals("class");
        if (isOfClass && scope.shares()) {
            String code = "self.class." + Names.of(name) + " " + operator;
            add(Rule.CLASS_STATE, node, code, scope);
        }
    }

    private void change(Nodes.Node node, Nodes.Node receiver, String how, Scope scope) {
        if (!scope.shares()) {
            return;
        }
        switch (receiver) {
            case Nodes.ConstantReadNode read -> {
                String name = Names.of(read.name);
                Finding finding = finding(Rule.MUTABLE_CONSTANT, node, name + " " + how, scope);
                changes.add(new Change(name, finding));
            }
            case Nodes.InstanceVariableReadNode read when scope.sharesVariables() -> {
                String name = Names.of(read.name);
                Finding finding = finding(Rule.CLASS_STATE, node, name + " " + how, scope);
                changes.add(new Change(name, finding));
            }
            case Nodes.ClassVariableReadNode read ->
                    add(Rule.CLASS_VARIABLE, node, Names.of(read.name) + " " + how, scope);
            default -> {
                // An object of the method's own, as far as can be seen.
            }
        }
    }

    private static boolean isLiteral(Nodes.@Nullable Node value) {
        return value instanceof Nodes.ArrayNode
                || value instanceof Nodes.HashNode
                || value instanceof Nodes.InterpolatedStringNode
                || (value instanceof Nodes.StringNode string && !string.isFrozen());
    }

    /// Whether it makes an object that nothing guards and that can be changed.
    private static boolean isPlain(Nodes.@Nullable Node value) {
        if (value instanceof Nodes.CallNode call) {
            String name = Names.of(call.name);
            boolean isCopy = name.equals("+@") || name.equals("dup");
            return isCopy
                    ? isPlain(call.receiver)
                    : name.equals("new") && COLLECTIONS.contains(Names.constant(call.receiver));
        }
        return isLiteral(value);
    }
}
