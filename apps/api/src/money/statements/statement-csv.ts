import type { StatementReply } from "@assay/contract/usage.ts";
import { toCsv } from "../../formats/csv.ts";
import { usdOf, usdText } from "../../formats/money.ts";

type Amounts = Pick<StatementReply["movements"][number], "gross_usd" | "developer_usd" | "platform_usd" | "balance_change_usd">;

/** The movements less the corrections and the reversals of calls, which have lines of their own. A difference is rounded to whole micro-dollars. */
function withoutListed({ movements, corrections, call_reversals: reversals = [] }: StatementReply): StatementReply["movements"] {
  const listed: ({ kind: string } & Amounts)[] = [
    ...corrections.map(({ kind, usd }) => ({ kind, gross_usd: usd, developer_usd: usd, platform_usd: 0, balance_change_usd: usd })),
    ...reversals.map((each) => ({ kind: "reversal", ...amountsOfReversal(each) })),
  ];
  return movements
    .map((line) => {
      const own = listed.filter(({ kind }) => kind === line.kind);
      const less = (name: keyof Amounts) => usdOf(Math.round((line[name] - own.reduce((sum, each) => sum + each[name], 0)) * 1_000_000));
      if (own.length === 0) return line;
      return {
        ...line,
        entries: line.entries - own.length,
        gross_usd: less("gross_usd"),
        developer_usd: less("developer_usd"),
        platform_usd: less("platform_usd"),
        balance_change_usd: less("balance_change_usd"),
      };
    })
    .filter((line) => line.entries > 0);
}

/** As it changes the account's money. */
function amountsOfReversal({ gross_usd: grossUsd, developer_usd: developerUsd }: NonNullable<StatementReply["call_reversals"]>[number]): Amounts {
  const platformUsd = usdOf(Math.round((grossUsd - developerUsd) * 1_000_000));
  return { gross_usd: 0 - grossUsd, developer_usd: 0 - developerUsd, platform_usd: 0 - platformUsd, balance_change_usd: 0 - developerUsd };
}

/**
 * One table: the opening balance, a line per endpoint and rate, a line per deposit, adjustment and reversal of calls
 * with its reason, a line per other kind of movement, lines that change no balance (what became of the month's calls, what
 * holds the money, the last receipt and its checkpoint), and the closing balance, which equals the sum of its column before it.
 */
export function statementCsv(statement: StatementReply): string {
  const header = ["month", "line", "endpoint", "paid_by", "share_percent", "count", "gross_usd", "developer_usd", "platform_usd", "balance_change_usd", "reason"];
  const { month } = statement;
  const calls = statement.lines.map((line) => [
    month,
    "call",
    line.endpoint,
    line.payer,
    line.share_percent,
    line.calls,
    usdText(line.gross_usd),
    usdText(line.developer_usd),
    usdText(line.platform_usd),
    usdText(line.payer === "developer" ? line.developer_usd - line.gross_usd : line.developer_usd),
    null,
  ]);
  const corrections = statement.corrections.map(({ kind, on, usd, reason }) => [
    month,
    kind,
    null,
    on === "prepaid" ? "developer" : "platform",
    null,
    1,
    usdText(usd),
    usdText(usd),
    usdText(0),
    usdText(usd),
    reason,
  ]);
  const reversals = (statement.call_reversals ?? []).map((each) => {
    const amounts = amountsOfReversal(each);
    return [
      month,
      "reversal",
      "call",
      "platform",
      each.share_percent,
      each.calls,
      usdText(amounts.gross_usd),
      usdText(amounts.developer_usd),
      usdText(amounts.platform_usd),
      usdText(amounts.balance_change_usd),
      each.reason,
    ];
  });
  const movements = withoutListed(statement).map((line) => [
    month,
    line.kind,
    null,
    null,
    null,
    line.entries,
    usdText(line.gross_usd),
    usdText(line.developer_usd),
    usdText(line.platform_usd),
    usdText(line.balance_change_usd),
    null,
  ]);
  const balance = (line: string, amount: number) => [month, line, null, null, null, null, null, null, null, usdText(amount), null];
  const { calls_settlement: settlement, held = [] } = statement;
  const settled = (line: string, amount: number) => [month, line, null, "platform", null, null, null, usdText(amount), null, null, null];
  const { checkpoint, last_receipt: lastReceipt } = statement;
  const note = (line: string, text: string | null) => [month, line, null, null, null, null, null, null, null, null, text];
  return toCsv(header, [
    balance("opening_balance", statement.opening_balance_usd),
    ...calls,
    ...corrections,
    ...reversals,
    ...movements,
    ...(settlement
      ? [
          settled("calls_pending", settlement.pending_usd),
          settled("calls_confirmed", settlement.confirmed_usd),
          settled("calls_reversed", settlement.reversed_usd),
        ]
      : []),
    ...held.map(({ by, reason }) => note(by, reason)),
    ...(checkpoint ? [note("last_receipt", lastReceipt), note("checkpoint", `${checkpoint.origin} ${checkpoint.size} ${checkpoint.root}`)] : []),
    balance("closing_balance", statement.closing_balance_usd),
  ]);
}
