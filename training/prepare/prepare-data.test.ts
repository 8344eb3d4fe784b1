import assert from "node:assert/strict";
import { it } from "node:test";
import type { Session } from "../read-sessions.ts";
import { parseSessions } from "../read-sessions.ts";
import { libraryFile, libraryLine, shoppersFile, shoppersLine } from "./example-originals.ts";
import { InputFault } from "./input-fault.ts";
import { prepareData } from "./prepare-data.ts";
import { roundTo } from "./prepared-session.ts";
import type { InputFile } from "./read-table.ts";
import { inputBytesMax } from "./read-table.ts";

const person = libraryLine("s1", { html: 2, images: 5, css: 4, js: 6, others: 3 }, { gaps: [...Array<number>(16).fill(0), 1, 40, 60], isRobot: false });
const robot = libraryLine("s2", { html: 7, images: 0, css: 0, js: 0, others: 0 }, { gaps: [40, 40, 40, 40, 40, 40], isRobot: true });
const oneRequest = libraryLine("s3", { html: 0, images: 0, css: 0, js: 0, others: 1 }, { gaps: [], isRobot: false });
const buyer = shoppersLine({ Revenue: "TRUE", VisitorType: "New_Visitor", BounceRates: "0" });
const browser = shoppersLine({ BounceRates: "0.2", ProductRelated: "1" });
const unknown = shoppersLine({ VisitorType: "Other" });

const library = libraryFile([person, robot, oneRequest]);
const shoppers = shoppersFile([buyer, browser, unknown]);
const prepare = (files: { library?: InputFile; shoppers?: InputFile } = {}) => prepareData({ library, shoppers, ...files }, { isPartial: true });
const sessionsOf = (csv: string, source: string): Omit<Session, "rowId">[] =>
  parseSessions(csv, "train.csv")
    .filter((session) => session.source === source)
    .map(({ signals, label, task, source: from }) => ({ signals, label, task, source: from }));
const refuses = (files: { library?: InputFile; shoppers?: InputFile }, message: RegExp) =>
  assert.throws(() => prepare(files), (error: unknown) => error instanceof InputFault && message.test(error.message));
const changed = (file: InputFile, change: (text: string) => string): InputFile => ({ ...file, bytes: Buffer.from(change(file.bytes.toString())) });

it("maps the library's sessions: pages are HTML, interactions are neither pages nor their parts, people have label 1", () => {
  const sessions = sessionsOf(prepare({ library: libraryFile([person, robot, oneRequest]) }).csv, "auth_library_logs");
  const byDuration = sessions.toSorted((one, other) => one.signals.session_duration! - other.signals.session_duration!);
  const kind = { task: "human", source: "auth_library_logs" };
  assert.deepEqual(byDuration, [
    { signals: { session_duration: 0, interaction_count: 1, page_views: 0 }, label: 1, ...kind },
    { signals: { user_engagement: 0.8149, session_duration: 101, interaction_count: 3, page_views: 2 }, label: 1, ...kind },
    { signals: { user_engagement: 0.75, session_duration: 240, interaction_count: 0, page_views: 7 }, label: 0, ...kind },
  ]);
});

it("reproduces engagement of sessions whose gaps are published", () => {
  // Number of requests, duration, mean and deviation of the gaps as printed in public notebooks, and the known result.
  const published = [
    ["350", "103621", "296.908300", "260.332670", 0.101],
    ["15", "368", "26.285715", "87.329780", 0.459],
    ["9342", "80946", "8.665668", "17.566462", 0.8163],
  ] as const;
  for (const [requests, duration, mean, deviation, expected] of published) {
    const line = { ...robot, NUMBER_OF_REQUESTS: requests, TOTAL_DURATION: duration, AVERAGE_TIME: mean, STANDARD_DEVIATION: deviation };
    const { csv, sources } = prepare({ library: libraryFile([line]) });
    assert.equal(sessionsOf(csv, "auth_library_logs")[0]?.signals.user_engagement, expected);
    assert.deepEqual(sources.library.notices, []);
  }
});

