/**
 * What makes a copy of the database a backup: a table that says when and by which version it was made and holds the
 * installation's secret, and a last line with the hash of everything before it. SQLite reads whole pages and never
 * gets to that line, so a backup can be looked into with any SQLite tool.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, open, stat } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export type Seal = {
  madeMs: number;
  /** Of Assay. */
  version: string;
  /** Undefined where the operator keeps it outside, in SECRET_KEY: then the backup does not hold it either. */
  secret: string | undefined;
  /** Of the secret, wherever it is kept. Undefined where none has ever been used. */
  fingerprint: string | undefined;
};

type SealRow = { made_at: number; version: string; secret: string | null; fingerprint: string | null };

const trailerPrefix = "\nassay-backup-1 ";
const trailerLength = trailerPrefix.length + 64 + 1;

/** Writes what is to be known of the copy into it. */
export function insertSeal(copy: DatabaseSync, seal: Seal): void {
  copy.exec("CREATE TABLE assay_backup (made_at INTEGER NOT NULL, version TEXT NOT NULL, secret TEXT, fingerprint TEXT) STRICT");
  const insert = copy.prepare("INSERT INTO assay_backup (made_at, version, secret, fingerprint) VALUES (?, ?, ?, ?)");
  insert.run(seal.madeMs, seal.version, seal.secret ?? null, seal.fingerprint ?? null);
}

/** Reads it and takes it out again: a running store has no such table, and its secret lies in a file of its own. */
export function takeOutSeal(copy: DatabaseSync): Seal {
  const row = copy.prepare("SELECT made_at, version, secret, fingerprint FROM assay_backup").get() as SealRow;
  // What is dropped is overwritten, not only forgotten.
  copy.exec("PRAGMA secure_delete = ON");
  copy.exec("DROP TABLE assay_backup");
  return { madeMs: row.made_at, version: row.version, secret: row.secret ?? undefined, fingerprint: row.fingerprint ?? undefined };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Adds the last line. */
export async function closeSeal(path: string): Promise<void> {
  await appendFile(path, `${trailerPrefix}${await hashFile(path)}\n`);
}

async function readTrailer(path: string): Promise<{ bytes: number; hash: string } | undefined> {
  const { size } = await stat(path);
  const bytes = size - trailerLength;
  if (bytes <= 0) return undefined;
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(trailerLength), 0, trailerLength, bytes);
    const [, hash] = /^\nassay-backup-1 ([0-9a-f]{64})\n$/.exec(buffer.toString("latin1")) ?? [];
    return hash === undefined ? undefined : { bytes, hash };
  } finally {
    await file.close();
  }
}

/** Copies the database out of a backup, and tells whether it is what was once put in. */
export async function unsealTo(backup: string, path: string): Promise<"whole" | "altered" | "not_a_backup"> {
  const trailer = await readTrailer(backup);
  if (!trailer) return "not_a_backup";
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(backup, { end: trailer.bytes - 1 }), hashing, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  return hash.digest("hex") === trailer.hash ? "whole" : "altered";
}
