package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListenAddressTest {
    @ParameterizedTest
    @CsvSource({
        "7433,127.0.0.1:7433,true",
        "0,127.0.0.1:0,true",
        "localhost:7433,localhost:7433,true",
        "0.0.0.0:65535,0.0.0.0:65535,false",
        "[::1]:7433,[::1]:7433,true",
        "[::]:7433,[::]:7433,false",
    })
    void isReadAndShown(String text, String shown, boolean isLoopback) {
        ListenAddress address = ListenAddress.parse(text);

        assertThat(address).hasToString(shown);
        assertThat(address.isLoopback()).isEqualTo(isLoopback);
    }

    @ParameterizedTest
    @CsvSource({
        "'',is no address",
        "web,is no address",
        "7433x,is no address",
        "localhost:,is no address",
        ":7433,names no host before the colon",
        "::1:7433,an IPv6 address stands in brackets",
        "65536,port 65536 is not 0 to 65535",
        "-1,port -1 is not 0 to 65535",
    })
    void whatCannotBeMeantIsToldWithTheRemedy(String text, String message) {
        assertThatThrownBy(() -> ListenAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aHostThatIsNotKnownIsNoLoopback() {
        assertThatThrownBy(() -> ListenAddress.parse("no.such.host.invalid:1").isLoopback())
                .hasMessageContaining("no.such.host.invalid");
    }

    @Test
    void oneSocketMayHaveSeveralNames() {
        ListenAddress one = ListenAddress.parse("7433");

        assertThat(one.isSameAs(ListenAddress.parse("localhost:7433"))).isTrue();
        assertThat(one.isSameAs(ListenAddress.parse("0.0.0.0:7433"))).isFalse();
        assertThat(one.isSameAs(ListenAddress.parse("7434"))).isFalse();
        assertThat(ListenAddress.parse("0").isSameAs(ListenAddress.parse("0"))).isFalse();
    }
}
