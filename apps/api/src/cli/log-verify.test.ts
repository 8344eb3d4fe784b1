import { leafText } from "@assay/tlog/receipt-leaf.ts";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Assay, assayOn } from "../../test/cli/run-assay.ts";
import { extend, logContextOf } from "../../test/log/log-context.ts";
import { makeSigner, type Signer, SmallLog } from "../../test/log/small-log.ts";
import { makeAccount } from "../../test/make-account.ts";
import { predict, send } from "../../test/send.ts";
import { makeTestFolder, testSecretKey, type TestService } from "../../test/start-service.ts";
import { openLogSigner, readLogKeys } from "../money/ledger/log/log-keys.ts";
import { readCheckpoint } from "../money/ledger/log/read-log.ts";

type VerifyJson = { ok: boolean; problem?: string; size: number; key: string; consistent_with: number | null; own: { entries: number; in_log: number; not_logged_yet: number; last_receipt: string } | null };
type EvidenceJson = { proves_fraud: boolean; code: string; sentence: string; entries: { seq: number; hash: string }[] };

describeBothStores("assay log, from outside", (open) => {
  const folder = makeTestFolder();
  const env = { SECRET_KEY: testSecretKey };
  let database: TestDatabase;
  let assay: Assay;
  let service: TestService;
  let liveKey: string;
  let accountId: string;
  let receipt: string;

  async function call(times: number): Promise<void> {
    for (let each = 0; each < times; each += 1) receipt = String((await predict(service, liveKey)).headers["assay-receipt"]);
    await extend(database.store);
  }

  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  before(async () => {
    database = await open();
    assay = assayOn({ ...database, env });
    ({ liveKey, accountId } = await makeAccount(database.store));
    service = await database.serve({ env });
    await call(3);
  });

  it("verifies the log and the own entries, and the next time that it continues the checkpoint in the file", async () => {
    const last = join(folder, "last.txt");
    const first = await assay.json<VerifyJson>("log", "verify", service.url, "--key", liveKey, "--last", last);
    assert.deepEqual(
      { ...first, origin: undefined, root: undefined },
      { ok: true, origin: undefined, size: 3, root: undefined, key: "fetched", witnessed_by: [], tiles: 1, consistent_with: null, own: { entries: 3, in_log: 3, not_logged_yet: 0, last_receipt: receipt } },
    );
    await call(2);
    const [newest] = await readLogKeys(logContextOf(database.store), (await readCheckpoint(database.store))!.origin);
    const { code, stdout, stderr } = await assay.run("log", "verify", service.url, "--key", liveKey, "--last", last, "--log-key", newest!.vkey);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /is whole: 5 entries, 1 tile, and the checkpoint is signed\.\nThe signature is by the key that you gave\.\n[^\n]*\nIt continues the 3 entries that you saw last\.\n/);
    assert.match(readFileSync(last, "utf8"), /^assay\.example\.com\/assay\/\w{8}\n5\n|^127\.0\.0\.1\/assay\/\w{8}\n5\n/);
  });

  it("exits with 1 and says why when the log does not hold, and takes two proofs of one entry for evidence [threat: relogged-chain]", async () => {
    const { origin } = (await readCheckpoint(database.store))!;
    const signer = await openLogSigner(logContextOf(database.store), origin);
    const signers: Signer[] = [{ vkey: "", signatureOf: (text) => signer(text)[0]!, rename: () => assert.fail() }];
    const other = new SmallLog(origin, signers);
    other.append({ accountId, seq: 1, hash: "ab".repeat(32) });
    const seen = fileOf("seen.txt", other.note());
    const { code, stdout } = await assay.run("log", "verify", service.url, "--key", liveKey, "--last", seen, "--json");
    assert.deepEqual([code, JSON.parse(stdout)], [1, { ok: false, problem: "The first 1 entries of the log are not the ones that you saw last: the log was rewritten." }]);
    assert.equal(readFileSync(seen, "utf8"), other.note());
    const stranger = await makeSigner(origin);
    assert.match((await assay.run("log", "verify", service.url, "--key", liveKey, "--log-key", stranger.vkey)).stdout, /^The log does NOT hold\. The checkpoint is not signed by a known key/);
    assert.match(await assay.refusal("log", "verify", service.url), /answered 401: .* pass --key with an API key\./);
    assert.match(await assay.refusal("log", "verify", "not an address"), /is not the address of an installation/);

    // The same account and number with another hash, signed by the same log.
    const honest = fileOf("a.tlog-proof", (await send(service, "/api/ledger/proof?seq=1", { headers: { "x-api-key": liveKey } })).text);
    const forged = fileOf("b.tlog-proof", other.proof({ accountId, seq: 1 })!);
    const proved = await assay.json<EvidenceJson>("log", "evidence", honest, forged);
    assert.deepEqual([proved.proves_fraud, proved.code, proved.entries.map(({ seq }) => seq)], [true, "two_entries", [1, 1]]);
    assert.match((await assay.run("log", "evidence", honest, forged)).stdout, /^FRAUD is proved\. .* has signed two different entries 1 of account/);
    const same = await assay.run("log", "evidence", honest, honest);
    assert.deepEqual([same.code, same.stdout], [1, "This proves nothing. Both proofs are for the same entry, with the same hash.\n"]);
    const byStranger = await assay.run("log", "evidence", honest, forged, "--log-key", stranger.vkey, "--json");
    assert.deepEqual([byStranger.code, (JSON.parse(byStranger.stdout) as EvidenceJson).code], [1, "invalid_proof"]);
    const torn = await assay.run("log", "evidence", fileOf("c", leafText({ accountId, seq: 1, hash: "ab".repeat(32) })), honest);
    assert.deepEqual([torn.code, torn.stdout.startsWith("This proves nothing. The proof is malformed")], [1, true]);
    assert.match(await assay.refusal("log", "evidence", join(folder, "nowhere"), honest), /nowhere cannot be read \(ENOENT\)/);
  });
});
