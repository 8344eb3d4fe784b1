import { currentPeople } from "@assay/scoring/current-model.ts";
import { tellExpiringKeys } from "../access/keys/tell-keys.ts";
import { reverseGivenUp } from "../ads/clicks/decide-waiting-clicks.ts";
import { settleClicks } from "../ads/clicks/settle-clicks.ts";
import { readClicksCheckedTo, type WatchedClicks, watchClicks } from "../ads/clicks/watch-clicks.ts";
import { usdOf, usdText } from "../formats/money.ts";
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from "../formats/time.ts";
import { deleteOldMails } from "../mail/delete-old-mails.ts";
import { extendLog, type LogContext } from "../money/ledger/log/extend-log.ts";
import { type AskContext, askWitnesses, describeAsked, type Witness } from "../money/ledger/log/witness/ask-witnesses.ts";
import { tellUnwitnessed } from "../money/ledger/log/witness/tell-unwitnessed.ts";
import { settlePrepaid } from "../money/corrections/settle-prepaid.ts";
import { tellLowBalances } from "../money/corrections/tell-low-balances.ts";
import { settleCalls } from "../money/days/settle-calls.ts";
import { alertOverdue } from "../money/findings/alert-overdue.ts";
import type { GrowthLimits } from "../money/growth/read-growth.ts";
import { tellMoney } from "../money/payouts/tell-operators.ts";
import { sendStatements } from "../money/statements/send-statements.ts";
import { cleanUpAccounts } from "../people/clean-up-accounts.ts";
import { sendNotices } from "../people/notices/send-notices.ts";
import { markPayees } from "../people/mark-payees.ts";
import { isUpgradeOver } from "../people/reseal-accounts.ts";
import { fitAllAgain } from "../scoring/calibration/fit-all-again.ts";
import type { Models } from "../scoring/models/choose-model.ts";
import { tellDrift } from "../scoring/calibration/tell-drift.ts";
import { tellRelease, tellSunsets } from "../scoring/tell-release.ts";
import { sumUpHours } from "../scoring/traffic/sum-up-hours.ts";
import { readCheckedTo, watchSessions } from "../scoring/traffic/watch-sessions.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dropPartitions, makePartitions } from "./make-partitions.ts";
import { describeResealed, resealSecrets } from "./reseal-secrets.ts";
import type { Job } from "./run-jobs.ts";
import { tellFailingJobs } from "./tell-failing-jobs.ts";

export type JobSettings = GrowthLimits & {
  models: Models;
  clickHoldDays: number;
  callHoldDays: number;
  retentionDays: number;
  /** Undefined where the platform pays for calls. */
  prepaidFromMs: number | undefined;
  creditLimitMicroUsd: number;
  payoutMinimumMicroUsd: number;
  logWitnesses: readonly Witness[];
  random: () => number;
  deleteMailFiles: (mailIds: readonly string[]) => Promise<void>;
  wakeMailer: () => void;
  marks: Marks;
  sealer: Sealer;
  /** The dashboard's base address; undefined until the service listens. */
  publicUrl: () => string | undefined;
};

const describeWatched = ({ days, opened, isMore }: WatchedClicks) => ({ result: `${days} days checked, ${opened} findings opened`, isMore });

const describeTold = (told: readonly number[]): string => `${told.reduce((sum, each) => sum + each, 0)} events written`;

