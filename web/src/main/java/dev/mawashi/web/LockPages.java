package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.desk.LockLists;
import dev.mawashi.http.Call;
import dev.mawashi.inspect.LockReader;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.LocksPage;
import dev.mawashi.pages.Shell;

/// The page of locks.
final class LockPages {
    private final LockLists lists;

    LockPages(Desks desks) {
        lists = new LockLists(desks);
    }

    LocksPage list(Shell shell, Call call) {
        ListRequest request = ListRequest.of(call.query(), LockLists.FIELDS, shell.now());
        LockReader.Part part = lists.part(request);
        String next = part.next().isEmpty() ? "" : Links.query(request.with("cursor", part.next()));
        return new LocksPage(shell, request.query().jobClass(), part.found(), part.total(), next);
    }
}
