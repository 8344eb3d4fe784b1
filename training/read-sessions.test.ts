import assert from "node:assert/strict";
import { it } from "node:test";
import { parseSessions, readSessionFile } from "./read-sessions.ts";

const signalColumns = "user_engagement,session_duration,scroll_depth,interaction_count,page_views,return_visitor";
const header = `row_id,${signalColumns},label,task,source`;

it("reads every signal and omits empty ones", () => {
  const text = `${header}\na1,0.5,56.0,,4,3,,1,human,library\nb2,,0.0,0.25,,,1,0,engaged,reading\r\n`;
  assert.deepEqual(parseSessions(text, "some.csv"), [
    {
      rowId: "a1",
      signals: { user_engagement: 0.5, session_duration: 56, interaction_count: 4, page_views: 3 },
      label: 1,
      task: "human",
      source: "library",
    },
    {
      rowId: "b2",
      signals: { session_duration: 0, scroll_depth: 0.25, return_visitor: true },
      label: 0,
      task: "engaged",
      source: "reading",
    },
  ]);
});

it("reports the file, the line and the problem", () => {
  assert.throws(() => parseSessions("row_id,label\n", "some.csv"), /some\.csv: no column user_engagement/);
  assert.throws(() => parseSessions(`${header}\na1,x,,,,,,1,human,s\n`, "some.csv"), /some\.csv:2: not a non-negative number/);
  assert.throws(() => parseSessions(`${header}\na1,,,,,,,1,other,s\n`, "some.csv"), /some\.csv:2: invalid label or unknown task/);
  assert.throws(() => readSessionFile("no-such-folder", "train.csv"), /train\.csv is not in the data folder/);
});
