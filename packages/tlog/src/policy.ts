/** Files that list logs and witnesses (C2SP tlog-policy). Groups and the quorum are for those who verify; they are not read here. */
import { areEqual } from "./bytes.ts";
import { cosignatureType, ed25519Type, parseVerifierKey, type SignatureType, type VerifierKey } from "./note.ts";
import { TlogError } from "./tlog-error.ts";

export type PolicyLog = { key: VerifierKey; url: string | undefined };
export type PolicyWitness = { name: string; key: VerifierKey; url: string | undefined };
export type Policy = { logs: PolicyLog[]; witnesses: PolicyWitness[] };

const policyCharactersMax = 256 * 1024;

function refuse(line: number, message: string): never {
  throw new TlogError("malformed_policy", `Line ${line}: ${message}.`);
}

function parseUrl(text: string | undefined, line: number): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    refuse(line, "the address must start with https:// or http://, without a user, a query and a fragment");
  }
  return url.href.replace(/\/+$/, "");
}

async function parseKey(vkey: string, { type, line }: { type: SignatureType; line: number }): Promise<VerifierKey> {
  const key = await parseVerifierKey(vkey).catch((error: unknown) => refuse(line, error instanceof TlogError ? error.message.replace(/\.$/, "") : String(error)));
  if (key.type !== type) refuse(line, type === cosignatureType ? "this key is not one of a witness (type 0x04)" : "this key is not one of a log (type 0x01)");
  return key;
}

/** One `log <key> [<address>]` or `witness <name> <key> [<address>]` per line; `#` starts a comment. */
export async function parsePolicy(text: string): Promise<Policy> {
  if (text.length > policyCharactersMax) refuse(1, `the file has more than ${policyCharactersMax} characters`);
  const logs: PolicyLog[] = [];
  const witnesses: PolicyWitness[] = [];
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const [keyword = "", ...words] = content.split(/[ \t]+/).filter((word) => word !== "");
    if (keyword === "" || keyword.startsWith("#") || keyword === "group" || keyword === "quorum") continue;
    if (keyword === "log") {
      const [vkey = "", url, ...rest] = words;
      if (rest.length > 0) refuse(line, "a log has a key and an address");
      const log = { key: await parseKey(vkey, { type: ed25519Type, line }), url: parseUrl(url, line) };
      if (logs.some(({ key }) => key.name === log.key.name && areEqual(key.publicKey, log.key.publicKey))) refuse(line, "this log is listed twice");
      logs.push(log);
    } else if (keyword === "witness") {
      const [name = "", vkey = "", url, ...rest] = words;
      if (rest.length > 0) refuse(line, "a witness has a name, a key and an address");
      const witness = { name, key: await parseKey(vkey, { type: cosignatureType, line }), url: parseUrl(url, line) };
      if (witnesses.some((other) => other.name === name || areEqual(other.key.publicKey, witness.key.publicKey))) refuse(line, "this witness is listed twice");
      witnesses.push(witness);
    } else {
      refuse(line, `“${keyword.slice(0, 40)}” is not log, witness, group or quorum`);
    }
  }
  return { logs, witnesses };
}
