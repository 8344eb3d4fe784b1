import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { codeLanguages } from "../../playground/request-code.ts";
import { adRequestCode } from "./ad-request-code.ts";

const address = "http://127.0.0.1:9";
const request = { format: "native", placement: "sidebar", app_category: "gaming" };
const expected = { format: "native", placement: "sidebar", user_context: { app_category: "gaming" } };

describe("ad request code", () => {
  it("passes the body through a shell unchanged", () => {
    const code = adRequestCode("curl", { address, request }).replace(/^curl /, "printf '%s\\n' ");
    const printed = execFileSync("sh", ["-c", code], { encoding: "utf8" });
    const body: unknown = JSON.parse(printed.slice(printed.indexOf("{")));
    assert.deepEqual(body, expected);
  });

  it("has every field in each language, and no empty ones", () => {
    for (const language of codeLanguages) {
      const code = adRequestCode(language, { address, request });
      for (const value of ["native", "sidebar", "gaming"]) assert.match(code, new RegExp(value), language);
      const short = adRequestCode(language, { address, request: { format: "banner", placement: "feed" } });
      assert.doesNotMatch(short, /user_?context/i, language);
    }
  });

  it("never contains a key", () => {
    for (const language of codeLanguages) assert.doesNotMatch(adRequestCode(language, { address, request }), /assay_(live|test)_/);
  });
});