it("maps the shoppers' sessions: sums over page kinds, engagement from the bounce rate, purchases have label 1", () => {
  const sessions = sessionsOf(prepare().csv, "uci_online_shoppers");
  const kind = { task: "engaged", source: "uci_online_shoppers" };
  const signals = { session_duration: 74.8, page_views: 3 };
  const expected = [
    { signals: { user_engagement: 1, ...signals, return_visitor: false }, label: 1, ...kind },
    { signals: { user_engagement: 0, ...signals, page_views: 2, return_visitor: true }, label: 0, ...kind },
    { signals: { user_engagement: 0.75, ...signals }, label: 0, ...kind },
  ];
  const inOrder = (some: readonly object[]) => some.map((each) => JSON.stringify(each)).toSorted();
  assert.deepEqual(inOrder(sessions), inOrder(expected));
});

it("rounds halves to the even neighbour, as the training file does", () => {
  assert.equal(roundTo(933.85, 1), 933.8);
  assert.equal(roundTo(1980.35, 1), 1980.4);
  assert.equal(roundTo(0.12344, 4), 0.1234);
  assert.equal(roundTo(0.12346, 4), 0.1235);
  assert.equal(roundTo(1, 4), 1);
});

it("gives the same bytes again, whatever the order, line breaks and number format of the originals", () => {
  const { csv } = prepare();
  assert.equal(prepare().csv, csv);
  assert.equal(prepare({ library: libraryFile([oneRequest, robot, person]), shoppers: shoppersFile([unknown, buyer, browser]) }).csv, csv);
  const respelled = changed(shoppers, (text) => `\uFEFF${text.replaceAll("\n", "\r\n").replaceAll("0.05", "5.0E-02").replaceAll("TRUE", "True")}`);
  assert.equal(prepare({ shoppers: respelled }).csv, csv);
  assert.equal(prepare({ library: changed(library, (text) => text.replaceAll("s1", '"s1"')) }).csv, csv);
});

it("a session keeps its row id when others are added, and equal rows get ids of their own", () => {
  const idsOf = (csv: string) => parseSessions(csv, "train.csv").map(({ rowId }) => rowId);
  const few = idsOf(prepare().csv);
  const more = idsOf(prepare({ shoppers: shoppersFile([shoppersLine({ Region: "9" }), buyer, browser, unknown, buyer]) }).csv);
  assert.equal(new Set(more).size, 8);
  assert.deepEqual(few.filter((id) => !more.includes(id)), []);
  assert.match(prepare({ shoppers: shoppersFile([buyer, buyer]) }).sources.shoppers.notices.join(), /1 session \(the first in line 3\): the same/);
});

it("carries no session ids over", () => {
  assert.doesNotMatch(prepare().csv, /s[123]/);
});

it("refuses what is not the file, and names what was given and expected", () => {
  const of = (text: string): { library: InputFile } => ({ library: { name: "given.csv", bytes: Buffer.from(text) } });
  refuses(of(""), /^given\.csv is empty; expected simple_features\.csv of Zenodo record 3477932/);
  refuses(of("PK\u0003\u0004abc"), /^given\.csv is a ZIP archive/);
  refuses(of('{"a": {}}'), /^given\.csv is JSON/);
  refuses(of("a\0b"), /not a text file/);
  refuses({ library: { name: "given.csv", bytes: Buffer.alloc(inputBytesMax + 1, "a") } }, /bytes, more than the/);
  refuses({ library: shoppers }, /:1: no column ID, NUMBER_OF_REQUESTS.*got: Administrative,/s);
  refuses({ shoppers: changed(shoppers, (text) => text.replaceAll(",", ";")) }, /separated by semicolons/);
  refuses({ shoppers: changed(shoppers, (text) => text.replace("Month", "Month,Month")) }, /the column Month occurs more than once/);
  refuses({ shoppers: changed(shoppers, (text) => text.replace("Month", "Month,Guess")) }, /unknown column Guess/);
  refuses({ shoppers: shoppersFile([]) }, /a header and no sessions/);
  refuses({ library: changed(library, (text) => text.replace("s1", '"s1')) }, /simple_features\.csv:2: a quotation mark is not closed/);
});

