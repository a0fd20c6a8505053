package dev.mawashi.http;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// What the library refuses by itself is answered in plain text, without anything that the client
/// has sent.
final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Dispatcher.addHeaders(response.getHeaders());
        response.getHeaders().put("Content-Type", "text/plain; charset=utf-8");
        Content.Sink.write(
                response, true, HttpStatus.getMessage(response.getStatus()) + "\n", callback);
        return true;
    }
}
