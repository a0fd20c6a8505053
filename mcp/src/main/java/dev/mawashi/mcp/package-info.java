/// Answers agents in the Model Context Protocol: the API's operations as tools, over standard input
/// and output. Only it sees the protocol's library and Jackson; no server has them on its class
/// path.
@NullMarked
package dev.mawashi.mcp;

import org.jspecify.annotations.NullMarked;
