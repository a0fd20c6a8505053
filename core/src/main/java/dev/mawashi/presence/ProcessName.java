package dev.mawashi.presence;

/// The name of this process, for other processes and for people.
///
/// @param host `DYNO` or the machine's name
/// @param pid process id
/// @param nonce 12 hex digits, so that a pid used again is another process
/// @param tag what the page shows beside it
/// @param version what the record gives as Sidekiq's version: the app's gem's where there is one,
///   since its page warns of any other
public record ProcessName(String host, long pid, String nonce, String tag, String version) {

    /// The same process once its app is known.
    public ProcessName of(String appTag, String gemVersion) {
        return new ProcessName(host, pid, nonce, appTag, gemVersion);
    }

    /// Sidekiq's form, `host:pid:nonce`.
    public String identity() {
        return host + ":" + pid + ":" + nonce;
    }
}
