/**
 * The backup format: a copy of the database, a table with the backup's metadata and the installation's secret, and a
 * last line with the SHA-256 of everything before it. SQLite reads whole pages and ignores that line, so any SQLite
 * tool can open a backup.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, open, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export type BackupMetadata = {
  madeMs: number;
  /** Assay's version. */
  version: string;
  /** Undefined when the operator sets SECRET_KEY: then the backup does not contain it either. */
  secret: string | undefined;
  /** The secret's fingerprint. Undefined when no secret was ever used. */
  fingerprint: string | undefined;
};

type MetadataRow = { made_at: number; version: string; secret: string | null; fingerprint: string | null };

const trailerPrefix = "\nassay-backup-1 ";
const trailerLength = trailerPrefix.length + 64 + 1;

export function insertMetadata(copy: DatabaseSync, metadata: BackupMetadata): void {
  copy.exec("CREATE TABLE assay_backup (made_at INTEGER NOT NULL, version TEXT NOT NULL, secret TEXT, fingerprint TEXT) STRICT");
  const insert = copy.prepare("INSERT INTO assay_backup (made_at, version, secret, fingerprint) VALUES (?, ?, ?, ?)");
  insert.run(metadata.madeMs, metadata.version, metadata.secret ?? null, metadata.fingerprint ?? null);
}

/** Reads the metadata and drops its table: a live store does not have it, and keeps its secret in a file of its own. */
export function takeMetadata(path: string): BackupMetadata {
  const copy = new DatabaseSync(path);
  try {
    const row = copy.prepare("SELECT made_at, version, secret, fingerprint FROM assay_backup").get() as MetadataRow;
    // Overwrites the dropped pages: they contain the secret.
    copy.exec("PRAGMA secure_delete = ON");
    copy.exec("DROP TABLE assay_backup");
    return { madeMs: row.made_at, version: row.version, secret: row.secret ?? undefined, fingerprint: row.fingerprint ?? undefined };
  } finally {
    copy.close();
  }
}

export async function appendChecksum(path: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  await appendFile(path, `${trailerPrefix}${hash.digest("hex")}\n`);
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

/** Copies the database out of a backup and verifies its checksum. */
export async function extractDatabase(backup: string, path: string): Promise<"whole" | "altered" | "not_a_backup"> {
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
