import { setTimeout as sleep } from "node:timers/promises";
import { msPerHour } from "../formats/time.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import type { Store } from "../store/store.ts";
import { type Deliver, deliverBySmtp, deliverToFolder, UndeliverableMail } from "./deliver-mail.ts";
import { claimMail, markMailSent, markMailUnsent, selectNextDue } from "./mails.table.ts";

/** Poll interval when nothing wakes the mailer. */
const pollMs = 2_000;
/** If the node that claimed a mail dies, another one can claim it after this long. */
const leaseMs = 90_000;
/** A hanging delivery is abandoned well before its lease ends. */
const deliverMsMax = 60_000;
const errorLengthMax = 200;
/** A mail fails after this many attempts: about ten hours, longer than most mail servers stay down. */
export const attemptsMax = 20;
const firstWaitMs = 2_000;
const waitMsMax = msPerHour;

/** When to try again after `attempts` attempts; undefined after the last one. Jitter keeps retries from coinciding. */
export function nextAttemptMs(attempts: number, nowMs: number, random: number): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  const waitMs = Math.min(firstWaitMs * 2 ** (attempts - 1), waitMsMax);
  return nowMs + Math.round(waitMs * (0.5 + 0.5 * random));
}

export type Mailer = {
  /** Sends queued mails now instead of at the next poll. */
  wake(): void;
  /** Finishes the mail that is being sent, then stops. */
  stop(): Promise<void>;
};

type MailerContext = { store: Store; nowMs: () => number; random: () => number; onError: (error: unknown) => void };

type Outbox = MailerContext & {
  deliver: Deliver;
  /** Whether the local mailbox still shows a mail of this kind after it was sent. */
  keepsContent: (kind: string) => boolean;
};

/** Sends one due mail; false if there was none. After a crash midway it is sent again, under the same Message-ID. */
async function sendOne({ store, nowMs, random, deliver, keepsContent }: Outbox): Promise<boolean> {
  const lease = randomBase62(16);
  const mail = await claimMail(store.db, { lease, nowMs: nowMs(), untilMs: nowMs() + leaseMs }).executeTakeFirst();
  if (!mail) return false;
  const late = new AbortController();
  try {
    const tooLate = sleep(deliverMsMax, undefined, { signal: late.signal, ref: false }).then(() => {
      throw new Error("delivery timed out");
    });
    await Promise.race([deliver(mail), tooLate.catch((error: Error) => (late.signal.aborted ? undefined : Promise.reject(error)))]);
    await store.write([markMailSent(store.db, { id: mail.id, lease, nowMs: nowMs(), keepContent: keepsContent(mail.kind) })]);
  } catch (error) {
    const nextMs = error instanceof UndeliverableMail ? undefined : nextAttemptMs(mail.attempts, nowMs(), random());
    const reason = (error as Error).message.slice(0, errorLengthMax);
    await store.write([markMailUnsent(store.db, { id: mail.id, lease, nowMs: nowMs(), nextMs, error: reason })]);
  } finally {
    late.abort();
  }
  return true;
}

async function isAnyDue({ store, nowMs }: Outbox): Promise<boolean> {
  const { next_at: nextAt } = await selectNextDue(store.db).executeTakeFirstOrThrow();
  return nextAt !== null && nextAt <= nowMs();
}

/** The last mail to an erased account: its content is deleted once sent, even from the local mailbox. */
const neverKept = "account_closed";

/**
 * Sends the outbox one mail after the other. Every node runs a mailer; the one that claims a mail sends it. Without SMTP,
 * mails become files and stay readable on the mailbox page.
 */
export function startMailer(settings: { smtpUrl: string | undefined; mailFrom: string | undefined; dataDir: string }, context: MailerContext): Mailer {
  const { smtpUrl, mailFrom: from, dataDir } = settings;
  const isSmtp = smtpUrl !== undefined && from !== undefined;
  const outbox: Outbox = {
    ...context,
    deliver: isSmtp ? deliverBySmtp({ smtpUrl, from }) : deliverToFolder({ dataDir, from }),
    keepsContent: (kind) => !isSmtp && kind !== neverKept,
  };
  const state = { isStopping: false, isAwake: false };
  let endWait = () => {};

  async function run(): Promise<void> {
    while (!state.isStopping) {
      state.isAwake = false;
      try {
        while (!state.isStopping && (await isAnyDue(outbox)) && (await sendOne(outbox)));
      } catch (error) {
        context.onError(error);
      }
      if (state.isStopping || state.isAwake) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      endWait = resolve;
      const timer = setTimeout(resolve, pollMs);
      await promise;
      clearTimeout(timer);
    }
  }

  const running = run();
  return {
    wake() {
      state.isAwake = true;
      endWait();
    },
    async stop() {
      state.isStopping = true;
      endWait();
      await running;
    },
  };
}
