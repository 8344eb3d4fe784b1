import type { Marks } from "../../secrets/read-sealed-key.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { selectUnnoticed } from "../../webhooks/events/notices.table.ts";
import { everyMs, planDigest, soonerEveryMs, soonerTypes } from "./plan-digest.ts";
import { readPending } from "./read-pending.ts";
import type { SendNotice, SentNotice } from "./send-notice.work.ts";
import { readUnsubscribeKey } from "./unsubscribe-token.ts";

const work = new URL("./send-notice.work.ts", import.meta.url);
const audiencesPerPage = 200;

type Sending = {
  marks: Marks;
  /** Undefined until the service listens: mails without links would be of little use. */
  publicUrl: string | undefined;
  nowMs: number;
  isOver: () => boolean;
};

/** Mails what audiences were not told yet, once it is time. Safe to interrupt, to repeat, and to run on two nodes at once. */
export async function sendNotices(store: Store, { marks, publicUrl, nowMs, isOver }: Sending): Promise<{ mails: number; isMore: boolean }> {
  if (publicUrl === undefined) return { mails: 0, isMore: false };
  const due = { laterMs: nowMs - everyMs, soonerMs: nowMs - soonerEveryMs, soonerTypes, limit: audiencesPerPage };
  const done = { mails: 0, isMore: false };
  for (let afterAudience = ""; ; ) {
    const page = await selectUnnoticed(store.db, { ...due, afterAudience }).execute();
    for (const { audience } of page) {
      if (isOver()) return { ...done, isMore: true };
      // Read first without a lock: most audiences that were found are still gathering.
      const pending = await readPending(readerOf(store), { audience, isLocked: false });
      if (!pending || planDigest(pending, nowMs).kind === "wait") continue;
      const sent = await store.transact<SendNotice, SentNotice>(work, { audience, nowMs, publicUrl, unsubscribeKey: await readUnsubscribeKey(marks) });
      done.mails += sent.mails;
      done.isMore ||= sent.isMore;
    }
    if (page.length < audiencesPerPage) return done;
    afterAudience = page.at(-1)!.audience;
  }
}