const moneyJobs = (store: Store, settings: JobSettings): Job[] => [
  {
    name: "settle_clicks",
    everyMs: 10 * msPerMinute,
    async run({ nowMs, isOver }) {
      const { confirmed, isMore } = await settleClicks(store, { nowMs, holdDays: settings.clickHoldDays, beforeMs: await readClicksCheckedTo(store, nowMs), isOver });
      return { result: `${confirmed} clicks confirmed`, isMore };
    },
  },
  {
    name: "settle_calls",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const beforeMs = await readCheckedTo(store, nowMs);
      const { settledDays, isMore } = await settleCalls(store, { nowMs, holdDays: settings.callHoldDays, beforeMs, isOver });
      return { result: `${settledDays} days of calls settled`, isMore };
    },
  },
  {
    name: "watch_sessions",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const watched = await watchSessions(store, { nowMs, isOver, people: currentPeople, random: settings.random });
      if (watched.opened > 0) settings.wakeMailer();
      return describeWatched(watched);
    },
  },
  {
    name: "watch_clicks",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const watched = await watchClicks(store, { nowMs, isOver });
      if (watched.opened > 0) settings.wakeMailer();
      return describeWatched(watched);
    },
  },
  {
    name: "alert_findings",
    everyMs: msPerHour,
    async run({ nowMs }) {
      const { alerted, isMore } = await alertOverdue(store, nowMs);
      if (alerted > 0) settings.wakeMailer();
      return { result: `${alerted} overdue findings mailed to operators`, isMore };
    },
  },
  {
    name: "send_statements",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const { queued, isMore } = await sendStatements(store, { nowMs, isOver, publicUrl: settings.publicUrl() });
      if (queued > 0) settings.wakeMailer();
      return { result: `${queued} statements mailed`, isMore };
    },
  },
];

/** What no transaction tells, because it is true without anybody doing anything. */
function tellingJobs(store: Store, settings: JobSettings): Job[] {
  const { prepaidFromMs, creditLimitMicroUsd: creditMicroUsd, logWitnesses: witnesses, payoutMinimumMicroUsd: minimumMicroUsd, models } = settings;
  return [
    {
      name: "tell_conditions",
      everyMs: 10 * msPerMinute,
      async run({ nowMs, isOver }) {
        const told = [
          await tellExpiringKeys(store, { nowMs, isOver }),
          prepaidFromMs === undefined ? 0 : await tellLowBalances(store, { creditMicroUsd, nowMs, isOver }),
          await tellUnwitnessed(store, { witnesses, nowMs }),
          await tellFailingJobs(store, nowMs),
          await tellRelease(store, { models, nowMs, isOver }),
        ];
        return { result: describeTold(told) };
      },
    },
    {
      name: "tell_sums",
      everyMs: msPerHour,
      async run({ nowMs, isOver }) {
        const told = [await tellMoney(store, { ...settings, minimumMicroUsd, nowMs }), await tellDrift(store, { models, nowMs, isOver }), await tellSunsets(store, { models, nowMs, isOver })];
        return { result: describeTold(told) };
      },
    },
  ];
}

const calibrationJobs = (store: Store, { models }: JobSettings): Job[] => [
  {
    name: "fit_calibrations",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const { fitted, refused, isMore } = await fitAllAgain(store, { models, nowMs, isOver });
      return { result: `${fitted} calibrations fitted again, ${refused} refused`, isMore };
    },
  },
];

const noticeJobs = (store: Store, { marks, publicUrl, wakeMailer }: JobSettings): Job[] => [
  {
    name: "send_notices",
    everyMs: msPerMinute,
    async run({ nowMs, isOver }) {
      const { mails, isMore } = await sendNotices(store, { marks, publicUrl: publicUrl(), nowMs, isOver });
      if (mails > 0) wakeMailer();
      return { result: `${mails} notices mailed`, isMore };
    },
  },
];

/** Fills in what an earlier version did not write. */
const fillInJobs = (store: Store, { marks }: JobSettings): Job[] => [
  {
    name: "mark_payees",
    everyMs: 10 * msPerMinute,
    async run({ isOver }) {
      const { marked, isMore } = await markPayees({ store, marks }, isOver);
      return { result: `${marked} payees marked`, isMore };
    },
  },
];

