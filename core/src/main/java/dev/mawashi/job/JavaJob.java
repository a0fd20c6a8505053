package dev.mawashi.job;

/// A job class in Java, found by the name that stands in a payload's `class`, such as
/// `com.acme.DailyReport`.
///
/// It is public, has a public constructor without parameters, and exactly one public method named
/// `perform`. The method's parameters are the job's arguments:
///
/// ```java
/// public final class DailyReport implements JavaJob {
///     public void perform(JobContext context, String region, int days) { ... }
/// }
/// ```
///
/// A parameter is a `String`, `boolean`, `int`, `long` or `double` or the class that wraps it, a
/// `BigInteger` or `BigDecimal`, a `List` or a `Map` with text as keys of any of these, a public
/// record made of them, or an `Object`; the last may be `...`. An argument that does not fit is an
/// error, no number is ever cut. A first parameter of type `JobContext` is no argument.
///
/// Each run has an instance of its own. What `perform` throws is the job's failure; what it returns
/// is not looked at.
public interface JavaJob {}
