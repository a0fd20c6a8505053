package dev.mawashi.dispatch;

import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Keeps what the app is to hear of a job until the job is settled, since hearing of it may end the
/// process as running it did. The app has no say then in what becomes of it.
final class LateNews implements GiveUpNotice {
    private final List<Consumer<GiveUpNotice>> news = new ArrayList<>();

    @Override
    public boolean failed(byte[] payload) {
        news.add(app -> app.failed(payload));
        return true;
    }

    @Override
    public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
        news.add(app -> app.giveUp(payload, reason));
        return Optional.of(payload);
    }

    void notifyApp(GiveUpNotice app) {
        news.forEach(one -> one.accept(app));
    }
}
