package dev.mawashi.http;

import java.util.Map;

/// The address of a server and the rights of its callers.
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

    /// The same for what nobody may see without a secret, save on this machine.
    ///
    /// @throws IllegalArgumentException also when other machines could call and no role has a
    ///   secret
    public static Access guarded(String address, Map<String, String> environment) {
        Access access = of(address, environment);
        if (access.credentials().isEmpty() && !access.address().isLoopback()) {
            throw new IllegalArgumentException(
                    access.address()
                            + " can be called from other machines: set MAWASHI_WEB_VIEWER,"
                            + " _ENQUEUER, _OPERATOR or _ADMIN to a secret of at least "
                            + Credentials.LENGTH_MIN
                            + " characters");
        }
        return access;
    }

    /// Whether those who show no secret may do anything: only programs on this machine can call.
    boolean trustsCallers() {
        return credentials.isEmpty() && address.isLoopback();
    }
}
