/** What a log asks of a witness (C2SP tlog-witness, add-checkpoint): to cosign a checkpoint that continues the one it saw last. */
import { decodeHash, encodeBase64, parseDecimal } from "./bytes.ts";
import { pathLengthMax } from "./proof.ts";
import { TlogError } from "./tlog-error.ts";

export type WitnessRequest = {
  /** The size that the witness cosigned last; 0 if none. */
  oldSize: number;
  /** Proof that the checkpoint continues the log of that size. */
  path: readonly Uint8Array[];
  checkpointNote: string;
};

/** Type of the answer with status 409, whose body is the size that the witness cosigned last. */
export const sizeContentType = "text/x.tlog.size";

function refuse(message: string): never {
  throw new TlogError("malformed_request", `The request is malformed: ${message}.`);
}

export function formatWitnessRequest({ oldSize, path, checkpointNote }: WitnessRequest): string {
  return `old ${oldSize}\n${path.map((hash) => `${encodeBase64(hash)}\n`).join("")}\n${checkpointNote}`;
}

export function parseWitnessRequest(text: string): WitnessRequest {
  const end = text.indexOf("\n\n");
  if (end < 0) refuse("it has no empty line before its checkpoint");
  const [first = "", ...lines] = text.slice(0, end).split("\n");
  const oldSize = first.startsWith("old ") ? parseDecimal(first.slice("old ".length)) : undefined;
  if (oldSize === undefined) refuse("its first line is “old” and a decimal without leading zeros below 2^53");
  if (lines.length > pathLengthMax) refuse(`its proof has more than ${pathLengthMax} hashes`);
  const path = lines.map((line) => decodeHash(line) ?? refuse("each line of its proof is a SHA-256 hash in base64"));
  return { oldSize, path, checkpointNote: text.slice(end + 2) };
}
