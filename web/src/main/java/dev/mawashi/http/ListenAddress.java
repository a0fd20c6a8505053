package dev.mawashi.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/// An address to listen at.
///
/// @param host a name or an address of this machine
/// @param port 0 to 65535; 0 is any that is free
public record ListenAddress(String host, int port) {
    private static final String LOOPBACK = "127.0.0.1";

    public ListenAddress {
        Objects.requireNonNull(host, "host");
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not 0 to 65535");
        }
    }

    /// Reads `PORT`, `HOST:PORT` or `[ADDRESS]:PORT`; without a host it is the loopback interface.
    ///
    /// @throws IllegalArgumentException with a message for the operator
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\": an IPv6 address stands in brackets, as in [::1]:7433");
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" names no host before the colon: give PORT or HOST:PORT");
        }
        return new ListenAddress(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String text, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no address: give PORT or HOST:PORT");
        }
    }

    /// Whether only programs on this machine can reach it.
    ///
    /// @throws IllegalArgumentException when the host is not known
    public boolean isLoopback() {
        return address(host).isLoopbackAddress();
    }

    /// Whether who listens at one of them listens at the other. Never so for any free port.
    ///
    /// @throws IllegalArgumentException when a host is not known
    public boolean isSameAs(ListenAddress other) {
        return port != 0 && port == other.port && address(host).equals(address(other.host));
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("there is no host " + host, e);
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
