import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { findMismatch, hasLine } from "./match-output.ts";
import { findFreePort, openTerminal, type Terminal } from "./open-terminal.ts";
import { type Block, readBlocks, readDocument, root } from "./read-document.ts";

/** Address of the service in the documents; the test service listens elsewhere. */
const documentedAddress = "http://127.0.0.1:8080";
/** `sess_…` stands for the latest printed id or key with that prefix. */
const placeholderPattern = /\b((?:[a-z]+_)+)…/g;
/** Ports of the reader's own servers in the documents; each stands for a free one. */
const documentedPorts = ["9001", "9002", "9003"];
/** A secret is base64, everything else is letters and digits. */
const charactersOf = (prefix: string): string => (prefix === "whsec_" || prefix === "whpk_" ? "[0-9A-Za-z+/]{16,}={0,2}" : "[0-9A-Za-z]{16,}");

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
    const found = seen.match(new RegExp(`\\b${prefix}${charactersOf(prefix)}`, "g"))?.at(-1);
    if (found === undefined) throw new Error(`nothing printed so far matches ${placeholder}`);
    return found;
  });
}

function saveFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const restored = (state: string): string => (existsSync(state) ? `. '${state}'\n` : "");

/** Keeps exported variables from block to block, as in one terminal. */
const inTerminal = (text: string, state: string): string => `${restored(state)}${text}\nexport -p | grep -v -E '^export (OLDPWD|PWD|PATH|_)=' > '${state}'`;

async function readWithPorts(document: string): Promise<string> {
  const ports = new Map(await Promise.all(documentedPorts.map(async (port) => [port, String(await findFreePort())] as const)));
  return readDocument(document).replaceAll(new RegExp(`\\b(?:${documentedPorts.join("|")})\\b`, "g"), (port) => ports.get(port)!);
}

/** What is running besides, the newest last. */
type Terminals = Terminal[];

async function runBlock(block: Block, { command, folder, state, env, terminals }: { command: string; folder: string; state: string; env: NodeJS.ProcessEnv; terminals: Terminals }): Promise<string> {
  if (!block.words.includes("serve")) return runOrFail("/bin/sh", ["-euc", inTerminal(command, state)], { cwd: folder, env });
  const terminal = openTerminal(`${restored(state)}${command}`, { cwd: folder, env });
  terminals.push(terminal);
  await terminal.waitUntil((printed) => printed !== "", "it printed anything");
  return terminal.printed();
}

async function findFault(block: Block, printed: string, terminals: Terminals): Promise<string | undefined> {
  if (block.words.includes("answer")) return findMismatch(block, printed);
  if (block.words.includes("shown")) await terminals.at(-1)!.waitUntil((shown) => hasLine(block, shown), `it printed ${block.text}`);
  return undefined;
}

async function runBlocks(document: string, reader: Reader, { terminals, log }: { terminals: Terminals; log: (line: string) => void }): Promise<number> {
  const project = makeTestFolder();
  const state = join(makeTestFolder(), "exported");
  const npm = { npm_config_cache: join(project, ".npm"), npm_config_registry: "http://127.0.0.1:1", npm_config_update_notifier: "false" };
  const env = { ...reader.environment, ...npm, HOME: project, PROJECT: project };
  let seen = reader.seen;
  let printed = "";
  let ran = 0;
  for (const block of readBlocks(await readWithPorts(document))) {
    const folder = block.words.includes("project") ? project : reader.checkout;
    const at = `${document}:${block.line}`;
    const file = block.words.find((word) => word.startsWith("file="))?.slice("file=".length);
    if (file) saveFile(folder, file, block.text);
    if (isCommand(block) && !isStart(block)) {
      printed = await runBlock(block, { command: fillPlaceholders(block.text, reader, seen), folder, state, env, terminals }).catch((error: unknown) => {
        throw new Error(`${at} failed`, { cause: error });
      });
      seen += printed;
      ran += 1;
      log(`${at} ${block.text.split("\n")[0]} → ${printed.trim().replaceAll(/\s+/g, " ").slice(0, 100)}`);
    }
    const fault = await findFault(block, printed, terminals).catch((error: Error) => error.message);
    if (fault) throw new Error(`${at}: ${fault}`);
  }
  return ran;
}

/** Runs the commands of a document in order and returns how many there were. */
export async function runDocument(document: string, reader: Reader, log: (line: string) => void): Promise<number> {
  const terminals: Terminals = [];
  try {
    return await runBlocks(document, reader, { terminals, log });
  } finally {
    for (const terminal of terminals) await terminal.close();
  }
}

/** Puts a picture where a document presupposes one. */
export function placePicture(checkout: string, path: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  copyFileSync(join(root, "docs", "pictures", "dashboard.png"), join(checkout, path));
}
