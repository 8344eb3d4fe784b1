import type { Mutant } from "./mutant.ts";

const sessionsTest = "apps/api/src/money/ledger/attested-sessions.test.ts";
const copies = "gives one attested call, although a hundred copies are sent at once";
const batch = "gives one attested call within a batch, and the calls around it are charged";
const keys = "is judged after the stored answer of its key, and a used one stores no answer";
const replayed = "whose call is answered from the store is not used by that, and a copy after it in the batch is charged";
const balance = "is left unused by a call that prepaid money does not cover, and a used one is told before the money";
const testMode = "is neither looked up nor used in test mode, and the record says what its token gave";
const deleted = "is deleted 48 hours after it was used, however long it lasted";
const anew = "is charged anew without its token, with a key";
const onceTest = "apps/api/src/money/ledger/answer-once.test.ts";
const keyTest = "apps/api/src/money/ledger/idempotency.test.ts";
const uncharged = "replays the stored answer to a call that could not be charged any more, and refuses it where nothing is stored";
const sqlite = "apps/api/src/money/ledger/charge-batch.sqlite.ts";
const postgres = "apps/api/src/money/ledger/charge-calls.function.ts";

/** One attested call per session, and what becomes of the others. */
export const attestationLedgerMutants: readonly Mutant[] = [
  {
    name: "SQLite charges every copy of a session",
    file: sqlite,
    from: "insertSession.run(session, accountId, ref, atMs);",
    to: "",
    killedBy: [sessionsTest, copies],
  },
  {
    name: "SQLite tells of money before it tells that a session is used",
    file: sqlite,
    from: "isUsed ? usedMark : isLive && !isCovered(batch, grossMicroUsd, head!) ? refusedMark : undefined",
    to: "isLive && !isCovered(batch, grossMicroUsd, head!) ? refusedMark : isUsed ? usedMark : undefined",
    killedBy: [sessionsTest, balance],
  },
  {
    name: "SQLite stores an answer for a call whose session was used",
    file: sqlite,
    from: "unwritten === undefined && insertAnswer",
    to: "unwritten !== refusedMark && insertAnswer",
    killedBy: [sessionsTest, keys],
  },
  {
    name: "SQLite forgets attested calls that were counted before",
    file: sqlite,
    from: "attested_calls = attested_calls + excluded.attested_calls",
    to: "attested_calls = excluded.attested_calls",
    killedBy: [sessionsTest, keys],
  },
  {
    name: "SQLite counts every call as attested",
    file: sqlite,
    from: "        if (session !== \"\") {\n          insertSession.run(session, accountId, ref, atMs);\n          rollup.attested_calls += 1;\n        }",
    to: "        rollup.attested_calls += 1;\n        if (session !== \"\") insertSession.run(session, accountId, ref, atMs);",
    killedBy: [sessionsTest, batch],
  },
  {
    name: "PostgreSQL looks no session up",
    file: postgres,
    from: "coalesce((SELECT true FROM attested_sessions a WHERE a.id = s.id), false) AS is_used",
    to: "false AS is_used",
    killedBy: [sessionsTest, keys],
    needs: "postgres",
  },
  {
    name: "PostgreSQL takes a session for used because of a copy that was not charged",
    file: postgres,
    from: "AND v_is_used[v_same_before[i]] THEN",
    to: "AND v_same_before[i] IS NOT NULL THEN",
    killedBy: [sessionsTest, replayed],
    needs: "postgres",
  },
  {
    name: "PostgreSQL uses a session for a call that it refuses",
    file: postgres,
    from: "WHERE c.session IS NOT NULL AND c.seq IS NOT NULL;",
    to: "WHERE c.session IS NOT NULL ON CONFLICT DO NOTHING;",
    killedBy: [sessionsTest, balance],
    needs: "postgres",
  },
  {
    name: "PostgreSQL counts every call as attested",
    file: postgres,
    from: "count(c.session)",
    to: "count(*)",
    killedBy: [sessionsTest, batch],
    needs: "postgres",
  },
  {
    name: "a used session is read back as money that is missing",
    file: "apps/api/src/money/ledger/charge-batch.postgres.ts",
    from: '"used" : "refused"',
    to: '"refused" : "refused"',
    killedBy: ["apps/api/src/money/ledger/charge-batch.postgres.test.ts", "is read back: what its session's earlier use refused is told from what prepaid money did not cover, and neither was charged"],
    needs: "postgres",
  },
  {
    name: "a call whose session was used is a free answer",
    file: "apps/api/src/money/ledger/charge-batch.ts",
    from: '  if (receipt === usedMark) return { kind: "used" };\n',
    to: "",
    killedBy: [sessionsTest, copies],
  },
  {
    name: "a test call uses a session up",
    file: "apps/api/src/money/ledger/charge-batch.ts",
    from: '(mode === "live" ? (attestation?.sessionId ?? null) : null)',
    to: '(mode === "live" ? (attestation?.sessionId ?? null) : (attestation?.sessionId ?? null))',
    killedBy: [sessionsTest, testMode],
  },
  {
    name: "a call that is charged anew keeps no answer under its key",
    file: "apps/api/src/money/ledger/answer-once.ts",
    from: "    charge.idempotency = this.key;\n",
    to: "",
    killedBy: [onceTest, anew],
  },
  {
    name: "a call that is charged anew is answered as attested",
    file: "apps/api/src/money/ledger/answer-once.ts",
    from: "    this.key = { ...this.key, body };\n",
    to: "",
    killedBy: [onceTest, anew],
  },
  {
    name: "a call that cannot be charged is refused although its answer is stored",
    file: "apps/api/src/money/ledger/answer-once.ts",
    from: "    if (!stored) throw refusal;\n",
    to: "    if (stored) throw refusal;\n",
    killedBy: [keyTest, uncharged],
  },
  {
    name: "an expired answer is read for a call that cannot be charged",
    file: "apps/api/src/money/ledger/ledger.table.ts",
    from: '    .where("a.key_hash", "=", place.keyHash)\n    .where("a.at", ">=", place.fromMs);',
    to: '    .where("a.key_hash", "=", place.keyHash);',
    killedBy: [keyTest, uncharged],
  },
  {
    name: "a stored answer that cannot be read is an internal error",
    file: "apps/api/src/money/ledger/read-answer.ts",
    from: ".catch(refuse)",
    to: "",
    killedBy: [keyTest, "of a call that cannot be charged is answered as overloaded while the store cannot be read, and bills nothing"],
  },
  {
    name: "a session is forgotten soon after it was used if it began long before",
    file: "apps/api/src/money/ledger/ledger.table.ts",
    from: '.where("id", "<", old.id).where("at", "<", old.atMs)',
    to: '.where("id", "<", old.id)',
    killedBy: [sessionsTest, deleted],
  },
  {
    name: "analyses of traffic lower the share of attested calls",
    file: "apps/api/src/money/ledger/ledger.table.ts",
    from: '\n    .where("endpoint", "in", attestableEndpoints)',
    to: "",
    killedBy: [sessionsTest, batch],
  },
  {
    name: "evidence forgets which signals were attested",
    file: "apps/api/src/scoring/sessions/evidence-sessions.table.ts",
    from: '  "attested",\n',
    to: "",
    killedBy: ["apps/api/test/findings.test.ts", "keeps the sessions of unsettled days beyond retention, until they are settled"],
  },
];
