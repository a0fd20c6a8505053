package dev.mawashi.bench.chart;

import java.io.IOException;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// Reads what was written, by XML's rules, which are stricter than a browser's.
public final class Markup {
    private Markup() {}

    /// @throws AssertionError when it is not well-formed
    public static Document parse(String text) {
        try {
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (SAXException e) {
            throw new AssertionError(e.getMessage() + " in: " + text, e);
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
