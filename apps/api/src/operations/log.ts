import type { FastifyBaseLogger } from "fastify";
import { type LevelWithSilent, type Logger, pino } from "pino";
import type { WriteTrouble } from "../store/sqlite-trouble.ts";
import type { OnWriteTrouble } from "../store/watch-writes.ts";

/** JSON lines on standard error: standard output is for command output. */
export function createLog(level: LevelWithSilent, worker?: number): Logger {
  return pino({ level, base: { service: "assay", ...(worker !== undefined && { worker }) } }, pino.destination({ dest: 2, sync: false }));
}

const troubleTexts: Record<WriteTrouble, string> = {
  disk_full: "the disk of DATA_DIR is full: nothing is billed and calls get 503 until space is free again",
  disk_error: "the disk of DATA_DIR fails: writes that cannot be made durable are not billed",
};

/** One line when the disk stops taking writes and one when it recovers, however many calls fail meanwhile. */
export const logWriteTrouble =
  (log: Pick<FastifyBaseLogger, "warn" | "error">): OnWriteTrouble =>
  (trouble) =>
    trouble === undefined ? log.warn("the disk of DATA_DIR takes writes again") : log.error({ trouble }, troubleTexts[trouble]);
