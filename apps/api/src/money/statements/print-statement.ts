import type { StatementReply } from "@assay/contract/usage.ts";
import PDFDocument from "pdfkit";
import { usdText } from "../../formats/money.ts";
import { numberOf, parseMonth } from "./make-statement.ts";

const pageMargin = 48;
const rowHeight = 16;
const cellPadding = 4;
const ink = "#1a1d21";
const faint = "#5b6470";
const rule = "#c9ced6";
const monthNames = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

export type PrintedStatement = {
  statement: StatementReply;
  accountId: string;
  email: string;
  payee: { legal_name: string; address: string; country: string; tax_id: string | null } | undefined;
  operator: { legalName: string | undefined; address: string | undefined; taxId: string | undefined };
  issuedAtMs: number;
};

type Doc = InstanceType<typeof PDFDocument>;
type Column = { title: string; width: number; align: "left" | "right" };
type TableRow = { cells: string[]; isTotal?: boolean };

/** Letters without a decomposition, in their usual transliteration. */
const replacements: Readonly<Record<string, string>> = {
  ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", İ: "I", ħ: "h", Ħ: "H", ŧ: "t", Ŧ: "T", "‐": "-", "‑": "-", "−": "-", "\u00a0": " ", "\u202f": " ",
};

/** Windows-1252: the standard PDF fonts have these characters beyond Latin-1. */
const beyondLatin1 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

const isPrintable = (character: string) => /[\n\u0020-\u007e\u00a1-\u00ff]/.test(character) || beyondLatin1.includes(character);

/**
 * Reduces text to characters that the standard PDF fonts have: drops accents and transliterates if necessary; all
 * others become question marks. CSV and JSON keep the original text.
 */
export function printableText(text: string): string {
  const printed = Array.from(text.normalize("NFC"), (character) => {
    if (isPrintable(character)) return character;
    const replacement = replacements[character];
    if (replacement !== undefined) return replacement;
    const base = Array.from(character.normalize("NFD"))[0]!;
    return isPrintable(base) ? base : "?";
  });
  return printed.join("");
}

/** Six decimals, with thousands separators. */
export function groupedUsdText(amount: number): string {
  const [whole = "", decimals = ""] = usdText(amount).split(".");
  return `${countText(whole)}.${decimals}`;
}

const countText = (count: number | string) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const dayText = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

function write(doc: Doc, text: string, options: { size?: number; bold?: boolean; color?: string; x?: number; width?: number; align?: "left" | "right" }): void {
  doc
    .font(options.bold ? "Helvetica-Bold" : "Helvetica")
    .fontSize(options.size ?? 9)
    .fillColor(options.color ?? ink)
    .text(printableText(text), options.x ?? pageMargin, doc.y, {
      ...(options.width !== undefined && { width: options.width }),
      align: options.align ?? "left",
      lineGap: 1.5,
    });
}

const contentWidth = (doc: Doc) => doc.page.width - 2 * pageMargin;
const bottom = (doc: Doc) => doc.page.height - pageMargin - 2 * rowHeight;

function line(doc: Doc, y: number): void {
  doc.moveTo(pageMargin, y).lineTo(pageMargin + contentWidth(doc), y).lineWidth(0.5).strokeColor(rule).stroke();
}

function writeRow(doc: Doc, columns: readonly Column[], { cells, isTotal = false }: TableRow, color = ink): void {
  const y = doc.y;
  let x = pageMargin;
  for (const [index, column] of columns.entries()) {
    doc
      .font(isTotal ? "Helvetica-Bold" : "Helvetica")
      .fontSize(8.5)
      .fillColor(color)
      .text(printableText(cells[index] ?? ""), x + cellPadding, y + 4, {
        width: column.width - 2 * cellPadding,
        align: column.align,
        lineBreak: false,
        ellipsis: true,
      });
    x += column.width;
  }
  doc.y = y + rowHeight;
  doc.x = pageMargin;
}

function writeTable(doc: Doc, title: string, columns: readonly Column[], rows: readonly TableRow[]): void {
  const titles = columns.map((column) => column.title);
  const writeHead = () => {
    if (titles.some((each) => each !== "")) writeRow(doc, columns, { cells: titles }, faint);
    line(doc, doc.y);
  };
  if (doc.y + 4 * rowHeight > bottom(doc)) doc.addPage();
  write(doc, title, { size: 11, bold: true });
  doc.y += 2;
  writeHead();
  for (const row of rows) {
    if (doc.y + rowHeight > bottom(doc)) {
      doc.addPage();
      writeHead();
    }
    if (row.isTotal) line(doc, doc.y);
    writeRow(doc, columns, row);
  }
  line(doc, doc.y);
  doc.y += 14;
}

