/// The server's own figures as JMX beans, for tools that read those. They are the same as at
/// `/metrics`, and read only when somebody asks.
@NullMarked
package dev.mawashi.beans;

import org.jspecify.annotations.NullMarked;
