/** Sample arguments for the query functions of a `*.table.ts`, so that `npm run sql` can print what they become. */
import { msPerHour } from "../formats/time.ts";
import type { Db } from "./schema.ts";

/** The arguments after the database, for each query function of a module: the compiler misses none. */
export type SamplesOf<Module> = {
  [Name in keyof Module as Module[Name] extends (db: Db, ...rest: never[]) => unknown ? Name : never]: Module[Name] extends (
    db: Db,
    ...rest: infer Rest
  ) => unknown
    ? Rest
    : never;
};

export const accountId = "acct_sample";
export const nowMs = 1_767_225_600_000;
export const span = { accountId, fromMs: nowMs, toMs: nowMs + msPerHour };
