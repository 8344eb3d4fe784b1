import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** JSON lines on standard error: standard output is for what a person or a script asked for. */
export function createLog(level: Config["logLevel"]): Logger {
  return pino({ level, base: { service: "assay" } }, pino.destination({ dest: 2, sync: false }));
}
