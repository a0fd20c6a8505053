/// Lends the web server's few connections to Redis to requests, one each and for a limited time.
@NullMarked
package dev.mawashi.desk;

import org.jspecify.annotations.NullMarked;
