package dev.mawashi.http;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// Answers requests that the library itself refuses, in plain text and without the client's input.
final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Dispatcher.addHeaders(response.getHeaders());
        response.getHeaders().put("Content-Type", "text/plain; charset=utf-8");
        Content.Sink.write(response, true, reason(response.getStatus()) + "\n", callback);
        return true;
    }

    private static String reason(int status) {
        return switch (status) {
            case HttpStatus.BAD_REQUEST_400 ->
                    "this is no request in the form of HTTP/1.1, or its path is no UTF-8 in percent"
                            + " encoding";
            case HttpStatus.URI_TOO_LONG_414, HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
                    "address and headers have at most 16 KiB together";
            default -> HttpStatus.getMessage(status);
        };
    }
}