/** Issuer on the left; title, number and period on the right. */
function writeHeader(doc: Doc, printed: PrintedStatement): void {
  const { statement, operator, accountId, issuedAtMs } = printed;
  const month = parseMonth(statement.month)!;
  const [year = "", number = ""] = statement.month.split("-");
  const half = contentWidth(doc) / 2;
  const right = { x: pageMargin + half, width: half, align: "right" as const };
  const top = doc.y;
  write(doc, operator.legalName ?? "Operator not named", { size: 12, bold: true, width: half });
  write(doc, operator.address ?? "", { width: half, color: faint });
  if (operator.taxId !== undefined) write(doc, `Tax ID ${operator.taxId}`, { width: half, color: faint });
  const leftEnd = doc.y;
  doc.y = top;
  write(doc, "Statement of earnings", { ...right, size: 16, bold: true });
  write(doc, `${monthNames[Number(number) - 1] ?? ""} ${year}`, { ...right, size: 12 });
  write(doc, `No. ${numberOf(statement.month, accountId)}`, { ...right, color: faint });
  write(doc, `Period ${dayText(month.fromMs)} to ${dayText(month.toMs - 1)} (UTC)`, { ...right, color: faint });
  write(doc, `Issued ${dayText(issuedAtMs)}`, { ...right, color: faint });
  write(doc, statement.is_final ? "Final" : "Provisional: the month is not over", { ...right, bold: true });
  doc.y = Math.max(leftEnd, doc.y) + 14;
  line(doc, doc.y);
  doc.y += 10;
}

function writePayee(doc: Doc, { payee, email, accountId }: PrintedStatement): void {
  write(doc, "Payee", { size: 9, color: faint });
  if (payee) {
    write(doc, payee.legal_name, { size: 11, bold: true });
    write(doc, `${payee.address}\n${payee.country}`, {});
    if (payee.tax_id !== null) write(doc, `Tax ID ${payee.tax_id}`, {});
  } else {
    write(doc, "There is no payee profile: nothing is paid out without one.", {});
  }
  write(doc, `Account ${accountId}, ${email}`, { color: faint });
  doc.y += 12;
}

function summaryRows(statement: StatementReply): TableRow[] {
  const movedBy = (kind: string) => statement.movements.find((each) => each.kind === kind)?.balance_change_usd ?? 0;
  const amount = (label: string, usd: number): TableRow => ({ cells: [label, groupedUsdText(usd)] });
  return [
    amount("Opening balance", statement.opening_balance_usd),
    amount(`Share of ${countText(statement.calls)} calls`, statement.developer_usd),
    ...(statement.charged_usd === 0 ? [] : [amount("Charged for calls", -statement.charged_usd)]),
    amount(`Share of ${countText(statement.ads.clicks)} clicks on ads`, movedBy("click")),
    amount("Clicks reversed", 0 - statement.ads.reversed_usd),
    ...(statement.calls_reversed_usd === 0 ? [] : [amount("Calls reversed", -statement.calls_reversed_usd)]),
    ...(statement.deposits_usd === 0 ? [] : [amount("Deposits", statement.deposits_usd)]),
    amount("Adjustments", statement.adjustments_usd),
    ...(movedBy("funding") === 0 ? [] : [amount("Funding", movedBy("funding"))]),
    amount("Payouts", movedBy("payout")),
    amount("Payouts returned", movedBy("payout_returned")),
    { ...amount(statement.is_final ? "Closing balance" : "Balance so far", statement.closing_balance_usd), isTotal: true },
    ...(statement.prepaid.closing_usd === 0 ? [] : [amount("of which prepaid for calls", statement.prepaid.closing_usd)]),
  ];
}

function writeCalls(doc: Doc, statement: StatementReply): void {
  const widths = [0.24, 0.11, 0.09, 0.12, 0.15, 0.15, 0.14].map((share) => share * contentWidth(doc));
  const titles = ["Endpoint", "Paid by", "Rate", "Calls", "Gross USD", "Your share USD", "Platform USD"];
  const columns = titles.map((title, index): Column => ({ title, width: widths[index]!, align: index < 2 ? "left" : "right" }));
  const amountsOf = (row: Pick<StatementReply, "calls" | "gross_usd" | "developer_usd" | "platform_usd">) => [
    countText(row.calls),
    groupedUsdText(row.gross_usd),
    groupedUsdText(row.developer_usd),
    groupedUsdText(row.platform_usd),
  ];
  writeTable(doc, "Calls", columns, [
    ...statement.lines.map((each) => ({ cells: [each.endpoint, each.payer, `${each.share_percent.toFixed(2)}%`, ...amountsOf(each)] })),
    { cells: ["Total", "", "", ...amountsOf(statement)], isTotal: true },
  ]);
}

/** Every deposit and adjustment with its reason. */
function writeCorrections(doc: Doc, { corrections }: StatementReply): void {
  if (corrections.length === 0) return;
  const widths = [0.12, 0.14, 0.12, 0.44, 0.18].map((share) => share * contentWidth(doc));
  const columns = ["Day", "Kind", "Changes", "Reason", "USD"].map((title, index): Column => ({ title, width: widths[index]!, align: index < 4 ? "left" : "right" }));
  const rows = corrections.map(({ at, kind, on, reason, usd }) => ({ cells: [at.slice(0, 10), kind, on, reason ?? "", groupedUsdText(usd)] }));
  writeTable(doc, "Deposits and adjustments", columns, rows);
}

