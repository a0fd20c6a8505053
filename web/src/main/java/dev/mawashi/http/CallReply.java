package dev.mawashi.http;

/// The reply to a call: an answer, or a place among the readers of a stream.
public sealed interface CallReply permits Answer, Following {}
