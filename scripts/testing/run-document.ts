import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { findMismatch } from "./match-output.ts";
import { type Block, readBlocks, readDocument, root } from "./read-document.ts";

/** Address of the service in the documents; the test service listens elsewhere. */
const documentedAddress = "http://127.0.0.1:8080";
/** `sess_…` stands for the latest printed id or key with that prefix. */
const placeholderPattern = /\b((?:[a-z]+_)+)…/g;

/** The tests have already started the service. */
const isStart = (block: Block): boolean => block.text.trim() === "npm start";

export const isCommand = (block: Block): boolean => block.language === "sh" && block.norun === undefined;

/** A folder like a fresh clone with its packages installed, which commands can write to without side effects. */
export function makeCheckout(): string {
  const folder = makeTestFolder();
  for (const { name } of readdirSync(root, { withFileTypes: true })) {
    if ([".git", "data", "packages", ".runtime"].includes(name)) continue;
    symlinkSync(join(root, name), join(folder, name));
  }
  // Packing a package builds in its folder, so this is a copy.
  cpSync(join(root, "packages"), join(folder, "packages"), { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
  return folder;
}

export type Reader = {
  checkout: string;
  url: string;
  /** Output of the service at its first start, with credentials and keys. */
  seen: string;
  environment: NodeJS.ProcessEnv;
};

function fillPlaceholders(text: string, reader: Reader, seen: string): string {
  return text.replaceAll(documentedAddress, reader.url).replaceAll(placeholderPattern, (placeholder, prefix: string) => {
    const found = seen.match(new RegExp(`\\b${prefix}[0-9A-Za-z]{16,}`, "g"))?.at(-1);
    if (found === undefined) throw new Error(`nothing printed so far matches ${placeholder}`);
    return found;
  });
}

function saveFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Keeps exported variables from block to block, as in one terminal. */
const inTerminal = (text: string, state: string): string =>
  `${existsSync(state) ? `. '${state}'\n` : ""}${text}\nexport -p | grep -v -E '^export (OLDPWD|PWD|PATH|_)=' > '${state}'`;

/** Runs the commands of a document in order and returns how many there were. */
export async function runDocument(document: string, reader: Reader, log: (line: string) => void): Promise<number> {
  const project = makeTestFolder();
  const state = join(makeTestFolder(), "exported");
  const npm = { npm_config_cache: join(project, ".npm"), npm_config_offline: "true", npm_config_update_notifier: "false" };
  const environment = { ...reader.environment, ...npm, HOME: project, PROJECT: project };
  let seen = reader.seen;
  let printed = "";
  let ran = 0;
  for (const block of readBlocks(readDocument(document))) {
    const folder = block.words.includes("project") ? project : reader.checkout;
    const at = `${document}:${block.line}`;
    const file = block.words.find((word) => word.startsWith("file="))?.slice("file=".length);
    if (file) saveFile(folder, file, block.text);
    if (isCommand(block) && !isStart(block)) {
      printed = await runOrFail("/bin/sh", ["-euc", inTerminal(fillPlaceholders(block.text, reader, seen), state)], { cwd: folder, env: environment }).catch((error: unknown) => {
        throw new Error(`${at} failed`, { cause: error });
      });
      seen += printed;
      ran += 1;
      log(`${at} ${block.text.split("\n")[0]} → ${printed.trim().replaceAll(/\s+/g, " ").slice(0, 100)}`);
    }
    const mismatch = block.words.includes("answer") ? findMismatch(block, printed) : undefined;
    if (mismatch) throw new Error(`${at}: ${mismatch}`);
  }
  return ran;
}

/** Puts a picture where a document presupposes one. */
export function placePicture(checkout: string, path: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  copyFileSync(join(root, "docs", "pictures", "dashboard.png"), join(checkout, path));
}
