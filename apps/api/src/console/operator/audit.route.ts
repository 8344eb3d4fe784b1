import { AuditCsvQuery, type AuditFilters, AuditQuery, AuditReply } from "@assay/contract/dashboard/operator.ts";
import { Readable } from "node:stream";
import { toCsvLines } from "../../formats/csv.ts";
import { isoTime, parseTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { normalizeEmail } from "../../people/create-account.ts";
import { selectAccountByEmail } from "../../register/accounts.table.ts";
import { type ActionFilter, selectActions, selectChainEnd } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { sendDownload } from "../developer/page-and-download.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const actionsPerPage = 100;
const rowsPerChunk = 1_000;
const commandLine = "command line";
const csvHeader = ["seq", "id", "at", "actor_account_id", "actor", "action", "account_id", "subject", "detail", "prev_hash", "hash"];

type ActionRow = Awaited<ReturnType<ReturnType<typeof selectActions>["execute"]>>[number];

/** An address stands for its account's id; one that nobody has finds nothing. */
async function accountIdOf(store: Store, text: string): Promise<string> {
  if (!text.includes("@")) return text;
  return (await selectAccountByEmail(store.db, normalizeEmail(text)).executeTakeFirst())?.id ?? text;
}

async function parseFilter(store: Store, filters: AuditFilters): Promise<ActionFilter> {
  const given = (text: string | undefined) => text?.trim() || undefined;
  const [actor, account, from, to] = [given(filters.actor), given(filters.account), given(filters.from), given(filters.to)];
  return {
    actorAccountId: actor === undefined ? undefined : actor === commandLine ? null : await accountIdOf(store, actor),
    accountId: account === undefined ? undefined : await accountIdOf(store, account),
    action: given(filters.action),
    fromMs: from === undefined ? undefined : parseTime(from, "from"),
    toMs: to === undefined ? undefined : parseTime(to, "to"),
  };
}

/** Erased accounts have no address: their id stands for them. */
async function namesOf(store: Store, rows: readonly ActionRow[]) {
  const emails = await emailsOf(store, rows.flatMap((row) => [row.actor_account_id ?? [], row.account_id ?? []].flat()));
  return (accountId: string) => emails.get(accountId) ?? accountId;
}

/** All rows of the filter, a chunk at a time. Rows that are written meanwhile are newer than the first, and not part of it. */
async function* readCsv(store: Store, filter: ActionFilter): AsyncGenerator<string> {
  yield toCsvLines([csvHeader]);
  for (let beforeId: string | undefined; ; ) {
    const rows = await selectActions(store.db, { ...filter, beforeId, limit: rowsPerChunk }).execute();
    const nameOf = await namesOf(store, rows);
    const cells = rows.map((row) => {
      const actor = row.actor_account_id === null ? commandLine : nameOf(row.actor_account_id);
      return [row.seq, row.id, isoTime(row.at), row.actor_account_id, actor, row.action, row.account_id, row.subject, row.detail, row.prev_hash, row.hash];
    });
    yield toCsvLines(cells);
    if (rows.length < rowsPerChunk) return;
    beforeId = rows.at(-1)!.id;
  }
}

export function addAuditRoutes(app: TypedApp, { store, nowMs }: OperatorContext): void {
  app.get("/audit", {
    schema: { hide: true, querystring: AuditQuery, response: { 200: AuditReply } },
    async handler({ query }) {
      const filter = await parseFilter(store, query);
      const [rows, chain] = await Promise.all([
        selectActions(store.db, { ...filter, beforeId: query.before, limit: actionsPerPage }).execute(),
        selectChainEnd(store.db).executeTakeFirstOrThrow(),
      ]);
      const nameOf = await namesOf(store, rows);
      return {
        actions: rows.map((row) => ({
          id: row.id,
          at: isoTime(row.at),
          actor: row.actor_account_id === null ? commandLine : nameOf(row.actor_account_id),
          action: row.action,
          subject: row.subject,
          account: row.account_id === null ? null : nameOf(row.account_id),
          account_id: row.account_id,
          detail: JSON.parse(row.detail) as Record<string, unknown>,
          seq: row.seq,
          hash: row.hash,
        })),
        chain: { ...chain, unchained: chain.unchained ?? 0 },
        next: rows.length === actionsPerPage ? rows.at(-1)!.id : null,
      };
    },
  });
  app.get("/audit.csv", {
    schema: { hide: true, querystring: AuditCsvQuery },
    async handler({ query }, reply) {
      const content = Readable.from(readCsv(store, await parseFilter(store, query)));
      return sendDownload(reply, { name: `assay-audit-${isoTime(nowMs()).slice(0, 10)}.csv`, type: "text/csv; charset=utf-8", content });
    },
  });
}
