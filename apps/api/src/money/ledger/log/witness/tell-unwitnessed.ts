import { isoTime, msPerHour } from "../../../../formats/time.ts";
import type { Store } from "../../../../store/store.ts";
import { operators } from "../../../../webhooks/events/write-events.ts";
import { writeOnce } from "../../../../webhooks/events/write-once.ts";
import { selectLogs } from "../log.table.ts";
import { readWitnessStates, type Witness } from "./ask-witnesses.ts";

const silentMsMax = msPerHour;

/** Tells the operators once per day that none of the witnesses has cosigned the log's newest entries for an hour. */
export async function tellUnwitnessed(store: Store, { witnesses, nowMs }: { witnesses: readonly Witness[]; nowMs: number }): Promise<number> {
  if (witnesses.length === 0) return 0;
  const states = await readWitnessStates(store, { witnesses, nowMs });
  const behindMs = Math.min(...states.map((state) => state.behindMs));
  const log = await selectLogs(store.db).limit(1).executeTakeFirst();
  if (!log || behindMs < silentMsMax) return 0;
  const data = { log: log.origin, since: isoTime(nowMs - behindMs) };
  const onceKey = `log.unwitnessed:${isoTime(nowMs).slice(0, "YYYY-MM-DD".length)}`;
  return (await writeOnce(store, { audience: operators, type: "log.unwitnessed", data }, { onceKey, nowMs })) === "written" ? 1 : 0;
}
