import type { StatusReply } from "@assay/contract/operations.ts";
import { formatVerifierKey } from "@assay/tlog/note.ts";
import { isoTime } from "../../../../formats/time.ts";
import type { Store } from "../../../../store/store.ts";
import { countEntries, selectLogs, selectNewestCheckpoint, selectNewestCosignatures } from "../log.table.ts";
import { readWitnessStates, type Witness } from "./ask-witnesses.ts";

/** Promised: entries are in the log within this time. The job runs several times as often. */
export const delaySecondsMax = 60;
const linesMax = 100;

/** The address under which a log is served: that of the first one has no number, as it has when there is no other. */
export const logPathOf = (log: number): string => (log === 1 ? "/log" : `/log/${log}`);

async function describeWitnesses(store: Pick<Store, "db">, witnesses: readonly Witness[], nowMs: number) {
  const states = await readWitnessStates(store, { witnesses, nowMs });
  return Promise.all(
    states.map(async ({ name, lastMs, behindMs }, index) => ({
      name,
      key: await formatVerifierKey(witnesses[index]!.key),
      witnessed_at: lastMs === undefined ? null : isoTime(lastMs),
      behind_seconds: Math.floor(behindMs / 1_000),
    })),
  );
}

/** What everybody may know of the log; null before it is opened. */
export async function readLogStatus({ db }: Pick<Store, "db">, { witnesses, nowMs }: { witnesses: readonly Witness[]; nowMs: number }): Promise<StatusReply["log"]> {
  const [open, ...closed] = await selectLogs(db).execute();
  if (!open) return null;
  const newest = await selectNewestCheckpoint(db, open.number).executeTakeFirst();
  const lines = await selectNewestCosignatures(db, { log: open.number, limit: linesMax }).execute();
  const witnessed = lines.find(({ witness }) => !witness.startsWith(`${open.origin}+`));
  const previous = await Promise.all(
    closed.map(async ({ number, origin }, index) => {
      const last = await selectNewestCheckpoint(db, number).executeTakeFirst();
      // The log that came after it says why it was closed.
      const next = index === 0 ? open : closed[index - 1]!;
      return { origin, path: logPathOf(number), size: last?.size ?? 0, closed_at: isoTime(next.opened_at), reason: next.reason };
    }),
  );
  return {
    origin: open.origin,
    path: logPathOf(open.number),
    size: newest?.size ?? 0,
    logged_at: newest ? isoTime(newest.at) : null,
    delay_seconds_max: delaySecondsMax,
    witnessed_at: witnessed ? isoTime(witnessed.at) : null,
    witnesses: await describeWitnesses({ db }, witnesses, nowMs),
    previous,
  };
}

/** For metrics. `waiting`: entries that are not logged yet. */
export async function measureLog({ db }: Pick<Store, "db">): Promise<{ size: number; newestMs: number | undefined; waiting: number }> {
  const open = await selectLogs(db).limit(1).executeTakeFirst();
  const newest = open && (await selectNewestCheckpoint(db, open.number).executeTakeFirst());
  const { entries } = await countEntries(db).executeTakeFirstOrThrow();
  const size = newest?.size ?? 0;
  return { size, newestMs: newest?.at, waiting: Math.max(0, entries - size) };
}
