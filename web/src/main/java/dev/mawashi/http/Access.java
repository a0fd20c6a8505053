package dev.mawashi.http;

import java.util.Map;

/// Where to listen, and who may call what there.
///
/// @param credentials may be none: then whoever calls from this machine, by one of its own names,
///   is an admin, and at any other address nobody is more than anybody
public record Access(ListenAddress address, Credentials credentials) {

    /// @param address `PORT`, `HOST:PORT` or `[ADDRESS]:PORT`
    /// @param environment may have secrets, see `Credentials`
    /// @throws IllegalArgumentException with a message for the operator
    public static Access of(String address, Map<String, String> environment) {
        return new Access(ListenAddress.parse(address), Credentials.of(environment));
    }

    /// Whether those who show no secret may do anything: only programs on this machine can call.
    boolean trustsCallers() {
        return credentials.isEmpty() && address.isLoopback();
    }
}
