package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;
import java.util.Set;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Another program, as `jconsole` is one, reads the beans of a real server.
final class BeansIT {
    @TempDir Path folder;

    /// The address is that of a process which the test itself has started.
    @SuppressWarnings("BanJNDI")
    @Test
    void anotherProgramReadsWhatTheServerDid() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(5, "plain", "PlainJob", "[]");
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2");
            place.await("five ran", () -> place.ledger().byJid("end").size() == 5);
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(server.pid()));
            JMXServiceURL url = new JMXServiceURL(machine.startLocalManagementAgent());
            machine.detach();
            try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
                MBeanServerConnection beans = connector.getMBeanServerConnection();
                place.await("beans are there", () -> names(beans).size() == 2);
                ObjectName capsule =
                        new ObjectName("dev.mawashi:type=Capsule,name=\"default\",runner=mri");
                place.await("five are counted", () -> value(beans, capsule, "Runs").equals(5L));
                assertThat(value(beans, capsule, "Slots")).isEqualTo(2L);
                assertThat(value(beans, new ObjectName("dev.mawashi:type=Server"), "Ready"))
                        .isEqualTo(true);
            }
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    private static Set<ObjectName> names(MBeanServerConnection beans) {
        try {
            return beans.queryNames(new ObjectName("dev.mawashi:*"), null);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Object value(MBeanServerConnection beans, ObjectName name, String attribute) {
        try {
            return beans.getAttribute(name, attribute);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
