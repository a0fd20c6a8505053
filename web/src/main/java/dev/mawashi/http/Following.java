package dev.mawashi.http;

/// The wish to follow a stream, see `EventStream.follow`.
record Following(EventStream stream) implements CallReply {}
