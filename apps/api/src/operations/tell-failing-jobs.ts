import { isoTime } from "../formats/time.ts";
import type { Store } from "../store/store.ts";
import { operators } from "../webhooks/events/write-events.ts";
import { writeOnce } from "../webhooks/events/write-once.ts";
import { selectJobs } from "./jobs.table.ts";

const failuresMin = 3;

/** Tells the operators of jobs that failed several times in a row, once per job and day. */
export async function tellFailingJobs(store: Store, nowMs: number): Promise<number> {
  let told = 0;
  for (const { name, failures } of await selectJobs(store.db).execute()) {
    if (failures < failuresMin) continue;
    const onceKey = `job.failing:${name}:${isoTime(nowMs).slice(0, "YYYY-MM-DD".length)}`;
    if ((await writeOnce(store, { audience: operators, type: "job.failing", data: { job: name, failures } }, { onceKey, nowMs })) === "written") told += 1;
  }
  return told;
}
