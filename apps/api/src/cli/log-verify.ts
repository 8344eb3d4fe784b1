import { readFile } from "node:fs/promises";
import { encodeBase64 } from "@assay/tlog/bytes.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import type { Command } from "commander";
import { isoTime } from "../formats/time.ts";
import { defineCommand, type JsonOption, wholeNumber } from "./define-command.ts";
import { openPublishedLog, type PublishedLog } from "./read-published-log.ts";
import { findLogPath, LogFault, type LogReport, verifyPublishedLog } from "./verify-published-log.ts";
import { openFileSink } from "./open-sink.ts";
import { countOf, printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";

type VerifyOptions = JsonOption & { log?: number; key?: string; logKey?: string[]; witnessKey?: string[]; last?: string };
type KeySource = "given" | "fetched";

const redrawMs = 100;

/** A counter on standard error when it is a terminal; nothing otherwise. */
function createProgress() {
  const { stderr } = process;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
  };
  return {
    show(leaves: number, total: number) {
      if (performance.now() - shownAtMs < redrawMs) return;
      shownAtMs = performance.now();
      write(`Verifying: ${leaves} of ${total} entries …`);
    },
    wait: (seconds: number) => write(`The service asks to wait ${countOf(seconds, "second", "seconds")} …`),
    clear: () => write(""),
  };
}

const readLast = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Refusal(`${path} cannot be read (${error.code})`);
  });

async function keepCheckpoint(path: string, note: string): Promise<void> {
  const sink = await openFileSink(path, { encoding: "utf8", flush: true });
  await sink.write(note);
  await sink.commit();
}

async function readLogKeys(log: PublishedLog, path: string): Promise<string[]> {
  const text = await log.readText(`${path}/key`);
  if (text === undefined) throw new Refusal("The installation does not publish its log.");
  return text.split("\n").filter((line) => line !== "");
}

function reportLines(report: LogReport, source: KeySource, last: string | undefined): string[] {
  const { checkpoint, witnessedBy } = report.opened;
  const { own } = report;
  return [
    `The log ${checkpoint.origin} is whole: ${countOf(checkpoint.size, "entry", "entries")}, ${countOf(report.tiles, "tile", "tiles")}, and the checkpoint is signed.`,
    source === "given" ? "The signature is by the key that you gave." : "The key comes from the service itself. Keep it, and give it with --log-key from now on.",
    witnessedBy.length === 0
      ? "No witness that you named has cosigned this checkpoint: others may be shown another log."
      : `Cosigned by ${witnessedBy.map(({ name, atMs }) => `${name} at ${isoTime(atMs)}`).join(", ")}.`,
    ...(report.consistentWith === undefined ? [] : [`It continues the ${countOf(report.consistentWith, "entry", "entries")} that you saw last.`]),
    ...(last === undefined ? [] : [`The checkpoint is kept in ${last}.`]),
    ...(own ? [`Your chain is whole: ${countOf(own.count, "entry", "entries")}, ${own.inLog} of them in the log, ${own.notLoggedYet} not logged yet. The last receipt is ${own.receipt ?? "none"}.`] : []),
  ];
}

const describeReport = ({ opened: { checkpoint, witnessedBy }, tiles, consistentWith, own }: LogReport, source: KeySource) => ({
  ok: true,
  origin: checkpoint.origin,
  size: checkpoint.size,
  root: encodeBase64(checkpoint.root),
  key: source,
  witnessed_by: witnessedBy.map(({ name, atMs }) => ({ name, at: isoTime(atMs) })),
  tiles,
  consistent_with: consistentWith ?? null,
  own: own ? { entries: own.count, in_log: own.inLog, not_logged_yet: own.notLoggedYet, last_receipt: own.receipt } : null,
});

async function runVerify(url: string, options: VerifyOptions): Promise<void> {
  const progress = createProgress();
  const log = openPublishedLog(url, { apiKey: options.key, onWait: progress.wait });
  const source: KeySource = options.logKey ? "given" : "fetched";
  try {
    const path = options.log === undefined ? await findLogPath(log) : `/log/${options.log}`;
    const keys = { logKeys: options.logKey ?? (await readLogKeys(log, path)), witnessKeys: options.witnessKey ?? [] };
    const lastNote = options.last === undefined ? undefined : await readLast(options.last);
    const report = await verifyPublishedLog({ log, path, keys, lastNote, withOwnEntries: options.key !== undefined && options.log === undefined, nowMs: Date.now(), onProgress: progress.show });
    if (options.last !== undefined) await keepCheckpoint(options.last, report.note);
    progress.clear();
    await (options.json ? printJson(describeReport(report, source)) : printLines(reportLines(report, source, options.last)));
  } catch (error) {
    progress.clear();
    if (!(error instanceof LogFault || error instanceof TlogError)) throw error;
    process.exitCode = 1;
    await (options.json ? printJson({ ok: false, problem: error.message }) : printLines([`The log does NOT hold. ${error.message}`]));
  }
}

export function addLogVerifyCommand(family: Command): void {
  defineCommand(family, {
    name: "verify",
    summary: "check an installation's log from outside",
    example: "log verify https://assay.example.com --key assay_live_… --last checkpoint.txt",
  })
    .argument("<url>", "address of the installation")
    .option("--key <api-key>", "an API key: needed where the log is for developers, and finds your own entries in it")
    .option("--log <number>", "an earlier log instead of the open one", wholeNumber({ from: 1, to: 999_999 }))
    .option("--log-key <key...>", "the log's public key, as you kept it; without one it is fetched")
    .option("--witness-key <key...>", "public keys of witnesses whose cosignatures count")
    .option("--last <file>", "the checkpoint that you saw last: compared, then replaced by the new one")
    .action(runVerify);
}
