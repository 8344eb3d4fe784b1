import { isRetryableAnswer } from "../packages/sdk/src/retry-rules.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { statusOf } from "../apps/api/src/http/reply-failures.ts";

const page = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (\w+) \| ([^|]+) \| [^|]+ \|$/gm)].map(([, code, status, billed, retry]) => ({ code: code!, status: Number(status), billed, retry: retry! }));

it("docs/errors.md lists every code once with its status, unbilled, and says to retry what the SDK retries", () => {
  assert.deepEqual(rows.map(({ code, status }) => [code, status]), Object.entries(statusOf));
  assert.deepEqual([...new Set(rows.map(({ billed }) => billed))], ["no"]);
  for (const { code, status, retry } of rows) assert.equal(retry.startsWith("yes"), isRetryableAnswer(status, code), code);
});