function prepaidJobs(store: Store, settings: JobSettings): Job[] {
  const { prepaidFromMs, publicUrl, wakeMailer } = settings;
  if (prepaidFromMs === undefined) return [];
  return [
    {
      name: "settle_prepaid",
      everyMs: msPerHour,
      async run({ nowMs, isOver }) {
        const { begun, confirmedMicroUsd, isMore } = await settlePrepaid(store, { nowMs, isOver, prepaidFromMs, publicUrl: publicUrl() });
        if (begun > 0) wakeMailer();
        return { result: `${usdText(usdOf(confirmedMicroUsd))} USD of shares confirmed, ${begun} accounts begun`, isMore };
      },
    },
  ];
}

const storeJobs = (store: Store, settings: JobSettings): Job[] => [
  {
    name: "delete_expired",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const { deleted, isMore } = await deleteExpired(store, { nowMs, isOver, retentionDays: settings.retentionDays });
      return { result: `${deleted} rows deleted`, isMore };
    },
  },
  {
    name: "keep_accounts",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const givenUp = await reverseGivenUp(store, { nowMs, isOver });
      const { erased, isMore } = await cleanUpAccounts({ store, deleteMailFiles: settings.deleteMailFiles }, nowMs, isOver);
      return { result: `${erased} closed accounts erased`, isMore: isMore || givenUp.isMore };
    },
  },
  {
    name: "reseal_secrets",
    everyMs: 10 * msPerMinute,
    async run({ nowMs, isOver }) {
      const context = { sealer: settings.sealer, nowMs, isOver, isUpgradeOver: await isUpgradeOver(store, nowMs) };
      return { result: describeResealed(await resealSecrets(store, context)) };
    },
  },
  {
    name: "clear_outbox",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const { deleted, isMore } = await deleteOldMails(store, { nowMs, isOver });
      return { result: `${deleted} mails deleted`, isMore };
    },
  },
  {
    name: "sum_up_hours",
    everyMs: msPerHour,
    async run({ nowMs, isOver }) {
      const retainedFromMs = nowMs - settings.retentionDays * msPerDay;
      const { hours, isMore } = await sumUpHours(store, { nowMs, retainedFromMs, isOver });
      return { result: `${hours} hours summed up`, isMore };
    },
  },
];

function partitionJobs(store: Store, { retentionDays }: JobSettings): Job[] {
  // The embedded store has no partitions.
  if (store.dialect === "sqlite") return [];
  return [
    {
      name: "keep_partitions",
      everyMs: msPerHour,
      async run({ nowMs, isOver }) {
        const { made } = await makePartitions(store, { nowMs, retentionDays });
        const { dropped } = await dropPartitions(store, { nowMs, retentionDays, isOver });
        return { result: `${made} days made, ${dropped} dropped` };
      },
    },
  ];
}

/** Apart from the other jobs, each of which may take long: an entry must be in the log within a minute. */
export const listLogJobs = (context: Omit<LogContext, "isOver">): Job[] => [
  {
    name: "extend_log",
    everyMs: 10 * msPerSecond,
    async run({ isOver }) {
      const { size, added, isMore } = await extendLog({ ...context, isOver });
      return { result: `${added} entries logged, ${size} in all`, isMore };
    },
  },
];

/** Apart from the log's: a witness that hangs must not delay it. */
export const listWitnessJobs = (context: AskContext): Job[] => [
  {
    name: "ask_witnesses",
    everyMs: 10 * msPerSecond,
    run: async () => ({ result: describeAsked(await askWitnesses(context)) }),
  },
];

/** Work that one node does for all: docs/jobs.md describes each job. What each node does for itself is in start-background.ts. */
export const listJobs = (store: Store, settings: JobSettings): Job[] => [
  ...partitionJobs(store, settings),
  ...moneyJobs(store, settings),
  ...prepaidJobs(store, settings),
  ...noticeJobs(store, settings),
  ...storeJobs(store, settings),
  ...tellingJobs(store, settings),
  ...calibrationJobs(store, settings),
  ...fillInJobs(store, settings),
];
