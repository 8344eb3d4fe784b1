import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { artefact } from "./artefacts/additive-2.ts";

const risesUpTo = (knots: readonly number[], values: readonly number[], last: number) =>
  knots.every((knot, index) => index === 0 || knot > last || (values[index] ?? 0) >= (values[index - 1] ?? 0));

it("the curves of interactions, of durations up to 600 s and of up to 14 pages are monotonic", () => {
  const { interaction_count, session_duration, page_views } = artefact.curves;
  assert.ok(risesUpTo(interaction_count.knots, interaction_count.values, Number.POSITIVE_INFINITY));
  assert.ok(session_duration.knots.includes(600));
  assert.ok(risesUpTo(session_duration.knots, session_duration.values, 600));
  assert.ok(page_views.knots.includes(14));
  assert.ok(risesUpTo(page_views.knots, page_views.values, 14));
});

it("probabilities never fall as the log-odds rise, and are never 0 or 1", () => {
  const { human, engaged, bare, count } = artefact.calibration;
  assert.ok(bare);
  for (const probabilities of [human, engaged, bare.human, bare.engaged]) {
    assert.equal(probabilities.length, count);
    assert.ok(probabilities.every((value, index) => index === 0 || value >= (probabilities[index - 1] ?? 0)));
    assert.ok(probabilities.every((value) => value > 0 && value < 1));
  }
});

it("the shown confidence never falls as the raw one rises", () => {
  const { raw, shown } = artefact.certainty!.confidence;
  assert.equal(raw.length, shown.length);
  assert.ok(shown.every((value, index) => index === 0 || value >= (shown[index - 1] ?? 0)));
  assert.ok(raw.every((value, index) => index === 0 || value >= (raw[index - 1] ?? 0)));
});

it("certainty has quantiles in order for every set of the learnt signals, and for all with scroll depth", () => {
  const { sets, levels, count } = artefact.certainty!;
  assert.equal(Object.keys(sets).length, 17);
  for (const [seen, table] of Object.entries(sets)) {
    assert.equal(table.length, count, seen);
    for (const quantiles of table) {
      assert.equal(quantiles.length, levels.length);
      assert.ok(quantiles.every((value, index) => index === 0 || value > (quantiles[index - 1] ?? 0)), seen);
    }
  }
});

it("a longer session never allows fewer interactions or pages", () => {
  const timed = artefact.gate.checks.filter((check) => "given" in check);
  assert.equal(timed.length, 2);
  for (const { given } of timed) {
    assert.equal(given.closesFrom.length, given.knots.length);
    assert.ok(given.closesFrom.every((limit, index) => index === 0 || limit >= (given.closesFrom[index - 1] ?? 0)));
  }
});

it("the artefact records its sources, the digests of its files and its metrics", () => {
  assert.match(artefact.version, /^additive-2-[0-9a-f]{8}$/);
  assert.deepEqual(
    artefact.files.map(({ name }) => name),
    ["train.csv", "transfer.csv"],
  );
  assert.ok(artefact.files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
  assert.equal(artefact.sources.length, 4);
  assert.ok(Object.keys(artefact.metrics).length > 0);
});

it("code that browsers bundle imports neither Node modules nor packages", () => {
  const folder = new URL(".", import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const shipped = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing/"));
  assert.ok(shipped.length > 5);
  for (const name of shipped) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const [, from] of text.matchAll(/from "([^"]+)"/g)) assert.match(from ?? "", /^\.\.?\//, name);
    assert.doesNotMatch(text, /\b(process|Buffer|require)\b[.(]/, name);
  }
});
