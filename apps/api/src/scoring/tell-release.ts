import { insertDate, selectDate } from "../money/corrections/corrections.table.ts";
import { isoTime, msPerDay } from "../formats/time.ts";
import { selectModelChoosers } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { writeOnce } from "../webhooks/events/write-once.ts";
import type { ModelChoice, Models } from "./models/choose-model.ts";
import { readModelDates } from "./models/open-models.ts";

const accountsPerPage = 200;
/** How long before a model ends for an account it is told. */
const sunsetNoticeDays = 30;

type TellContext = { models: Models; nowMs: number; isOver: () => boolean };

/** Tells each active account what `tell` writes for it. Says how many events were written, and whether all accounts had their turn. */
async function tellAccounts(store: Store, { models, nowMs, isOver }: TellContext, tell: (accountId: string, choice: ModelChoice) => Promise<boolean>): Promise<{ told: number; isDone: boolean }> {
  let told = 0;
  for (let afterId = ""; ; ) {
    const accounts = await selectModelChoosers(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id, status, demo, created_at: accountCreatedMs, model_version: pinnedModel } of accounts) {
      if (isOver()) return { told, isDone: false };
      afterId = id;
      if (status !== "active" || demo === 1) continue;
      if (await tell(id, models.explainChoice({ pinnedModel, accountCreatedMs }, nowMs))) told += 1;
    }
    if (accounts.length < accountsPerPage) return { told, isDone: true };
  }
}

/** The version that this one replaced here; undefined if it is the first, or was itself replaced. */
async function findReplaced(store: Store, version: string): Promise<string | undefined> {
  const [latest, before] = await readModelDates(store);
  return latest?.version === version ? before?.version : undefined;
}

/** Tells every active account once that a new model scores here, and when it will score its own sessions. */
export async function tellRelease(store: Store, context: TellContext): Promise<number> {
  const { nowMs } = context;
  const { version } = context.models.newest;
  const replaced = await findReplaced(store, version);
  if (replaced === undefined || (await selectDate(store.db, `model_told:${version}`).executeTakeFirst())) return 0;
  const { told, isDone } = await tellAccounts(store, context, async (accountId, { why, untilMs }) => {
    const switchesAt = why === "kept" && untilMs !== undefined ? isoTime(untilMs) : null;
    const data = { account_id: accountId, model_version: version, previous_version: replaced, switches_at: switchesAt };
    return (await writeOnce(store, { audience: accountId, type: "model.released", data }, { onceKey: `model.released:${version}`, nowMs })) === "written";
  });
  if (isDone) await store.write([insertDate(store.db, { name: `model_told:${version}`, at: nowMs })]);
  return told;
}

/** Tells accounts whose model ends for them, once for each such time: that of a pinned model, or of the one that they keep. */
export async function tellSunsets(store: Store, context: TellContext): Promise<number> {
  const { models, nowMs } = context;
  const endsSoon = (untilMs: number | undefined): untilMs is number => untilMs !== undefined && untilMs > nowMs && untilMs - nowMs <= sunsetNoticeDays * msPerDay;
  const isKept = models.explainChoice({ pinnedModel: null, accountCreatedMs: 0 }, nowMs).why === "kept";
  // Most of the time no model ends soon.
  if (!isKept && !models.lives.some(({ sunsetMs }) => endsSoon(sunsetMs))) return 0;
  const { told } = await tellAccounts(store, context, async (accountId, { model: { version }, untilMs }) => {
    if (!endsSoon(untilMs)) return false;
    const data = { account_id: accountId, model_version: version, ends_at: isoTime(untilMs) };
    // A model that was kept and is pinned later ends at another time.
    return (await writeOnce(store, { audience: accountId, type: "model.sunset", data }, { onceKey: `model.sunset:${version}:${untilMs}`, nowMs })) === "written";
  });
  return told;
}
