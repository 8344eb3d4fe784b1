/** Sample arguments for the query functions of a `*.table.ts`, with which `npm run sql` prints their SQL. */
import { msPerHour } from "../formats/time.ts";
import type { Db } from "./schema.ts";

/** The arguments after the database, for every query function of a module. */
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
