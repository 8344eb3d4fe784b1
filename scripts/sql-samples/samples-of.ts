import type { compileOnly } from "../../apps/api/src/store/compile-only.ts";

export type Db = (typeof compileOnly)["sqlite"];

/** The arguments after the database, for each query function of a module: the compiler misses none. */
export type SamplesOf<Module> = {
  [Name in keyof Module as Module[Name] extends (db: Db, ...rest: never[]) => unknown ? Name : never]: Module[Name] extends (
    db: Db,
    ...rest: infer Rest
  ) => unknown
    ? Rest
    : never;
};

export type Samples = Record<string, Record<string, unknown[]>>;

export const accountId = "acct_sample";
export const nowMs = 1_767_225_600_000;
export const span = { accountId, fromMs: nowMs, toMs: nowMs + 3_600_000 };
