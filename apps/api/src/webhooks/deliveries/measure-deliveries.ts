import type { Store } from "../../store/store.ts";
import { countPending, selectOldestDue } from "./deliveries.table.ts";

const pendingMax = 10_000;

/** For metrics: how much waits, counted up to a bound, and for how long the oldest has been due at an active endpoint. */
export async function measureDeliveries({ db }: Store, nowMs: number): Promise<{ pending: number; oldestDueMs: number }> {
  const { count: pending } = await countPending(db, pendingMax).executeTakeFirstOrThrow();
  const { next_at: nextAt } = await selectOldestDue(db).executeTakeFirstOrThrow();
  return { pending, oldestDueMs: nextAt === null ? 0 : Math.max(0, nowMs - nextAt) };
}
