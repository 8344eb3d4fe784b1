import type { FastifyBaseLogger } from "fastify";
import type { PrimaryReading } from "./primary/find-primary.ts";
import type { Store } from "./store.ts";

/** Whether a call that was acknowledged now is still there after the primary and its disk are lost. */
export type Durability = { store: "embedded" | "postgres"; survives_loss_of_primary: "yes" | "no" | "unknown"; explained: string };

/** A reading is repeated every few seconds. An older one is no reason to promise anything. */
export const readingMsMax = 30_000;

const explained = {
  embedded: "The store is on one disk. What was acknowledged survives a crash of the machine, and after the loss of its disk only as far as backups go.",
  synchronous: "PostgreSQL acknowledges a commit when a synchronous standby has it on its disk too.",
  alone: "PostgreSQL acknowledges a commit without waiting for a standby: when the primary is lost, what it acknowledged last may be lost with it.",
  old: "The primary has not said lately how it commits.",
  hidden: "The database does not say how it replicates: ask who runs it.",
} as const;

/** Commits wait for a standby to have them on its disk only with these. */
const waitsForDisk: ReadonlySet<string> = new Set(["on", "remote_apply"]);

function judge(reading: PrimaryReading | undefined, nowMs: number): [Durability["survives_loss_of_primary"], keyof typeof explained] {
  if (reading === undefined || nowMs - reading.atMs > readingMsMax) return ["unknown", "old"];
  if (!waitsForDisk.has(reading.settings.synchronous_commit ?? "")) return ["no", "alone"];
  if (reading.synchronousStandbys !== undefined && reading.synchronousStandbys.trim() !== "") return ["yes", "synchronous"];
  return reading.hidesReplication ? ["unknown", "hidden"] : ["no", "alone"];
}

/** `nowMs`: of the monotonic clock. */
export function describeDurability(store: Store, nowMs: number): Durability {
  if (store.dialect === "sqlite") return { store: "embedded", survives_loss_of_primary: "no", explained: explained.embedded };
  const [survives, why] = judge(store.lastReading(), nowMs);
  return { store: "postgres", survives_loss_of_primary: survives, explained: explained[why] };
}

/** Said at every start: nobody should learn it from the loss of a machine. */
export function reportDurability({ log, store }: { log: Pick<FastifyBaseLogger, "info" | "warn">; store: Store }): void {
  if (store.dialect !== "postgres") return;
  const { survives_loss_of_primary: survives, explained: why } = describeDurability(store, performance.now());
  const text = `does an acknowledged call survive the loss of the primary: ${survives}. ${why}`;
  if (survives === "no" && store.hosts > 1) log.warn(`${text} docs/availability.md says how to change that`);
  else log.info(text);
}
