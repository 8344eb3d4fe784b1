import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toCsv } from "./csv.ts";

describe("CSV", () => {
  it("quotes special characters and leaves numbers as they are, including negative ones", () => {
    assert.equal(toCsv(["a", "b"], [["x,y", 'say "hi"'], ["two\nlines", -1.5], [null, 0]]), 'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",-1.5\r\n,0\r\n');
  });

  it("escapes cells that a spreadsheet would run as a formula [threat: csv-injection]", () => {
    for (const text of ["=1+1", "+cmd", "-cmd", "@sum", "\tx"]) {
      assert.ok(toCsv([text], []).replace('"', "").startsWith("'"), text);
    }
  });
});
