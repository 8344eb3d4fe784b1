import { currentModel } from "@assay/scoring/current-model.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { type CsvRecord, readCsv } from "./read-csv.ts";
import { Refusal } from "./refusal.ts";
import { runScore } from "./score-file.ts";

const folder = makeTestFolder();
const assay = assayOn({ dataDir: join(folder, "unused") });
const header = "user_engagement,session_duration,scroll_depth,interaction_count,page_views,return_visitor";
let files = 0;

function fileOf(text: string | Buffer): string {
  const path = join(folder, `sessions-${(files += 1)}.csv`);
  writeFileSync(path, text);
  return path;
}

const scored = (signals: Signals): string => {
  const { serviceScore, trustLevel, confidence } = currentModel.score(signals);
  return `${serviceScore},${trustLevel},${confidence}`;
};

async function readAll(path: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const batch of readCsv(path, () => {})) records.push(...batch);
  return records;
}

describe("assay score", () => {
  it("scores with the model that is named, and refuses one that is not shipped", async () => {
    const path = fileOf(`${header}\n0.4,35,,2,1,\n`);
    for (const { model } of releasedModels) {
      const { serviceScore, trustLevel, confidence } = model.score({ user_engagement: 0.4, session_duration: 35, interaction_count: 2, page_views: 1 });
      const { stdout } = await assay.run("score", path, "--model", model.version);
      assert.equal(stdout.split("\n")[1], `0.4,35,,2,1,,${serviceScore},${trustLevel},${confidence}`);
      assert.equal((await assay.json<{ model_version: string }>("score", path, "--model", model.version)).model_version, model.version);
    }
    const versions = releasedModels.map(({ model }) => model.version).join(", ");
    assert.equal(await assay.refusal("score", path, "--model", "additive-0"), `no model has the version additive-0; there are ${versions}`);
  });

  it("adds three columns to every line, keeps the order, and changes nothing else", async () => {
    const lines = [
      `note,return_visitor,page_views,"session_duration",interaction_count,scroll_depth,user_engagement`,
      `plain,true,5,180,12,0.8,0.75`,
      `"a, quoted ""note""",FALSE,,56.0,3.0,,.5`,
      `"two`,
      `lines",1,1e1, 7 ,,"0.25",1`,
      `ünïcode ✓,0.0,,,,,`,
    ];
    const { code, stdout, stderr } = await assay.run("score", fileOf(lines.join("\n")));
    assert.equal(stderr, "");
    assert.equal(code, 0);
    const second = { user_engagement: 0.5, session_duration: 56, interaction_count: 3, return_visitor: false };
    const third = { user_engagement: 1, session_duration: 7, scroll_depth: 0.25, page_views: 10, return_visitor: true };
    assert.equal(
      stdout,
      [
        `${lines[0]},service_score,trust_level,confidence`,
        `${lines[1]},${scored({ user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true })}`,
        `${lines[2]},${scored(second)}`,
        lines[3],
        `${lines[4]},${scored(third)}`,
        `${lines[5]},${scored({ return_visitor: false })}`,
        "",
      ].join("\n"),
    );
  });

  it("reads CRLF, a byte order mark, trailing empty lines, and bytes that are not UTF-8", async () => {
    const rows = `\u{FEFF}${header},x\r\n0.5,60,,,,,a\r\n1,9,,,,,b\r\n\r\n\n`;
    const { stdout } = await assay.run("score", fileOf(rows));
    const expected = [`${header},x,service_score,trust_level,confidence`];
    expected.push(`0.5,60,,,,,a,${scored({ user_engagement: 0.5, session_duration: 60 })}`);
    expected.push(`1,9,,,,,b,${scored({ user_engagement: 1, session_duration: 9 })}`, "");
    assert.equal(stdout, expected.join("\n"));
    const out = join(folder, "bytes.csv");
    await assay.run("score", fileOf(Buffer.from(`${header},x\n0.5,60,,,,,\xE9\xFF\n`, "latin1")), "--out", out);
    assert(readFileSync(out).includes(Buffer.from(",\xE9\xFF,", "latin1")));
  });

  it("writes to --out, and reports AUC and calibration from the labels", async () => {
    const out = join(folder, "labelled.csv");
    const path = fileOf(`${header},label\n0.9,300,0.9,20,8,1,1\n0.8,200,,15,6,1,true\n0,0,0,0,0,0,0\n0.1,1,,,,,\n0,1,,1,1,,0.0\n`);
    const { code, stdout, stderr } = await assay.run("score", path, "--out", out);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /AUC +1\.0000/);
    assert.match(stdout, /Labelled +4, of them 2 positive/);
    assert.match(stdout, /Calibration error/);
    assert.equal(readFileSync(out, "utf8").split("\n").length, 7);

    const onOutput = await assay.spawn("score", path);
    assert.equal(onOutput.stdout, readFileSync(out, "utf8"), "standard output stays the CSV");
    assert.match(onOutput.stderr, /AUC +1\.0000/);

    type Document = { rows: number; levels: Record<string, number>; model_version: string; backtest: { auc: number; labelled: number } };
    const document = await assay.json<Document>("score", path, "--out", join(folder, "again.csv"));
    assert.deepEqual([document.rows, document.backtest.auc, document.backtest.labelled], [5, 1, 4]);
    assert.equal(document.model_version, currentModel.version);
    assert.equal(Object.values(document.levels).reduce((sum, each) => sum + each), 5);
    assert.equal(readFileSync(join(folder, "again.csv"), "utf8"), onOutput.stdout);
  });

  it("includes the scores in the JSON document without --out", async () => {
    type Document = { rows: number; backtest: null; scores: { service_score: number; trust_level: string; confidence: number }[] };
    const document = await assay.json<Document>("score", fileOf(`${header}\n0.5,60,,,,\n1,9,,,,\n`));
    const { serviceScore, trustLevel, confidence } = currentModel.score({ user_engagement: 1, session_duration: 9 });
    assert.deepEqual(document.scores[1], { service_score: serviceScore, trust_level: trustLevel, confidence });
    assert.deepEqual([document.rows, document.scores.length, document.backtest], [2, 2, null]);
    assert.deepEqual((await assay.json<Document>("score", fileOf(header))).scores, []);
  });

  it("names line and column of invalid input, and leaves the file of --out unchanged", async () => {
    const good = "0.5,60,,,,";
    const wrong: [text: string, says: RegExp][] = [
      [`${header}\n${good}\n1.5,60,,,,\n`, /line 3, column user_engagement: it must be from 0 to 1$/],
      [`${header}\n-0.1,60,,,,\n`, /line 2, column user_engagement/],
      [`${header}\n0.5,abc,,,,\n`, /line 2, column session_duration: it must be a number or empty$/],
      [`${header}\n0.5,31536001,,,,\n`, /line 2, column session_duration: it must be from 0 to 31536000$/],
      [`${header}\n0.5,1e999,,,,\n`, /line 2, column session_duration/],
      [`${header}\n0.5,NaN,,,,\n`, /line 2, column session_duration/],
      [`${header}\n0.5,60,,1.5,,\n`, /line 2, column interaction_count: it must be a whole number$/],
      [`${header}\n0.5,60,,,2147483648,\n`, /line 2, column page_views: it must be from 0 to 2147483647$/],
      [`${header}\n0.5,60,,,,yes\n`, /line 2, column return_visitor: it must be true, false, 1, 0 or empty$/],
      [`${header},label\n0.5,60,,,,,2\n`, /line 2, column label/],
      [`${header}\n0.5,60,,,\n`, /line 2: it has 5 cells, the header has 6$/],
      [`${header}\n${good},\n`, /line 2: it has 7 cells, the header has 6$/],
      [`${header}\n${good}\n\n${good}\n`, /line 3: it is empty, but lines follow$/],
      [`${header},note\n${good},"a\nb"\n${good},"a"b\n`, /line 4, column 7: text follows a closing quotation mark$/],
      [`${header},note\n${good},a"b"\n`, /line 2, column 7: a quotation mark is inside an unquoted cell$/],
      [`${header},note\n${good},"a\n`, /line 2: a quotation mark is not closed$/],
      [`${header},note\n${good},"a${"\n".repeat(1_200_000)}`, /line 2: a quotation mark is not closed, or the line is longer than 1 MiB$/],
      ["user_engagement,session_duration\n0.5,60\n", /line 1: no column scroll_depth, interaction_count, page_views, return_visitor;/],
      [`${header},page_views\n`, /line 1: the column page_views occurs twice$/],
      [`${header},confidence\n`, /line 1: the file already has a column confidence/],
      ["", /it is empty; a header line was expected$/],
    ];
    const out = join(folder, "kept.csv");
    writeFileSync(out, "as it was");
    const before = readdirSync(folder).length;
    for (const [text, says] of wrong) {
      const path = fileOf(text);
      // The command's function, without a process for each case.
      await assert.rejects(runScore(path, { out, json: true }), (error: Error) => {
        assert(error instanceof Refusal && error.message.startsWith(`${path}: `), error.message);
        assert.match(error.message, says);
        return true;
      });
    }
    assert.equal(readFileSync(out, "utf8"), "as it was");
    assert.equal(readdirSync(folder).length, before + wrong.length, "no partial file is left behind");
    assert.match(await assay.refusal("score", fileOf(`${header}\n2,60,,,,\n`)), /line 2/, "no partial document either");
  });

  it("names the file that it cannot read or write", async () => {
    assert.match(await assay.refusal("score", join(folder, "none.csv")), /none\.csv cannot be read \(ENOENT\)$/);
    assert.match(await assay.refusal("score", folder), /cannot be read \(EISDIR\)$/);
    const out = join(folder, "no-folder", "out.csv");
    assert.match(await assay.refusal("score", fileOf(header), "--out", out), /out\.csv cannot be written \(ENOENT\)$/);
    assert(!existsSync(out));
  });

  it("scores a file of many chunks line by line", async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `${(row % 101) / 100},${row % 1_000},,${row % 50},${row % 20},${row % 2},"row\n${row}"`);
    const out = join(folder, "many.csv");
    const { code } = await assay.run("score", fileOf(`${header},name\n${rows.join("\n")}\n`), "--out", out);
    assert.equal(code, 0);
    const written = readFileSync(out, "utf8").split("\n");
    assert.equal(written.length, 1 + 2 * rows.length + 1);
    for (const row of [0, 1, 15_000, 29_999]) {
      const signals = { user_engagement: (row % 101) / 100, session_duration: row % 1_000, interaction_count: row % 50, page_views: row % 20, return_visitor: row % 2 === 1 };
      assert.equal(`${written[1 + 2 * row]}\n${written[2 + 2 * row]}`, `${rows[row]},${scored(signals)}`);
    }
  });
});

describe("the CSV reader", () => {
  it("round-trips any cells, quoted or not, with either line break", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "7"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom("\n", "\r\n"), fc.boolean(), async (rows, lineBreak, endsWithBreak) => {
        const text = rows.map((row) => row.map(quote).join(",")).join(lineBreak);
        const path = fileOf(text + (endsWithBreak ? lineBreak : ""));
        const records = await readAll(path);
        // A last line of one empty cell without a line break is no line at all.
        const isLost = !endsWithBreak && rows.at(-1)!.length === 1 && rows.at(-1)![0] === "";
        assert.deepEqual(records.map(({ cells }) => cells), isLost ? rows.slice(0, -1) : rows);
      }),
      { numRuns: 150 },
    );
  });
});
