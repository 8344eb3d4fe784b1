import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import { type Deliver, UndeliverableMail } from "./deliver-mail.ts";
import { claimMail, markMailSent, markMailUnsent, selectNextDue } from "./mails.table.ts";
import { nextTryMs } from "./retry-schedule.ts";

/** How often the outbox is looked into when nobody says that there is something in it. */
const roundMs = 2_000;
/** So long a mail belongs to the node that took it; a node that died with it gives it back by then. */
const leaseMs = 90_000;
/** A delivery without an end is given up well before the lease is. */
const deliverMsMax = 60_000;
const errorLengthMax = 200;

export type Mailer = {
  /** Says that a mail was queued. */
  wake(): void;
  /** Finishes the mail that is being sent, and sends no other. */
  stop(): Promise<void>;
};

export type MailerSettings = {
  store: Store;
  nowMs: () => number;
  random: () => number;
  deliver: Deliver;
  /** Whether a mail is still to be shown after it was sent: by the local mailbox. */
  keepsContent: (kind: string) => boolean;
  onError: (error: unknown) => void;
};

/** Sends one mail that is due. False: there was none. A crash in between sends it once more, under the same Message-ID. */
async function sendOne({ store, nowMs, random, deliver, keepsContent }: MailerSettings): Promise<boolean> {
  const lease = randomBase62(16);
  const mail = await claimMail(store.db, { lease, nowMs: nowMs(), untilMs: nowMs() + leaseMs }).executeTakeFirst();
  if (!mail) return false;
  const late = new AbortController();
  try {
    const tooLate = sleep(deliverMsMax, undefined, { signal: late.signal, ref: false }).then(() => {
      throw new Error("the delivery took too long");
    });
    await Promise.race([deliver(mail), tooLate.catch((error: Error) => (late.signal.aborted ? undefined : Promise.reject(error)))]);
    await store.write([markMailSent(store.db, { id: mail.id, lease, nowMs: nowMs(), keepContent: keepsContent(mail.kind) })]);
  } catch (error) {
    const nextMs = error instanceof UndeliverableMail ? undefined : nextTryMs(mail.attempts, nowMs(), random());
    const reason = (error as Error).message.slice(0, errorLengthMax);
    await store.write([markMailUnsent(store.db, { id: mail.id, lease, nowMs: nowMs(), nextMs, error: reason })]);
  } finally {
    late.abort();
  }
  return true;
}

async function isAnyDue({ store, nowMs }: MailerSettings): Promise<boolean> {
  const { next_at: nextAt } = await selectNextDue(store.db).executeTakeFirstOrThrow();
  return nextAt !== null && nextAt <= nowMs();
}

/** Empties the outbox, one mail after the other. Every node does; each mail is sent by the one that takes it first. */
export function startMailer(settings: MailerSettings): Mailer {
  const state = { isStopping: false, isAwake: false };
  let rouse = () => {};

  async function run(): Promise<void> {
    while (!state.isStopping) {
      state.isAwake = false;
      try {
        while (!state.isStopping && (await isAnyDue(settings)) && (await sendOne(settings)));
      } catch (error) {
        settings.onError(error);
      }
      if (state.isStopping || state.isAwake) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      rouse = resolve;
      const timer = setTimeout(resolve, roundMs);
      await promise;
      clearTimeout(timer);
    }
  }

  const running = run();
  return {
    wake() {
      state.isAwake = true;
      rouse();
    },
    async stop() {
      state.isStopping = true;
      rouse();
      await running;
    },
  };
}
