import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { readSessionFile } from "../read-sessions.ts";
import { runTraining } from "../run-training.ts";
import { seededRandom } from "../random.ts";
import { syntheticFiles } from "../synthetic-sessions.ts";
import { libraryFile, libraryLine, shoppersFile, shoppersLine } from "./example-originals.ts";

const root = mkdtempSync(join(tmpdir(), "assay-prepare-"));
after(() => rmSync(root, { recursive: true }));

const program = join(import.meta.dirname, "main.ts");
const run = (...options: string[]) => spawnSync(process.execPath, [program, ...options], { encoding: "utf8", timeout: 60_000 });

/** Sessions drawn so that people and buyers do more, in the form of the originals. */
function drawOriginals(perSource: number): { library: string; shoppers: string } {
  const random = seededRandom(5);
  const amount = (isOne: boolean, typical: number) => Math.floor(typical * random() * random() * (isOne ? 4 : 1));
  const library = libraryFile(
    Array.from({ length: perSource }, (_, index) => {
      const isPerson = random() < 0.5;
      const html = amount(isPerson, 4);
      const requests = { html, images: amount(isPerson, 6), css: html * 2, js: html, others: 1 + amount(isPerson, 6) };
      const gapCount = Object.values(requests).reduce((sum, count) => sum + count, 0) - 1;
      return libraryLine(`s${index}`, requests, { gaps: Array.from({ length: gapCount }, () => amount(isPerson, 20)), isRobot: !isPerson });
    }),
  );
  const shoppers = shoppersFile(
    Array.from({ length: perSource }, () => {
      const isBuyer = random() < 0.4;
      return shoppersLine({
        ProductRelated: String(1 + amount(isBuyer, 20)),
        ProductRelated_Duration: String(amount(isBuyer, 900) + 0.25),
        BounceRates: String(0.2 * random() * (isBuyer ? 0.5 : 1)),
        VisitorType: random() < 0.7 ? "Returning_Visitor" : "New_Visitor",
        Revenue: isBuyer ? "TRUE" : "FALSE",
      });
    }),
  );
  const write = ({ name, bytes }: { name: string; bytes: Buffer }) => {
    writeFileSync(join(root, name), bytes);
    return join(root, name);
  };
  return { library: write(library), shoppers: write(shoppers) };
}

const { library, shoppers } = drawOriginals(700);
const given = ["--library", library, "--shoppers", shoppers];

it("writes a training file that can be trained on, and says where it came from", () => {
  const out = join(root, "new", "folder");
  const { status, stdout, stderr } = run(...given, "--out", out, "--partial");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /simple_features\.csv: \d+ \+ \d+ sessions[^]*online_shoppers_intention\.csv: \d+ \+ \d+ sessions[^]*CC BY 4\.0/);
  assert.deepEqual(readdirSync(out).toSorted(), ["prepared.json", "train.csv"]);
  const train = readSessionFile(out, "train.csv");
  const { train: noted } = JSON.parse(readFileSync(join(out, "prepared.json"), "utf8")) as { train: object };
  assert.deepEqual(noted, { name: "train.csv", sha256: train.sha256, rows: 1_400 });
  const { evaluation, artefact } = runTraining({ ...syntheticFiles(1, 700), train }, () => undefined);
  assert.ok(evaluation.sources.library.auc > 0.7, String(evaluation.sources.library.auc));
  assert.deepEqual(artefact.sources.slice(0, 2).map(({ rows, licence }) => ({ rows, licence: licence.slice(0, 9) })), [
    { rows: 700, licence: "CC BY 4.0" },
    { rows: 700, licence: "CC BY 4.0" },
  ]);
});

it("writes nothing when a check fails", () => {
  const out = join(root, "refused");
  const { status, stderr, stdout } = run(...given, "--out", out);
  assert.equal(status, 1);
  assert.match(stderr, /the original simple_features\.csv has 13494 \+ 53858[^]*\nNothing was written\.\n$/);
  assert.equal(stdout, "");
  assert.equal(existsSync(out), false);
});

it("does not overwrite a different training file unless told to", () => {
  const out = join(root, "taken");
  mkdirSync(out);
  writeFileSync(join(out, "train.csv"), "mine");
  const refused = run(...given, "--out", out, "--partial");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /train\.csv exists and differs/);
  assert.deepEqual([readFileSync(join(out, "train.csv"), "utf8"), readdirSync(out).length], ["mine", 1]);
  assert.equal(run(...given, "--out", out, "--partial", "--replace").status, 0);
  assert.notEqual(readFileSync(join(out, "train.csv"), "utf8"), "mine");
  assert.equal(run(...given, "--out", out, "--partial").status, 0, "the same file again is fine");
});

it("names a file that is not there, and a folder given for a file", () => {
  assert.match(run("--library", join(root, "none.csv"), "--shoppers", shoppers, "--out", root).stderr, /none\.csv does not exist/);
  assert.match(run("--library", root, "--shoppers", shoppers, "--out", root).stderr, /is not a file; give the CSV file/);
});

it("explains itself", () => {
  const shown = run("--help");
  assert.deepEqual([shown.status, shown.stderr], [0, ""]);
  const options = [...shown.stdout.matchAll(/^ {2}--(\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(options, ["library", "shoppers", "out", "partial", "replace"]);
  const bare = run();
  assert.deepEqual([bare.status, bare.stdout, bare.stderr], [2, "", shown.stdout]);
});
