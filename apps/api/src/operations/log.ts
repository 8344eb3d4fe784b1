import type { FastifyBaseLogger } from "fastify";
import { type LevelWithSilent, type Logger, pino } from "pino";
import type { WriteTrouble } from "../store/sqlite-trouble.ts";
import type { OnWriteTrouble } from "../store/watch-writes.ts";

/** JSON lines on standard error: standard output is for what a person or a script asked for. */
export function createLog(level: LevelWithSilent): Logger {
  return pino({ level, base: { service: "assay" } }, pino.destination({ dest: 2, sync: false }));
}

const troubleTexts: Record<WriteTrouble, string> = {
  disk_full: "the disk of DATA_DIR is full: nothing is billed and calls get 503 until there is room again",
  disk_error: "the disk of DATA_DIR fails: what cannot be made durable is not billed",
};

/** One line when the disk stops taking writes and one when it takes them again, however many calls meet it meanwhile. */
export const tellWriteTrouble =
  (log: Pick<FastifyBaseLogger, "warn" | "error">): OnWriteTrouble =>
  (trouble) =>
    trouble === undefined ? log.warn("the disk of DATA_DIR takes writes again") : log.error({ trouble }, troubleTexts[trouble]);
