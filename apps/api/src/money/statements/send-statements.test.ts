import fc from "fast-check";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { msPerHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { makeStatement } from "./make-statement.ts";
import { closedMonths, sendStatements } from "./send-statements.ts";

const octoberMs = Date.UTC(2026, 9, 10);
const novemberMs = Date.UTC(2026, 10, 1);
const publicUrl = "https://assay.example";

describe("the months that are over", () => {
  it("are three, the oldest first, and one more an hour after each month's end", () => {
    assert.deepEqual(closedMonths(novemberMs + msPerHour - 1), ["2026-07", "2026-08", "2026-09"]);
    assert.deepEqual(closedMonths(novemberMs + msPerHour), ["2026-08", "2026-09", "2026-10"]);
    assert.deepEqual(closedMonths(Date.UTC(2027, 0, 31, 23)), ["2026-10", "2026-11", "2026-12"]);
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), (nowMs) => {
        const months = closedMonths(nowMs);
        assert.deepEqual([...new Set(months)].toSorted(), months);
        assert(months.at(-1)! < new Date(nowMs).toISOString().slice(0, 7));
      }),
    );
  });
});

describeBothStores("statements by mail", (open) => {
  let store: Store;
  const send = (nowMs: number, more: { isOver?: () => boolean; publicUrl?: string | undefined } = {}) =>
    sendStatements(store, { nowMs, isOver: () => false, publicUrl, ...more });
  const mailsTo = (email: string) =>
    store.db.selectFrom("mails").select(["kind", "subject", "body_text", "body_html", "account_id", "state"]).where("recipient", "=", email).orderBy("id").execute();

  /** An account that was billed for so many calls at each of these times. */
  async function makeEarner(calls: [atMs: number, count: number][]) {
    const account = await makeAccount(store, { nowMs: Date.UTC(2026, 0) });
    for (const [atMs, count] of calls) {
      const charger = makeCharger(store, { nowMs: atMs });
      await Promise.all(Array.from({ length: count }, () => charger.charge(makeCharge({ accountId: account.accountId, atMs }))));
    }
    return account;
  }

  before(async () => {
    ({ store } = await open());
  });

  it("come once for each account and month that moved money, with the statement's own sums and a link", async () => {
    const [busy, idle, present] = [await makeEarner([[octoberMs, 30]]), await makeAccount(store), await makeEarner([[novemberMs, 1]])];
    assert.deepEqual(await send(novemberMs + msPerHour - 1), { queued: 0, isMore: false }, "the month may still gain a call");
    assert.deepEqual(await send(novemberMs + msPerHour), { queued: 1, isMore: false });
    assert.deepEqual([await mailsTo(idle.email), await mailsTo(present.email)], [[], []]);
    const [mail] = await mailsTo(busy.email);
    const statement = (await makeStatement(store, { accountId: busy.accountId, month: "2026-10", nowMs: novemberMs + msPerHour }))!;
    assert.equal(statement.developer_usd, 1.02);
    assert.deepEqual([mail?.kind, mail?.subject, mail?.account_id, mail?.state], ["statement", "Your statement for 2026-10", busy.accountId, "queued"]);
    for (const text of [mail!.body_text, mail!.body_html]) {
      assert.match(text, /30 billed calls earned you \$1\.02\./);
      assert.match(text, /balance was \$0\.00 at the start of the month and \$1\.02 at the end/);
      assert(text.includes(`${publicUrl}/dashboard/revenue`));
    }
    assert.doesNotMatch(mail!.body_text, /charged|paid out|ads|Adjustments/, "what did not happen is not mentioned");
    for (const laterMs of [novemberMs + 2 * msPerHour, novemberMs + 20 * 24 * msPerHour]) assert.equal((await send(laterMs)).queued, 0);
    assert.equal((await send(Date.UTC(2026, 11, 1, 1))).queued, 1, "November's, to the account that called in it");
  });

  it("come once however many nodes send them at the same time", async () => {
    const earners = await Promise.all(Array.from({ length: 12 }, () => makeEarner([[octoberMs, 1]])));
    const nodes = await Promise.all([1, 2, 3, 4].map(() => send(novemberMs + msPerHour)));
    assert.equal(nodes.reduce((sum, { queued }) => sum + queued, 0), 12);
    for (const { email } of earners) assert.equal((await mailsTo(email)).length, 1);
  });

  it("cut short by a crash or a stop are gone on with, and nobody gets a second one", async () => {
    const earners = await Promise.all(Array.from({ length: 6 }, () => makeEarner([[octoberMs, 1]])));
    let sent = 0;
    assert.deepEqual(await send(novemberMs + msPerHour, { isOver: () => (sent += 1) > 2 }), { queued: 2, isMore: true });
    // As a crash leaves it between the note and the mail: neither of the two is there.
    const work = new URL("../../../test/money/fail-after-note.work.ts", import.meta.url);
    await assert.rejects(store.transact(work, { accountId: earners[5]!.accountId, month: "2026-10" }), /the power went out/);
    assert.deepEqual(await send(novemberMs + 2 * msPerHour), { queued: 4, isMore: false });
    for (const { email } of earners) assert.equal((await mailsTo(email)).length, 1);
  });

  it("are caught up with after months of downtime, each on its own", async () => {
    const { email } = await makeEarner([[Date.UTC(2026, 6, 5), 1], [Date.UTC(2026, 7, 5), 1], [octoberMs, 2]]);
    assert.equal((await send(novemberMs + 5 * 24 * msPerHour)).queued, 2);
    assert.deepEqual((await mailsTo(email)).map(({ subject }) => subject), ["Your statement for 2026-08", "Your statement for 2026-10"]);
  });

  it("are not for demo accounts, closed ones, or those whose address nobody has confirmed; suspended ones get theirs", async () => {
    const kinds = [{ demo: 1 }, { status: "closed" }, { verified_at: null }, { status: "suspended" }] as const;
    const emails: string[] = [];
    for (const set of kinds) {
      const { accountId, email } = await makeEarner([[octoberMs, 1]]);
      await store.db.updateTable("accounts").set(set).where("id", "=", accountId).execute();
      emails.push(email);
    }
    assert.equal((await send(novemberMs + msPerHour)).queued, 1);
    assert.deepEqual(await Promise.all(emails.map(async (email) => (await mailsTo(email)).length)), [0, 0, 0, 1]);
  });

  it("wait until it is known where the dashboard is", async () => {
    const { email } = await makeEarner([[octoberMs, 1]]);
    assert.deepEqual(await send(novemberMs + msPerHour, { publicUrl: undefined }), { queued: 0, isMore: true });
    await send(novemberMs + msPerHour);
    assert.equal((await mailsTo(email)).length, 1);
  });
});
