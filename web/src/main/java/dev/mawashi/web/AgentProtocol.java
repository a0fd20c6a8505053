package dev.mawashi.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.ServiceLoader;

/// Answers one agent over a pair of streams, in the Model Context Protocol. The protocol's library
/// is on the class path of `mawashi mcp` alone, so that no server has it; hence it is looked up.
public interface AgentProtocol {
    /// Answers until `in` ends; what was asked before is answered then.
    ///
    /// @param out nothing else may write there
    /// @throws IOException when `in` cannot be read
    void serve(AgentAccess access, InputStream in, OutputStream out) throws IOException;

    /// @return empty where its jars are not on the class path
    static Optional<AgentProtocol> find() {
        return ServiceLoader.load(AgentProtocol.class).findFirst();
    }
}
