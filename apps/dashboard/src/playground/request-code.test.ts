import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { requestCode } from "./request-code.ts";

const signals = { user_engagement: 0.75, session_duration: 180, return_visitor: true };
const address = "http://127.0.0.1:9";

/** The body that curl gets from the shell. */
function bodyOfCurl(code: string): unknown {
  const printed = execFileSync("sh", ["-c", code.replace(/^curl /, "printf '%s\\n' ")], { encoding: "utf8" });
  return JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "");
}

describe("request code", () => {
  it("passes the signals through a shell unchanged", () => {
    assert.deepEqual(bodyOfCurl(requestCode("curl", { address, signals })), { session_data: signals });
  });

  it("has the same body in TypeScript", () => {
    const body = /JSON\.stringify\(([\s\S]+?)\),\n\}\);/.exec(requestCode("TypeScript", { address, signals }))?.[1];
    assert.deepEqual(JSON.parse(body ?? ""), { session_data: signals });
  });

  it("uses Python booleans", () => {
    const code = requestCode("Python", { address, signals });
    assert.match(code, /"return_visitor": True/);
    assert.doesNotMatch(code, /\btrue\b/);
  });

  it("never contains a key", () => {
    for (const language of ["curl", "TypeScript", "Python"] as const) assert.doesNotMatch(requestCode(language, { address, signals }), /assay_(live|test)_/);
  });
});
