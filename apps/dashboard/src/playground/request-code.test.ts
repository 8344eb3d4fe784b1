import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { codeLanguages, requestCode } from "./request-code.ts";

const signals = { user_engagement: 0.75, session_duration: 180, return_visitor: true };
const address = "http://127.0.0.1:9";

/** The body that curl gets from the shell. */
function bodyOfCurl(code: string): unknown {
  const printed = execFileSync("sh", ["-c", code.replace(/^curl /, "printf '%s\\n' ")], { encoding: "utf8" });
  return JSON.parse(printed.slice(printed.indexOf("{")));
}

describe("request code", () => {
  it("passes the signals through a shell unchanged", () => {
    assert.deepEqual(bodyOfCurl(requestCode("curl", { address, signals })), { session_data: signals });
  });

  it("calls predict with every signal in each language", () => {
    for (const language of codeLanguages) {
      const code = requestCode(language, { address, signals });
      assert.match(code, /predict/i, language);
      for (const value of ["0.75", "180", /true/i]) assert.match(code, new RegExp(value), language);
    }
  });

  it("uses Python booleans", () => {
    const code = requestCode("Python", { address, signals });
    assert.match(code, /"return_visitor": True/);
    assert.doesNotMatch(code, /\btrue\b/);
  });

  it("never contains a key", () => {
    for (const language of codeLanguages) assert.doesNotMatch(requestCode(language, { address, signals }), /assay_(live|test)_/);
  });
});
