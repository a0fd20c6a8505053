package dev.mawashi.java;

import dev.mawashi.job.JavaJob;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/// Loads the app's classes from its own class path. Of Mawashi they see the package
/// `dev.mawashi.job` and nothing else, so that the app may have other versions of the libraries
/// that the server uses.
///
/// Not registered as parallel capable: such a loader keeps a lock for every name that it was ever
/// asked for.
final class JobClassLoader extends URLClassLoader {
    JobClassLoader(URL[] classPath) {
        super(classPath, new JobApi());
    }

    /// The class of that name if it is on the class path; not initialized.
    ///
    /// @param name a binary name; others may lead out of the class path
    @Nullable Class<?> classOnPath(String name) throws ClassNotFoundException {
        // The parents keep a lock for each name, so they hear of real ones only.
        return findResource(name.replace('.', '/') + ".class") == null
                ? null
                : Class.forName(name, false, this);
    }

    /// The JDK and `dev.mawashi.job`.
    private static final class JobApi extends ClassLoader {
        private static final String PACKAGE = JavaJob.class.getPackageName() + ".";

        JobApi() {
            super(getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                throw new ClassNotFoundException(name);
            }
            return JavaJob.class.getClassLoader().loadClass(name);
        }
    }
}
