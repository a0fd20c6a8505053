package dev.mawashi.web;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.desk.Profiles;
import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.LeaseReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question.Kind;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.ResqueWorkReader;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.pages.BusyPage;
import dev.mawashi.pages.JvmPage;
import dev.mawashi.pages.ProcessPage;
import dev.mawashi.pages.ProfilePage;
import dev.mawashi.pages.Shell;
import dev.mawashi.profile.Sampler;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Pages of processes: their records and their own answers.
final class ProcessPages {
    private static final int PROFILE_SECONDS = 5;

    private final Desks desks;
    private final ProcessQuestions questions;
    private final ResqueKeys resque;

    ProcessPages(Desks desks, ProcessQuestions questions, ResqueKeys resque) {
        this.desks = desks;
        this.questions = questions;
        this.resque = resque;
    }

    private record Known(ProcessRecord process, Optional<Duration> lease, List<WorkView> work) {}

    /// @return empty when no such process lives
    Optional<ProcessPage> process(Shell shell, String identity) {
        return desks.read(
                        desk -> desk.processes().process(identity).map(found -> known(desk, found)))
                .map(known -> page(shell, known));
    }

    private static Known known(Desk desk, ProcessRecord process) {
        String identity = process.identity();
        return new Known(
                process,
                Optional.ofNullable(
                        new LeaseReader(desk.connection()).of(List.of(process)).get(identity)),
                desk.processes().work(identity));
    }

    private ProcessPage page(Shell shell, Known known) {
        String identity = known.process().identity();
        Reply jvm = questions.ask(identity, Kind.JVM, "");
        Reply children =
                jvm instanceof Reply.Answered ? questions.ask(identity, Kind.CHILDREN, "") : jvm;
        List<ChildView> living =
                children instanceof Reply.Answered answered
                        ? ChildView.listOf(answered.text())
                        : List.of();
        return new ProcessPage(
                shell,
                known.process(),
                known.lease(),
                known.work(),
                jvm(jvm),
                living,
                jvm instanceof Reply.Answered ? code(identity) : Optional.empty(),
                jvm.problem());
    }

    private Optional<RestartView> code(String identity) {
        return questions.ask(identity, Kind.GENERATIONS, "") instanceof Reply.Answered answered
                ? Optional.of(RestartView.of(answered.text()))
                : Optional.empty();
    }

    private static Optional<JvmView> jvm(Reply reply) {
        return reply instanceof Reply.Answered answered
                ? Optional.of(JvmView.of(answered.text()))
                : Optional.empty();
    }

    /// The form alone until somebody asks for so many seconds.
    ///
    /// @param seconds as it was asked; "" for nothing
    ProfilePage profile(Shell shell, String what, String seconds) {
        if (seconds.isEmpty()) {
            return new ProfilePage(shell, what, PROFILE_SECONDS, Optional.empty(), "");
        }
        int time = Profiles.seconds(seconds).orElse(0);
        if (time == 0) {
            return new ProfilePage(
                    shell, what, PROFILE_SECONDS, Optional.empty(), Profiles.bounds());
        }
        Optional<Sampler> sampler = questions.profiles().sample(what, time);
        String problem =
                sampler.map(one -> one.profile().samples() > 0 ? "" : one.nothing(what))
                        .orElse(Profiles.busy());
        return new ProfilePage(shell, what, time, sampler.map(Sampler::profile), problem);
    }

    JvmPage machines(Shell shell) {
        ProcessQuestions.Machines all = questions.machines();
        List<JvmPage.Machine> machines = new ArrayList<>();
        all.replies()
                .forEach((identity, reply) ->
                        machines.add(new JvmPage.Machine(identity, jvm(reply), reply.problem())));
        return new JvmPage(shell, machines, all.more());
    }

    /// What all processes run.
    BusyPage busy(Shell shell) {
        List<WorkView> work =
                desks.read(desk -> {
                    List<WorkView> all = new ArrayList<>(desk.processes().work());
                    all.addAll(resqueWork(desk));
                    return all;
                });
        work.sort(WorkView.LONGEST_FIRST);
        return new BusyPage(shell, work);
    }

    /// None where this Redis user may not read Resque's keys: Sidekiq's are shown all the same.
    private List<WorkView> resqueWork(Desk desk) {
        try {
            return new ResqueWorkReader(desk.connection(), resque).work();
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.REFUSED) {
                throw failure;
            }
            return List.of();
        }
    }
}
