package dev.mawashi.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class ChartTest {
    private static Bars bars(double... values) {
        List<Bar> bars =
                IntStream.range(0, values.length)
                        .mapToObj(i ->
                                new Bar(
                                        "row-" + i,
                                        "",
                                        values[i],
                                        values[i] * 0.9,
                                        values[i] * 1.1,
                                        Hue.BLUE))
                        .toList();
        return new Bars("Jobs a second", 0, bars);
    }

    private static Curves curves(Axis x, Axis y, Curve.Point... points) {
        return new Curves(
                "Rates", x, y, List.of(new Curve("one", Hue.TEAL, false, List.of(points))));
    }

    private static NodeList elements(Chart chart, String name) {
        return Markup.parse(chart.draw().element()).getElementsByTagName(name);
    }

    private static double attribute(NodeList elements, int index, String name) {
        return Double.parseDouble(((Element) elements.item(index)).getAttribute(name));
    }

    @Test
    void aBarIsAsLongAsItsPartOfTheLongest() {
        NodeList rectangles = elements(bars(1_000, 250), "rect");
        double longest = attribute(rectangles, 1, "width");
        assertThat(attribute(rectangles, 3, "width")).isBetween(longest * 0.24, longest * 0.26);
    }

    @Test
    void barsAndTheirFiguresStayInside() {
        Bars bars = bars(12_345_678, 2);
        NodeList rectangles = elements(bars, "rect");
        assertThat(attribute(rectangles, 0, "width")).isLessThan(360 - 10 * 7);
        assertThat(bars.draw().element()).contains(">12,345,678</text>");
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0,
                -1,
                1e-12,
                1e18,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY
            })
    void anyFigureIsDrawnOrSaidToBeNone(double value) {
        List<Chart> charts =
                List.of(
                        bars(value),
                        bars(value, 5),
                        curves(
                                Axis.linear("s", value),
                                Axis.logarithmic("ms", value, value),
                                new Curve.Point(value, 1),
                                new Curve.Point(1, value),
                                new Curve.Point(2, 2)),
                        new Cores(
                                "one",
                                Hue.PINK,
                                value,
                                value,
                                List.of(1.0, 2.0),
                                List.of(List.of(value, 0.5), List.of(0.5, value))));
        for (Chart chart : charts) {
            String element = chart.draw().element();
            Markup.parse(element);
            assertThat(element).doesNotContain("NaN").doesNotContain("Infinity");
        }
    }

    @Test
    void chartsOfNothingAreDrawn() {
        Markup.parse(bars().draw().element());
        Markup.parse(curves(Axis.linear("s", 1), Axis.percentiles("of all")).draw().element());
        Markup.parse(new Cores("none", Hue.GREY, 0, 0, List.of(), List.of()).draw().element());
    }

    @Test
    void manyCoresAreStripsOfTheirOwn() {
        List<List<Double>> busy = IntStream.range(0, 64).mapToObj(_ -> List.of(0.5)).toList();
        Cores cores = new Cores("many", Hue.BLUE, 2, 1, List.of(2.0), busy);
        assertThat(elements(cores, "rect").getLength()).isEqualTo(64);
    }

    @Test
    void namesCannotBreakOutOfTheirText() {
        String name = "</text><script>alert(\"1\")</script>&\u0001";
        Bars bars = new Bars(name, 0, List.of(new Bar(name, name, 1, 1, 1, Hue.GREY)));
        assertThat(elements(bars, "script").getLength()).isZero();
        assertThat(elements(bars, "text").item(0).getTextContent())
                .isEqualTo("</text><script>alert(\"1\")</script>&?");
    }

    @Test
    void ticksAreRoundNumbersThatReachTheEnd() {
        assertThat(Axis.linear("jobs/s", 437_951).ticks())
                .extracting(Axis.Tick::text)
                .containsExactly("0", "200k", "400k", "600k");
        assertThat(Axis.linear("s", 0.3).ticks())
                .extracting(Axis.Tick::text)
                .containsExactly("0", "0.1", "0.2", "0.3");
        assertThat(Axis.logarithmic("ms", 0.4, 70).ticks())
                .extracting(Axis.Tick::text)
                .containsExactly("0.1", "1", "10", "100");
    }

    @Test
    void theLastHundredthHasAsMuchRoomAsTheLastTenth() {
        Axis axis = Axis.percentiles("of all");
        assertThat(axis.at(0.99) - axis.at(0.9))
                .isCloseTo(axis.at(0.9) - axis.at(0), Offset.offset(1e-9));
        assertThat(axis.at(1)).isEqualTo(1);
    }

    @Test
    void aNumberThatIsNoneIsRefused() {
        assertThatThrownBy(() -> Svg.number(Double.NaN)).hasMessageContaining("NaN");
        assertThat(Svg.number(-0.01)).isEqualTo("0");
    }

    @Test
    void aDocumentHasItsOwnStyleForLightAndDark() {
        String document = bars(1).draw().document();
        Markup.parse(document);
        assertThat(document).contains("prefers-color-scheme: dark", "class=\"ground\"");
    }
}
