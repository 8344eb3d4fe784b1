import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { clickUrlOf, follow, requestAd } from "../ads/serving/send-tracking.ts";
import { assayOn } from "../cli/run-assay.ts";
import { openStore } from "../../src/store/open-store.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { predict, waitUntil } from "../send.ts";
import { readLedger } from "../read-ledger.ts";
import { makeTestFolder, startService } from "../start-service.ts";
import { createCallBook, type CallBook } from "./rig/call-book.ts";
import { startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionCount = 8;
/** Between two calls of a client: the commands that make and restore the backup need the processor, too. */
const thinkMsMax = 10;
const accountCount = 3;
const callsBetween = 300;

type Verified = { entries: number; ok: boolean; breaks: unknown[] };

/** The receipts that an account's clients have so far. */
const receiptsOf = (book: CallBook, { accountId }: TestAccount): string[] =>
  book.records
    .filter(({ account }) => account.accountId === accountId)
    .flatMap(({ attempts }) => attempts.flatMap((each) => (each.kind === "answered" && each.receipt !== undefined ? [each.receipt] : [])));

const countReceipts = (book: CallBook) =>
  book.records.filter(({ attempts }) => attempts.some((each) => each.kind === "answered" && each.status === 200)).length;

/** Each account's ledger entries in order, as `<seq>.<hash>`. */
async function chainsIn(dataDir: string, accounts: readonly TestAccount[]): Promise<string[][]> {
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  try {
    const chains: string[][] = [];
    for (const { accountId } of accounts) chains.push((await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`));
    return chains;
  } finally {
    await store.close();
  }
}

describe("a backup made under load", () => {
  it("contains what was billed before it, restores the service after kill -9, and its chains continue", async (t) => {
    const dataDir = makeTestFolder();
    const settings = { dataDir, databaseUrl: undefined };
    const service = await startService(settings);
    t.after(() => service.kill9());
    const accounts = await Promise.all(Array.from({ length: accountCount }, () => makeAccount(settings, { tier: vastTier })));
    const assay = assayOn(settings);
    const book = createCallBook();
    const file = join(makeTestFolder(), "assay.backup");
    const ad = await requestAd(service, accounts[0]!.liveKey, {});
    const load = startLoad({ book, random: createSeededRandom(), accounts, connections: connectionCount, urls: [service.url], endsWhenCut: true, thinkMsMax });
    const untilBilled = async (more: number) => {
      const from = countReceipts(book);
      await waitUntil(() => countReceipts(book) >= from + more, `${more} more calls are billed`, 60_000);
    };

    await untilBilled(callsBetween);
    const before = accounts.map((account) => receiptsOf(book, account));
    const [answeredBefore, made] = [countReceipts(book), await assay.json<{ entries: number }>("backup", file)];
    const answeredDuring = countReceipts(book) - answeredBefore;
    await untilBilled(callsBetween);
    service.child.kill("SIGKILL");
    await load.ended;
    await service.kill9();

    const restored = await assay.json<{ entries: number; replaced: string }>("restore", file, "--force");
    assert.equal(restored.entries, made.entries);
    const [chains, replaced] = [await chainsIn(dataDir, accounts), await chainsIn(restored.replaced, accounts)];
    for (const [index, account] of accounts.entries()) {
      const chain = chains[index]!;
      assert.deepEqual(replaced[index]!.slice(0, chain.length), chain, "the restored chain is a prefix of the original");
      for (const receipt of before[index]!) assert.ok(chain.includes(receipt), "calls billed before the backup are in it");
      for (const receipt of receiptsOf(book, account)) assert.ok(replaced[index]!.includes(receipt), "the replaced database is kept complete");
    }

    const again = await startService(settings);
    t.after(() => again.kill9());
    for (const [index, account] of accounts.entries()) {
      const answer = await predict(again, account.liveKey);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers["assay-receipt"]), new RegExp(`^${chains[index]!.length + 1}\\.`));
    }
    assert.equal((await follow(again, clickUrlOf(ad))).status, 302, "a URL signed before is still valid");
    // Until its job has looked, a store that was put back contradicts what was signed, and verifying says so.
    const logged = async () => ((await (await fetch(`${again.url}/api/status`)).json()) as { log: { size: number } | null }).log?.size;
    await waitUntil(async () => (await logged()) === restored.entries + accountCount, "the log has the restored entries", 60_000);
    await again.stop();
    const report = await assay.json<Verified>("ledger", "verify");
    assert.deepEqual([report.ok, report.entries], [true, restored.entries + accountCount]);
    assert.ok(answeredDuring > 0, "calls were billed during the backup");
    t.diagnostic(`${made.entries} entries in the backup; ${answeredDuring} calls were billed during it, ${countReceipts(book)} in total`);
  });
});
