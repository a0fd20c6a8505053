package dev.mawashi.bench.rig;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// The counts of a running JVM since its start: bytes allocated on its heap, threads. The JVM needs
/// no flag for that; it starts its management agent when this attaches to it.
public final class Internals implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private Internals(JMXConnector connector) throws IOException {
        this.connector = connector;
        server = connector.getMBeanServerConnection();
    }

    /// @throws BenchFailure when the process is no JVM, or does not answer
    @SuppressWarnings("BanJNDI") // The other end is a process that was started here.
    public static Internals of(ProcFile process) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
            try {
                String address = machine.startLocalManagementAgent();
                return new Internals(JMXConnectorFactory.connect(new JMXServiceURL(address)));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | IOException e) {
            throw new BenchFailure(
                    "cannot attach to process " + process.pid() + ": " + e.getMessage(), e);
        }
    }

    /// Bytes that all threads have allocated, those that have ended too.
    public long bytes() {
        return count("TotalThreadAllocatedBytes");
    }

    /// Platform threads started so far, a few of which answer these questions.
    public long threadsStarted() {
        return count("TotalStartedThreadCount");
    }

    private long count(String attribute) {
        try {
            ObjectName threads = new ObjectName("java.lang:type=Threading");
            return (Long) server.getAttribute(threads, attribute);
        } catch (JMException | IOException e) {
            throw new BenchFailure("a JVM does not report " + attribute + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException _) {
            // The JVM has ended, and with it the connection.
        }
    }
}
