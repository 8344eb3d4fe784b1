import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { findBrokenPromise } from "./match-output.ts";
import { type Block, readBlocks, readDocument, root } from "./read-document.ts";

/** What the documents call their service; the tests' one listens elsewhere. */
const documentedAddress = "http://127.0.0.1:8080";
/** `sess_…` and the like stand for the newest id or key of that kind that was printed. */
const placeholderPattern = /\b((?:[a-z]+_)+)…/g;

/** The command that keeps running; the tests have given it already, so that documents find its service. */
const isStart = (block: Block): boolean => block.text.trim() === "npm start";

export const isCommand = (block: Block): boolean => block.language === "sh" && block.norun === undefined;

/** A folder like a fresh clone with its packages installed. What commands write there touches nothing else. */
export function makeCheckout(): string {
  const folder = makeTestFolder();
  for (const { name } of readdirSync(root, { withFileTypes: true })) {
    if ([".git", "data", "packages", ".runtime"].includes(name)) continue;
    symlinkSync(join(root, name), join(folder, name));
  }
  // Built where it is packed, so this one is a copy.
  cpSync(join(root, "packages"), join(folder, "packages"), { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
  return folder;
}

export type Place = {
  checkout: string;
  url: string;
  /** What the reader has seen of the service before the document begins: its first words, with sign-ins and keys. */
  seen: string;
  environment: NodeJS.ProcessEnv;
};

function fill(text: string, place: Place, seen: string): string {
  return text.replaceAll(documentedAddress, place.url).replaceAll(placeholderPattern, (placeholder, prefix: string) => {
    const found = seen.match(new RegExp(`\\b${prefix}[0-9A-Za-z]{16,}`, "g"))?.at(-1);
    if (found === undefined) throw new Error(`nothing that was printed so far can stand for ${placeholder}`);
    return found;
  });
}

/** Saves what the reader is to save, where the commands run. */
function saveFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** What was exported stays exported from block to block, as it does for a reader in one terminal. */
const inTerminal = (text: string, state: string): string =>
  `${existsSync(state) ? `. '${state}'\n` : ""}${text}\nexport -p | grep -v -E '^export (OLDPWD|PWD|PATH|_)=' > '${state}'`;

/** Follows a document from its first line to its last; gives the number of commands that were run. */
export async function runDocument(document: string, place: Place, tell: (line: string) => void): Promise<number> {
  const project = makeTestFolder();
  const state = join(makeTestFolder(), "exported");
  const npm = { npm_config_cache: join(project, ".npm"), npm_config_offline: "true", npm_config_update_notifier: "false" };
  const environment = { ...place.environment, ...npm, HOME: project, PROJECT: project };
  let seen = place.seen;
  let printed = "";
  let ran = 0;
  for (const block of readBlocks(readDocument(document))) {
    const folder = block.words.includes("project") ? project : place.checkout;
    const at = `${document}:${block.line}`;
    const file = block.words.find((word) => word.startsWith("file="))?.slice("file=".length);
    if (file) saveFile(folder, file, block.text);
    if (isCommand(block) && !isStart(block)) {
      printed = await runOrFail("/bin/sh", ["-euc", inTerminal(fill(block.text, place, seen), state)], { cwd: folder, env: environment }).catch((error: unknown) => {
        throw new Error(`${at} does not work`, { cause: error });
      });
      seen += printed;
      ran += 1;
      tell(`${at} ${block.text.split("\n")[0]} → ${printed.trim().replaceAll(/\s+/g, " ").slice(0, 100)}`);
    }
    const broken = block.words.includes("answer") ? findBrokenPromise(block, printed) : undefined;
    if (broken) throw new Error(`${at}: ${broken}`);
  }
  return ran;
}

/** A picture for documents that take one for granted. */
export function placePicture(checkout: string, path: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  copyFileSync(join(root, "docs", "pictures", "dashboard.png"), join(checkout, path));
}
