import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { parsePolicy } from "./policy.ts";
import { assertOneSpelling } from "./testing/fuzz-text.ts";
import { TestSigner } from "./testing/test-signer.ts";
import { formatWitnessRequest, parseWitnessRequest } from "./witness-request.ts";

const hashLine = `${"A".repeat(43)}=`;
const note = "example.com/log\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— example.com/log AAAAAAAA\n";

describe("requests to witnesses", () => {
  it("have the old size, the proof and the checkpoint", () => {
    const request = parseWitnessRequest(`old 20852014\n${hashLine}\n${hashLine}\n\n${note}`);
    assert.deepEqual({ ...request, path: request.path.length }, { oldSize: 20_852_014, path: 2, checkpointNote: note });
    assert.equal(parseWitnessRequest(`old 0\n\n${note}`).path.length, 0);
  });

  it("are refused when malformed", () => {
    const refuses = (text: string): void => assert.throws(() => parseWitnessRequest(text), { name: "TlogError", code: "malformed_request" }, text);
    refuses("");
    refuses(`old 0\n`);
    refuses(`\n\n${note}`);
    for (const first of ["old", "old ", "old 01", "old -1", "old 1 ", "old  1", "new 1", "Old 1", "old 9007199254740992"]) refuses(`${first}\n\n${note}`);
    refuses(`old 1\nold 1\n\n${note}`);
    refuses(`old 1\nAAAA\n\n${note}`);
    refuses(`old 1\n${hashLine} \n\n${note}`);
    refuses(`old 1\n${`${hashLine}\n`.repeat(64)}\n${note}`);
    assert.equal(parseWitnessRequest(`old 1\n${`${hashLine}\n`.repeat(63)}\n${note}`).path.length, 63);
  });

  it("have one spelling", () => assertOneSpelling(`old 7\n${hashLine}\n\n${note}`, parseWitnessRequest, formatWitnessRequest));
});

describe("files that list logs and witnesses", () => {
  let log: TestSigner;
  let witness: TestSigner;
  let other: TestSigner;
  before(async () => {
    [log, witness, other] = await Promise.all([TestSigner.log("log.example"), TestSigner.witness("w.example"), TestSigner.witness("x.example")]);
  });

  it("are read with comments, spaces, groups and a quorum", async () => {
    const text = `# ours\n\n log\t${log.vkey}\nwitness  W ${witness.vkey} https://w.example/submit/ \nwitness X ${other.vkey}\n  # more\ngroup G any W X\nquorum G\n`;
    const { logs, witnesses } = await parsePolicy(text);
    assert.deepEqual(logs.map(({ key, url }) => [key.name, url]), [["log.example", undefined]]);
    assert.deepEqual(witnesses.map(({ name, key, url }) => [name, key.name, url]), [["W", "w.example", "https://w.example/submit"], ["X", "x.example", undefined]]);
    assert.deepEqual(await parsePolicy(""), { logs: [], witnesses: [] });
  });

  it("are refused with the number of the line", async () => {
    const refuses = (line: string, message: RegExp) => assert.rejects(parsePolicy(`# first\n${line}\n`), { name: "TlogError", code: "malformed_policy", message });
    await refuses("witnes W", /^Line 2: “witnes” is not log, witness, group or quorum\.$/);
    await refuses(`witness W ${log.vkey}`, /^Line 2: this key is not one of a witness/);
    await refuses(`log ${witness.vkey}`, /^Line 2: this key is not one of a log/);
    await refuses(`witness ${witness.vkey}`, /^Line 2: The key cannot be used/);
    await refuses(`witness W ${witness.vkey} https://w.example more`, /^Line 2: a witness has/);
    await refuses(`log ${log.vkey} https://l.example more`, /^Line 2: a log has/);
    for (const url of ["w.example", "ftp://w.example", "file:///etc/passwd", "https://me:pass@w.example", "https://w.example/?q", "https://w.example/#f"]) {
      await refuses(`witness W ${witness.vkey} ${url}`, /^Line 2: the address/);
    }
    await refuses(`witness W ${witness.vkey}\nwitness V ${witness.vkey}`, /^Line 3: this witness is listed twice/);
    await refuses(`witness W ${witness.vkey}\nwitness W ${other.vkey}`, /^Line 3: this witness is listed twice/);
    await refuses(`log ${log.vkey}\nlog ${log.vkey}`, /^Line 3: this log is listed twice/);
  });
});
