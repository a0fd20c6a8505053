package dev.mawashi.children;

import org.jspecify.annotations.Nullable;

/// The kind of a frame. This is the only list of the letters; both ends hold to it
/// (`FrameKindTest`).
///
/// A job goes by the id that `Child` gave it, of eight bytes; a request by a number that the asking
/// process gave it, of eight bytes too. A text or word with its length has four bytes before it.
enum FrameKind {
    /// From any process that connects, first of all: its role (`P` the parent, `C` a child, `O` and
    /// `E` its standard output and error, as plain bytes from here on, `F` a child that has no work
    /// yet), its number among the children, its pid.
    HELLO('H'),

    /// From the parent: the app is loaded, with the report that `report.rb` writes. From a child:
    /// it takes jobs; no body. From one that has no work yet: the report as it is then.
    READY('S'),

    /// From the parent, or a child that has no work yet: why the app cannot be loaded, as text.
    NOT_LOADED('Y'),

    /// To the parent: a child is to be forked. Its number, whether its threads run jobs (`T`), fork
    /// for each (`F`), or are reported later (`S`), by this frame to the child, 1 when the jobs are
    /// Resque's, and the threads of each lane. A job's id ends, in two bytes, in the lane that it
    /// runs in.
    FORK('F'),

    /// From the parent: a child has ended. Its number, its pid, signal and exit status.
    CHILD_ENDED('O'),

    /// To a child: jobs to run, as `JobFrame` writes them.
    JOBS('J'),

    /// To a child: it is to give back what it has not begun; no body. `UNBEGUN` answers.
    RECALL('R'),

    /// From a child: ids of jobs that it has not begun and never will.
    UNBEGUN('B'),

    /// From a child: jobs that succeeded, each with its id and the nanoseconds that it ran.
    SUCCEEDED('E'),

    /// From a child: a job that did not succeed. Its id, the nanoseconds that it ran, and what
    /// `OutcomeReader` reads.
    PROBLEM('P'),

    /// To a child: all jobs of a lane that run are interrupted. Its number in four bytes.
    INTERRUPT('I'),

    /// To a child: a job is cut. Its id, one byte for the length of the error's name, that name,
    /// the message.
    CUT('C'),

    /// To a child that forks for each job: a job's process is killed. The job's id.
    KILL('Z'),

    /// To a child: a job was given up, or failed unseen. Its id, one byte for the length of the
    /// reason, the reason, the payload. `GIVEN_UP` answers.
    GIVE_UP('G'),

    /// From a child: the app knows that a job was given up. Its id, and 1 to discard it; or 0 to
    /// keep it, and the payload if the app has changed it.
    GIVEN_UP('U'),

    /// To a child: the app's blocks for an event are called. The event's name.
    EVENT('V'),

    /// To a child: it prints the backtraces of its threads. With a body it sends them in place of
    /// that: the request's number, and the id of the job that is meant, or 0 for all. With the path
    /// of a file behind these it writes its heap there, and sends `written` or why it did not.
    DUMP('T'),

    /// To a child: it ends once it has said what it knows; no body. From a child: a job has sent it
    /// a signal that asks for its end, whose name is the body; it is to be replaced.
    END('X'),

    /// From a child: requests to enqueue, each with its number, its length, and its jobs: when (a
    /// double, 0 for now), the length of the queue's name in two bytes, that of the payload in
    /// four, the name, the payload.
    ENQUEUE('Q'),

    /// To a child: answers to those, each with its number and, with its length, why not; empty when
    /// it was done.
    ENQUEUED('A'),

    /// From a child: a request to read or change how far an iterable job has come. Its number, then
    /// words with their lengths. `WORDS` or `REFUSED` answers.
    ITERATE('K'),

    /// To a child: the answer to a request. Its number, then words with their lengths.
    WORDS('D'),

    /// To a child: the refusal of a request. Its number, then why.
    REFUSED('N'),

    /// From a child that forks: a fork printed to its standard error. Its pid in four bytes, the id
    /// of its job or 0, the lines.
    PRINTED('L'),

    /// From a child: where a process is. The request's number, in four bytes each how many others
    /// will report and the process's pid, the text. From a fork to its child: the text alone.
    TRACES('M'),

    /// To the parent: the options of job classes are asked for. The question's number, then the
    /// classes' names with a NUL between them. From the parent: the answer. That number, then what
    /// `class_options.rb` writes.
    OPTIONS('o'),

    /// From a fork to the child that forked it, never to the server: the job ended well. Its id. A
    /// fork sends that child `PROBLEM`, `GIVEN_UP`, `ENQUEUE` and `ITERATE` as well; there a
    /// request or an answer has a frame of its own, and no length.
    WELL('W');

    private static final @Nullable FrameKind[] BY_LETTER = byLetter();

    private final char letter;

    FrameKind(char letter) {
        this.letter = letter;
    }

    char letter() {
        return letter;
    }

    /// Null when it is the letter of none.
    static @Nullable FrameKind of(byte letter) {
        int at = letter - 'A';
        return at < 0 || at >= BY_LETTER.length ? null : BY_LETTER[at];
    }

    private static @Nullable FrameKind[] byLetter() {
        @Nullable FrameKind[] kinds = new FrameKind['z' - 'A' + 1];
        for (FrameKind kind : values()) {
            kinds[kind.letter - 'A'] = kind;
        }
        return kinds;
    }
}
