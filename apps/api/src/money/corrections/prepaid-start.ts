import { msPerDay } from "../../formats/time.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { selectAnyDeveloperCall } from "../ledger/prepaid.table.ts";
import { insertDate, selectDate } from "./corrections.table.ts";

/** An installation whose developers paid for calls before they were prepaid gives notice. */
const noticeDays = 30;

/**
 * From when on calls that prepaid money does not cover are refused; undefined where the platform pays. The first start
 * with developers as payers sets the date, for all nodes and for good.
 */
export async function readPrepaidStart(store: Store, options: { payer: CallPayer; nowMs: number }): Promise<number | undefined> {
  if (options.payer !== "developer") return undefined;
  const found = await selectDate(store.db, "prepaid_from").executeTakeFirst();
  if (found) return found.at;
  const hasCalls = (await selectAnyDeveloperCall(store.db).executeTakeFirst()) !== undefined;
  await insertDate(store.db, { name: "prepaid_from", at: options.nowMs + (hasCalls ? noticeDays * msPerDay : 0) }).execute();
  return (await selectDate(store.db, "prepaid_from").executeTakeFirstOrThrow()).at;
}
