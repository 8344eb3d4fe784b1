import type { StatementReply } from "@assay/contract/usage.ts";
import { toCsv } from "../../formats/csv.ts";
import { usdOf, usdText } from "../../formats/money.ts";

/** The movements less the corrections, which have lines of their own. A difference is rounded to whole micro-dollars. */
function withoutCorrections({ movements, corrections }: StatementReply): StatementReply["movements"] {
  const lessOf = (amount: number, taken: number) => usdOf(Math.round((amount - taken) * 1_000_000));
  return movements
    .map((line) => {
      const listed = corrections.filter(({ kind }) => kind === line.kind);
      const usd = listed.reduce((sum, each) => sum + each.usd, 0);
      const [gross_usd, developer_usd, balance_change_usd] = [line.gross_usd, line.developer_usd, line.balance_change_usd].map((amount) => lessOf(amount, usd)) as [number, number, number];
      return listed.length === 0 ? line : { ...line, entries: line.entries - listed.length, gross_usd, developer_usd, balance_change_usd };
    })
    .filter((line) => line.entries > 0);
}

/**
 * One table: the opening balance, a line per endpoint and rate, a line per deposit and adjustment with its reason, a line
 * per other kind of movement, and the closing balance, which equals the sum of its column before it.
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
  const movements = withoutCorrections(statement).map((line) => [
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
  return toCsv(header, [
    balance("opening_balance", statement.opening_balance_usd),
    ...calls,
    ...corrections,
    ...movements,
    balance("closing_balance", statement.closing_balance_usd),
  ]);
}