/** What became of the month's platform-paid calls; reversals with their reasons; and what holds the money. */
function writeSettlement(doc: Doc, statement: StatementReply): void {
  const { calls_settlement: settlement, call_reversals: reversals = [], held = [] } = statement;
  if (!settlement) return;
  const columns: Column[] = [
    { title: "", width: contentWidth(doc) - 140, align: "left" },
    { title: "USD", width: 140, align: "right" },
  ];
  writeTable(doc, `Settlement of the month's calls, as of ${statement.is_final ? "its end" : "now"}`, columns, [
    { cells: ["Pending: may still be reversed", groupedUsdText(settlement.pending_usd)] },
    { cells: ["Confirmed", groupedUsdText(settlement.confirmed_usd)] },
    { cells: ["Reversed", groupedUsdText(settlement.reversed_usd)] },
  ]);
  const widths = [0.12, 0.22, 0.1, 0.38, 0.18].map((share) => share * contentWidth(doc));
  const reversalColumns = ["Day", "Reference", "Calls", "Reason", "USD"].map((title, index): Column => ({ title, width: widths[index]!, align: index === 2 || index === 4 ? "right" : "left" }));
  const rows = reversals.map(({ at, ref, calls, reason, developer_usd: usd }) => ({ cells: [at.slice(0, 10), ref, countText(calls), reason, groupedUsdText(0 - usd)] }));
  if (rows.length > 0) writeTable(doc, "Calls reversed", reversalColumns, rows);
  const heldColumns = [0.12, 0.2, 0.68].map((share, index): Column => ({ title: ["Since", "By", "Reason"][index]!, width: share * contentWidth(doc), align: "left" }));
  const heldBy = { held: "a hold", finding_open: "an open finding" };
  if (held.length > 0) writeTable(doc, "Payouts are on hold", heldColumns, held.map(({ since, by, reason }) => ({ cells: [since.slice(0, 10), heldBy[by], reason] })));
}

/** What to compare with the log, if the month ended after it began. */
function checkpointRows({ checkpoint, last_receipt: lastReceipt }: StatementReply): string[][] {
  if (checkpoint === undefined) return [];
  if (checkpoint === null) return lastReceipt === null ? [] : [["Checkpoint", "The last entry is not in the log yet"]];
  return [
    ["Checkpoint", `${checkpoint.origin}, ${countText(checkpoint.size)} entries, signed ${checkpoint.logged_at}`],
    ["Root of the log", checkpoint.root],
  ];
}

function writeProof(doc: Doc, statement: StatementReply): void {
  const rows = [
    ["Entries of the month", countText(statement.entries)],
    ["First receipt", statement.first_receipt ?? "none"],
    ["Last receipt", statement.last_receipt ?? "none"],
    ...checkpointRows(statement),
    ["Clicks still pending", `${groupedUsdText(statement.ads.pending_usd)} USD of the clicks above may still be reversed`],
  ];
  const columns: Column[] = [
    { title: "", width: 120, align: "left" },
    { title: "", width: contentWidth(doc) - 120, align: "left" },
  ];
  writeTable(doc, "Ledger", columns, rows.map((cells) => ({ cells })));
  write(
    doc,
    "All amounts are in US dollars. Months are in UTC. Every amount on this statement is the sum of entries in an append-only, " +
      "hash-chained ledger: a receipt is an entry's number and its SHA-256 hash, as the calls themselves returned it, and the " +
      "dashboard can verify the whole chain in your browser." +
      (statement.checkpoint ? " The checkpoint covers the last receipt: whoever rewrites the ledger contradicts it." : ""),
    { color: faint, size: 8, width: contentWidth(doc) },
  );
}

function numberPages(doc: Doc, label: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    // PDFKit would otherwise start a new page for text in the bottom margin.
    doc.page.margins.bottom = 0;
    doc.y = doc.page.height - pageMargin;
    write(doc, `${label}   Page ${page + 1} of ${count}`, { size: 8, color: faint, width: contentWidth(doc), align: "right" });
  }
}

/** The statement as a PDF. The same statement at the same time gives the same bytes, except for the file's id. */
export function printStatement(printed: PrintedStatement): Promise<Buffer> {
  const { statement } = printed;
  const doc = new PDFDocument({
    size: "A4",
    margin: pageMargin,
    bufferPages: true,
    info: { Title: `Statement of earnings ${statement.month}`, Author: printableText(printed.operator.legalName ?? "Assay"), CreationDate: new Date(printed.issuedAtMs) },
  });
  const chunks: Buffer[] = [];
  const whenDone = new Promise<Buffer>((resolve, reject) => {
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
  writeHeader(doc, printed);
  writePayee(doc, printed);
  const summaryColumns: Column[] = [
    { title: "", width: contentWidth(doc) - 140, align: "left" },
    { title: "USD", width: 140, align: "right" },
  ];
  writeTable(doc, "Summary", summaryColumns, summaryRows(statement));
  writeCalls(doc, statement);
  writeCorrections(doc, statement);
  writeSettlement(doc, statement);
  writeProof(doc, statement);
  numberPages(doc, `Statement ${statement.month}, account ${printed.accountId}`);
  doc.end();
  return whenDone;
}
