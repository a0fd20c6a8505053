package dev.mawashi.http;

/// What an action makes of a call: an answer, or a place among those who follow a stream.
public sealed interface CallReply permits Answer, Following {}
