package dev.mawashi.beans;

import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.metrics.EventTally.Counted;
import dev.mawashi.scrape.ProcessFigures.Pool;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// The beans of a server, `dev.mawashi:type=Server` and one for each capsule, while it runs.
///
/// The platform's bean server takes a tenth of a second to start in a cold JVM, so a thread of its
/// own registers them while the first jobs run.
public final class Beans implements Service {
    private static final System.Logger LOG = System.getLogger(Beans.class.getName());
    private static final String DOMAIN = "dev.mawashi";
    private static final double NANOS_A_SECOND = 1e9;

    private final BooleanSupplier isReady;
    private final Supplier<List<Pool>> pools;
    private final EventTally events;
    private final List<ObjectName> registered = new ArrayList<>();
    private @Nullable CompletableFuture<Void> registration;

    /// @param isReady whether the server can run jobs now
    /// @param pools its capsules with their figures; always the same ones in the same order
    public Beans(BooleanSupplier isReady, Supplier<List<Pool>> pools, EventTally events) {
        this.isReady = isReady;
        this.pools = pools;
        this.events = events;
    }

    @Override
    public void start() {
        registration = new CompletableFuture<>();
        Thread.ofPlatform().name("mawashi-beans-1").daemon().start(this::registerAll);
    }

    private void registerAll() {
        try {
            register("type=Server", server());
            int place = 0;
            for (Pool pool : pools.get()) {
                String capsule = ObjectName.quote(pool.capsule());
                register("type=Capsule,name=" + capsule + ",runner=" + pool.runner(), pool(place));
                place++;
            }
        } catch (JMException | RuntimeException failure) {
            // Figures are a convenience: the server works without them.
            LOG.log(Level.WARNING, "cannot register JMX beans: " + failure);
        } finally {
            if (registration != null) {
                registration.complete(null);
            }
        }
    }

    private void register(String properties, FigureBean bean) throws JMException {
        ObjectName name = new ObjectName(DOMAIN + ":" + properties);
        try {
            beanServer().registerMBean(bean, name);
            registered.add(name);
        } catch (InstanceAlreadyExistsException _) {
            LOG.log(Level.DEBUG, "another server of this JVM has registered " + name);
        }
    }

    private static MBeanServer beanServer() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    private FigureBean server() {
        List<Figure> figures = new ArrayList<>();
        figures.add(
                new Figure(
                        "Ready",
                        "whether this server can run jobs now",
                        Boolean.class,
                        isReady::getAsBoolean));
        for (Counted one : Counted.values()) {
            figures.add(Figure.number(name(one.word()), one.help(), () -> events.count(one)));
        }
        return new FigureBean("a Mawashi server", figures);
    }

    /// `jobs_retried` as `JobsRetried`.
    private static String name(String word) {
        StringBuilder name = new StringBuilder();
        for (String part : word.split("_", -1)) {
            name.append(Character.toUpperCase(part.charAt(0))).append(part, 1, part.length());
        }
        return name.toString();
    }

    private FigureBean pool(int place) {
        return new FigureBean(
                "a capsule of a Mawashi server",
                List.of(
                        number(place, "Slots", "jobs that run at once, at most", Pool::slots),
                        number(place, "BusySlots", "jobs that run now", Pool::busy),
                        number(place, "Runs", "runs that ended", Pool::ended),
                        number(place, "FailedRuns", "those of them that failed", Pool::failed),
                        new Figure(
                                "BusySeconds",
                                "how long all runs that ended took",
                                Double.class,
                                () -> pools.get().get(place).nanos() / NANOS_A_SECOND)));
    }

    private Figure number(int place, String name, String help, Function<Pool, Number> value) {
        return Figure.number(name, help, () -> value.apply(pools.get().get(place)).longValue());
    }

    @Override
    public void stop(Duration patience) {
        CompletableFuture<Void> begun = registration;
        if (begun == null) {
            return;
        }
        Void _ = begun.completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS).join();
        for (ObjectName name : registered) {
            try {
                beanServer().unregisterMBean(name);
            } catch (JMException _) {
                // Somebody else has unregistered it.
            }
        }
        registered.clear();
    }
}
