import { emptyRoot } from "@assay/tlog/merkle.ts";
import { DatabaseSync } from "node:sqlite";

/** What the witness cosigned last of a log. */
export type Cosigned = { size: number; root: Uint8Array };

export type SeenCheckpoint = Cosigned & { origin: string; note: string; atMs: number };

const busyMsMax = 10_000;
/** A log that contradicts itself all the time must not fill the disk. */
const contradictionsMax = 100;

/** Every commit is on the disk before it returns: a witness that forgets could be led to cosign a fork. */
const setUp = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS cosigned (
    origin TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL, line TEXT, at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS contradictions (
    origin TEXT NOT NULL, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL, known_note TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (origin, size, root)
  ) STRICT;`;

/** A file of SQLite. Several processes may share it: what one has cosigned binds the others. */
export function openWitnessMemory(file: string) {
  const database = new DatabaseSync(file, { timeout: busyMsMax });
  database.exec(setUp);
  const select = database.prepare("SELECT size, root, note, line FROM cosigned WHERE origin = ?");
  const selectOrigins = database.prepare("SELECT origin FROM cosigned ORDER BY origin");
  const insert = database.prepare("INSERT INTO cosigned (origin, size, root, note, line, at) VALUES (?, ?, ?, ?, NULL, ?) ON CONFLICT (origin) DO NOTHING");
  const update = database.prepare("UPDATE cosigned SET size = ?, root = ?, note = ?, line = NULL, at = ? WHERE origin = ? AND size = ? AND root = ?");
  const updateLine = database.prepare("UPDATE cosigned SET line = ? WHERE origin = ? AND size = ?");
  const countContradictions = database.prepare("SELECT count(*) AS count FROM contradictions WHERE origin = ?");
  const selectContradictions = database.prepare("SELECT note, known_note AS knownNote FROM contradictions WHERE origin = ? ORDER BY at");
  const insertContradiction = database.prepare(
    "INSERT INTO contradictions (origin, size, root, note, known_note, at) SELECT ?, ?, ?, ?, note, ? FROM cosigned WHERE origin = ? ON CONFLICT DO NOTHING",
  );

  function read(origin: string): (Cosigned & { note: string; line: string | null }) | undefined {
    const row = select.get(origin) as { size: number; root: Uint8Array; note: string; line: string | null } | undefined;
    return row && { ...row, root: new Uint8Array(row.root) };
  }

  return {
    read,
    origins: () => (selectOrigins.all() as { origin: string }[]).map(({ origin }) => origin),
    /** An unknown log is the empty one. */
    lastCosigned: (origin: string): Cosigned => read(origin) ?? { size: 0, root: emptyRoot },
    /** Replaces exactly what was `known`, on the disk. False if that is not what the witness cosigned last: another request was faster. */
    remember(known: Cosigned, { origin, size, root, note, atMs }: SeenCheckpoint): boolean {
      const { changes } = read(origin) ? update.run(size, root, note, atMs, origin, known.size, known.root) : insert.run(origin, size, root, note, atMs);
      return changes === 1;
    },
    /** The cosignature of the checkpoint that is remembered, for monitors. */
    keepLine(origin: string, size: number, line: string): void {
      updateLine.run(line, origin, size);
    },
    /** Keeps a signed checkpoint beside the one of the same size that it contradicts: together they convict the log. */
    keepContradiction({ origin, size, root, note, atMs }: SeenCheckpoint): void {
      const { count } = countContradictions.get(origin) as { count: number };
      if (count < contradictionsMax) insertContradiction.run(origin, size, root, note, atMs, origin);
    },
    readContradictions: (origin: string) => selectContradictions.all(origin) as { note: string; knownNote: string }[],
    close: () => database.close(),
  };
}

export type WitnessMemory = ReturnType<typeof openWitnessMemory>;
