import type { StatementReply } from "@assay/contract/usage.ts";
import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { extend, logContextOf } from "../../../test/log/log-context.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { textsOf } from "../../../test/money/texts-of-pdf.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { openNextLog } from "../ledger/log/extend-log.ts";
import { readLogKeys } from "../ledger/log/log-keys.ts";
import { makeStatement } from "./make-statement.ts";
import { printStatement } from "./print-statement.ts";
import { sendStatements } from "./send-statements.ts";
import { statementCsv } from "./statement-csv.ts";

const september = Date.UTC(2026, 8, 10);
const october = Date.UTC(2026, 9, 10);
const novemberMs = Date.UTC(2026, 10, 1);

describeBothStores("the checkpoint of a statement", (open) => {
  let store: Store;

  async function charge(accountId: string, atMs: number, count = 3): Promise<void> {
    const charger = makeCharger(store, { nowMs: atMs });
    for (let call = 0; call < count; call += 1) await charger.charge(makeCharge({ accountId, atMs }));
  }

  const statementOf = async (accountId: string, month: string, nowMs = novemberMs): Promise<StatementReply> => (await makeStatement(store, { accountId, month, nowMs }))!;
  const extendAt = (atMs: number) => extend(store, { nowMs: () => atMs });
  const csvLines = (statement: StatementReply) => statementCsv(statement).split("\r\n").map((line) => line.split(",")).map(([, line, ...cells]) => [line, cells.at(-1)]);
  const print = async (statement: StatementReply) =>
    textsOf(await printStatement({ statement, accountId: "acct_1", email: "dev@example.com", payee: undefined, operator: { legalName: undefined, address: undefined, taxId: undefined }, issuedAtMs: novemberMs }));

  before(async () => {
    ({ store } = await open());
  });

  it("is the first one that covers the month's last receipt, signed by the log, and never changes", async () => {
    const { accountId } = await makeAccount(store, { nowMs: september });
    await charge(accountId, september);
    const earlier = await statementOf(accountId, "2026-09", Date.UTC(2026, 9, 1));
    await extendAt(october);
    await charge(accountId, october);
    const waiting = await statementOf(accountId, "2026-10");
    assert.equal(waiting.checkpoint, null, "the month's last entry is not logged yet");
    assert.match(await print(waiting), /The last entry is not in the log yet/);
    await extendAt(october + 10_000);
    const statement = await statementOf(accountId, "2026-10");
    const { checkpoint } = statement;
    assert.ok(checkpoint);
    assert.deepEqual([checkpoint.size, checkpoint.logged_at], [6, new Date(october + 10_000).toISOString()]);
    const keys = (await readLogKeys(logContextOf(store), checkpoint.origin)).map(({ vkey }) => vkey);
    const opened = await openCheckpoint(checkpoint.note, { logKeys: keys, witnessKeys: [] });
    assert.deepEqual([opened.checkpoint.origin, opened.checkpoint.size, Buffer.from(opened.checkpoint.root).toString("base64")], [checkpoint.origin, 6, checkpoint.root]);
    // Whatever is logged later, and in whatever log, the statement stays as it is.
    await charge(accountId, novemberMs + 1);
    await extendAt(novemberMs + 2);
    await openNextLog(store, { nowMs: novemberMs + 3, reason: "restored", known: undefined });
    await extendAt(novemberMs + 4);
    assert.deepEqual((await statementOf(accountId, "2026-10")).checkpoint, checkpoint);
    assert.deepEqual({ ...(await statementOf(accountId, "2026-09")), balance_usd: earlier.balance_usd }, earlier, "a month from before the log is as it was");
    assert.ok(!("checkpoint" in earlier));

    assert.deepEqual(csvLines(statement).slice(-4, -2), [["last_receipt", statement.last_receipt], ["checkpoint", `${checkpoint.origin} 6 ${checkpoint.root}`]]);
    assert.ok(!csvLines(earlier).some(([line]) => line === "last_receipt" || line === "checkpoint"));
    // A long name is continued on the next line.
    const texts = (await print(statement)).replaceAll(/\s+/g, " ");
    for (const wanted of [`${checkpoint.origin}, 6 entries, signed`, checkpoint.root, statement.last_receipt!]) assert.ok(texts.includes(wanted), wanted);
    assert.doesNotMatch(await print(earlier), /Checkpoint|Root of the log/);
  });

  it("is null in a month without entries", async () => {
    const { accountId } = await makeAccount(store, { nowMs: october });
    const statement = await statementOf(accountId, "2026-10");
    assert.equal(statement.checkpoint, null);
    assert.doesNotMatch(await print(statement), /Checkpoint/);
  });

  it("is in the monthly mail, which waits for it for a day and then says that it is missing", async () => {
    const send = (nowMs: number) => sendStatements(store, { nowMs, isOver: () => false, publicUrl: "https://assay.example" });
    const mailTo = (email: string) => store.db.selectFrom("mails").select(["body_text"]).where("recipient", "=", email).where("subject", "like", "%2026-10").executeTakeFirst();
    const logged = await makeAccount(store, { nowMs: october });
    await charge(logged.accountId, october);
    await extendAt(novemberMs);
    const missing = await makeAccount(store, { nowMs: october });
    await charge(missing.accountId, october);
    await send(novemberMs + msPerHour);
    const { last_receipt: receipt, checkpoint } = await statementOf(logged.accountId, "2026-10");
    const text = (await mailTo(logged.email))!.body_text;
    for (const wanted of [receipt!, checkpoint!.origin, checkpoint!.root, "Keep this email"]) assert.ok(text.includes(wanted), wanted);
    assert.equal(await mailTo(missing.email), undefined);
    await send(novemberMs + msPerDay - 1);
    assert.equal(await mailTo(missing.email), undefined);
    await send(novemberMs + msPerDay);
    assert.match((await mailTo(missing.email))!.body_text, /It is not in the log yet\./);
  });
});
