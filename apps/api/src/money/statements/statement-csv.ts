import type { StatementReply } from "@assay/contract/usage.ts";
import { toCsv } from "../../formats/csv.ts";
import { usdText } from "../../formats/money.ts";

/**
 * One table: the opening balance, a line per endpoint and rate, a line per other kind of movement, and the closing
 * balance, which equals the sum of the last column before it.
 */
export function statementCsv(statement: StatementReply): string {
  const header = ["month", "line", "endpoint", "paid_by", "share_percent", "count", "gross_usd", "developer_usd", "platform_usd", "balance_change_usd"];
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
  ]);
  const movements = statement.movements.map((line) => [
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
  ]);
  const balance = (line: string, amount: number) => [month, line, null, null, null, null, null, null, null, usdText(amount)];
  return toCsv(header, [
    balance("opening_balance", statement.opening_balance_usd),
    ...calls,
    ...movements,
    balance("closing_balance", statement.closing_balance_usd),
  ]);
}