it("refuses a cell that does not fit, and names file, line, column and what was expected", () => {
  const refusesCell = (line: Record<string, string>, message: RegExp) =>
    refuses("ID" in line ? { library: libraryFile([person, line]) } : { shoppers: shoppersFile([buyer, line]) }, message);
  refusesCell({ ...robot, ROBOT: "2" }, /^simple_features\.csv:3, column ROBOT: got "2", expected one of 0, 1$/);
  refusesCell({ ...robot, ROBOT: "" }, /column ROBOT: got ""/);
  refusesCell({ ...robot, ID: "" }, /column ID: got "", expected a text/);
  refusesCell({ ...robot, ID: "s1" }, /:3, column ID: s1 is also in line 2/);
  refusesCell({ ...robot, NUMBER_OF_REQUESTS: "0" }, /column NUMBER_OF_REQUESTS: got "0", expected a whole number of at least 1/);
  refusesCell({ ...robot, TOTAL_DURATION: "-1" }, /column TOTAL_DURATION: got "-1", expected a whole number of at least 0/);
  refusesCell({ ...robot, TOTAL_DURATION: "1.5" }, /column TOTAL_DURATION: got "1\.5", expected a whole number/);
  refusesCell({ ...robot, AVERAGE_TIME: "1800.5" }, /column AVERAGE_TIME: .* expected a number from 0 to 1800/);
  refusesCell({ ...robot, STANDARD_DEVIATION: "NaN" }, /column STANDARD_DEVIATION: got "NaN"/);
  refusesCell({ ...robot, TOTAL_HTML: "7" }, /column TOTAL_HTML: got "7", expected a number from 0 to 1/);
  refusesCell({ ...robot, IMAGES: "1.01" }, /column IMAGES/);
  refusesCell({ ...robot, HTML_TO_CSS: "" }, /column HTML_TO_CSS: got ""/);
  refusesCell({ ...robot, HTML_TO_JS: "-1" }, /column HTML_TO_JS/);
  refusesCell(shoppersLine({ Administrative_Duration: "-1" }), /^online_shoppers_intention\.csv:3, column Administrative_Duration: got "-1"/);
  refusesCell(shoppersLine({ ProductRelated: "1.5" }), /column ProductRelated: .* a whole number/);
  refusesCell(shoppersLine({ BounceRates: "0.3" }), /column BounceRates: got "0\.3", expected a number from 0 to 0\.2/);
  refusesCell(shoppersLine({ BounceRates: "" }), /column BounceRates: got ""/);
  refusesCell(shoppersLine({ VisitorType: "2" }), /column VisitorType: .* one of Returning_Visitor, New_Visitor, Other/);
  refusesCell(shoppersLine({ Revenue: "1" }), /column Revenue: got "1", expected one of TRUE, FALSE/);
  refuses({ shoppers: changed(shoppers, (text) => text.replace("Feb,", "")) }, /:2: 17 cells, expected 18/);
});

it("shows ten faults at a time", () => {
  const wrong = Array.from({ length: 12 }, (_, index) => shoppersLine({ Region: String(index), Revenue: "no" }));
  assert.throws(() => prepare({ shoppers: shoppersFile(wrong) }), ({ message }: Error) => message.split("\n").length === 11 && message.endsWith("and 2 more"));
});

it("refuses other numbers of sessions than the originals have, unless an excerpt is wanted", () => {
  assert.throws(
    () => prepareData({ library, shoppers }, { isPartial: false }),
    /simple_features\.csv: 1 \+ 2 sessions \(robots and people\); the original simple_features\.csv has 13494 \+ 53858[^]*: 2 \+ 1 sessions/,
  );
  assert.deepEqual(prepare().sources.library.sessions, [1, 2]);
});

it("counts sessions whose columns disagree, and goes on", () => {
  const noticesOf = (line: Record<string, string>) => prepare({ library: libraryFile([line]) }).sources.library.notices.join("\n");
  assert.equal(noticesOf(person), "");
  assert.match(noticesOf({ ...person, TOTAL_HTML: "0.12" }), /^1 session \(the first in line 2\): a share times the number of requests/);
  assert.match(noticesOf({ ...person, IMAGES: "0.9" }), /more HTML, images/);
  assert.match(noticesOf({ ...person, AVERAGE_TIME: "3" }), /AVERAGE_TIME is not/);
  assert.match(noticesOf({ ...person, STANDARD_DEVIATION: "" }), /no STANDARD_DEVIATION/);
  assert.match(noticesOf({ ...oneRequest, HTML_TO_CSS: "3" }), /no HTML, but a ratio/);
  const [session] = sessionsOf(prepare({ library: libraryFile([{ ...person, IMAGES: "0.9" }]) }).csv, "auth_library_logs");
  assert.equal(session?.signals.interaction_count, 0);
});
