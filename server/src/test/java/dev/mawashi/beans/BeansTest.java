package dev.mawashi.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.event.Event;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.metrics.EventTally.Counted;
import dev.mawashi.scrape.ProcessFigures.Pool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BeansTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final AtomicBoolean isReady = new AtomicBoolean(true);
    private final AtomicInteger busy = new AtomicInteger(3);
    private final EventTally events = new EventTally();
    private final Beans beans = new Beans(isReady::get, this::pools, events);

    private List<Pool> pools() {
        return List.of(
                new Pool("default", "jruby", 10, busy.get(), 7, 2, 1_500_000_000),
                new Pool("slow, \"odd\"*", "mri", 2, 0, 0, 0, 0));
    }

    private Set<ObjectName> names() throws Exception {
        return server.queryNames(new ObjectName("dev.mawashi:*"), null);
    }

    private void start() {
        beans.start();
        Eventually.until("beans are there", PATIENCE, () -> countIs(3));
    }

    private boolean countIs(int number) {
        try {
            return names().size() == number;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Object value(String properties, String attribute) throws Exception {
        return server.getAttribute(new ObjectName("dev.mawashi:" + properties), attribute);
    }

    @AfterEach
    void stop() {
        beans.stop(PATIENCE);
    }

    @Test
    void figuresAreReadWhenAskedFor() throws Exception {
        start();
        String capsule = "type=Capsule,name=\"default\",runner=jruby";
        assertThat(value(capsule, "Slots")).isEqualTo(10L);
        assertThat(value(capsule, "BusySlots")).isEqualTo(3L);
        assertThat(value(capsule, "Runs")).isEqualTo(7L);
        assertThat(value(capsule, "FailedRuns")).isEqualTo(2L);
        assertThat(value(capsule, "BusySeconds")).isEqualTo(1.5);
        assertThat(value("type=Server", "Ready")).isEqualTo(true);
        assertThat(value("type=Server", "JobsBuried")).isEqualTo(0L);

        busy.set(4);
        isReady.set(false);
        events.on(new Event.JobBuried(new Event.JobName("q", "C", "j"), "exhausted"));
        assertThat(value(capsule, "BusySlots")).isEqualTo(4L);
        assertThat(value("type=Server", "Ready")).isEqualTo(false);
        assertThat(value("type=Server", "JobsBuried")).isEqualTo(1L);
    }

    @Test
    void everyAttributeThatIsListedCanBeRead() throws Exception {
        start();
        ObjectName name = new ObjectName("dev.mawashi:type=Server");
        var all = server.getMBeanInfo(name).getAttributes();
        assertThat(all).hasSize(1 + Counted.values().length);
        for (var one : all) {
            assertThat(server.getAttribute(name, one.getName()).getClass().getName())
                    .isEqualTo(one.getType());
            assertThat(one.getDescription()).isNotBlank();
            assertThat(one.isWritable()).isFalse();
        }
        assertThat(server.getAttributes(name, new String[] {"Ready", "Nothing"})).hasSize(1);
    }

    @Test
    void nothingCanBeSetAndWhatIsNotThereIsSaid() throws Exception {
        start();
        ObjectName name = new ObjectName("dev.mawashi:type=Server");
        assertThatThrownBy(() -> server.setAttribute(name, new Attribute("Ready", true)))
                .isInstanceOf(AttributeNotFoundException.class);
        assertThatThrownBy(() -> server.getAttribute(name, "Nothing"))
                .isInstanceOf(AttributeNotFoundException.class);
        assertThatThrownBy(() -> server.invoke(name, "stop", null, null))
                .hasMessageContaining("there is no operation");
    }

    @Test
    void aCapsuleMayHaveAnyName() throws Exception {
        start();
        assertThat(
                        server.getAttribute(
                                new ObjectName(
                                        "dev.mawashi:type=Capsule,name="
                                                + ObjectName.quote("slow, \"odd\"*")
                                                + ",runner=mri"),
                                "Slots"))
                .isEqualTo(2L);
    }

    @Test
    void afterTheStopThereAreNone() throws Exception {
        beans.stop(PATIENCE);
        start();
        beans.stop(PATIENCE);
        assertThat(names()).isEmpty();
        beans.stop(PATIENCE);
    }

    /// Such as a benchmark's: the beans of the first stay, and its stop takes only its own away.
    @Test
    void aSecondServerOfTheJvmDoesWithoutBeans() throws Exception {
        start();
        Beans second = new Beans(() -> false, this::pools, events);
        second.start();
        second.stop(PATIENCE);
        assertThat(names()).hasSize(3);
        assertThat(value("type=Server", "Ready")).isEqualTo(true);
    }
}
