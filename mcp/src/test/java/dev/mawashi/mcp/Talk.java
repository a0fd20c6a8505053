package dev.mawashi.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A `mawashi mcp` in a process of its own, and a conversation with it line by line. Whatever is on
/// its standard output has to be a message.
final class Talk implements AutoCloseable {
    static final String GREETING =
            """
            {"jsonrpc":"2.0","id":"hi","method":"initialize","params":\
            {"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"talk","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static final long SECONDS_MAX = 60;

    private final Process process;
    private final BufferedReader reader;
    private final OutputStream writer;

    /// @param words after `mawashi mcp`
    Talk(String... words) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(arguments(words));
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        reader = process.inputReader(StandardCharsets.UTF_8);
        writer = process.getOutputStream();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// The words of the command after `java`.
    static List<String> arguments(String... words) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                // The library has words in other languages too.
                                "-Duser.language=de",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.mawashi.cli.Main",
                                "mcp"));
        arguments.addAll(List.of(words));
        return arguments;
    }

    /// Says hello, and reads the answer.
    Talk greet() throws IOException {
        send(GREETING.strip());
        answer();
        return this;
    }

    /// @param lines without the last end
    void send(String lines) throws IOException {
        writer.write((lines + "\n").getBytes(StandardCharsets.UTF_8));
        writer.flush();
    }

    /// The next line of its output.
    JsonNode answer() throws IOException {
        String line = reader.readLine();
        if (line == null) {
            throw new IllegalStateException("it has ended: " + errors());
        }
        return JsonMapper.shared().readTree(line);
    }

    /// What a tool answers, with the text in it as JSON where it is some.
    JsonNode call(String tool, Map<String, Object> arguments) throws IOException {
        JsonMapper json = JsonMapper.shared();
        Map<String, Object> call = Map.of("name", tool, "arguments", arguments);
        send(
                json.writeValueAsString(
                        Map.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", call)));
        return answer();
    }

    static String text(JsonNode answer) {
        return answer.at("/result/content/0/text").asString("none: " + answer);
    }

    /// All that it writes until its end, line by line.
    List<JsonNode> rest() throws IOException {
        writer.close();
        List<JsonNode> rest = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            rest.add(JsonMapper.shared().readTree(line));
        }
        return rest;
    }

    String errors() throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Its status at its end.
    int status() throws InterruptedException {
        return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
