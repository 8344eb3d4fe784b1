// Plays the whole corpus with one client. Every language's test calls it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Adapter, type Prepared } from "./adapter.ts";
import { type Corpus, expand, playCase } from "./play-call.ts";

type Vector = { name: string; given: Record<string, unknown>; expect: { answer?: unknown; error?: unknown; refused?: boolean } };

const read = <Content>(name: string): Content => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8")) as Content;

/** `language` is the name in the client's User-Agent. */
export function runCorpus(language: string, prepare: () => Promise<Prepared>): void {
  const { answers, cases } = read<Corpus>("calls.json");
  let adapter: Adapter;

  describe(`the ${language} client, installed from its package`, () => {
    before(async () => {
      adapter = new Adapter(await prepare());
    });
    after(() => adapter?.stop());

    describe("calls", () => {
      const userAgent = new RegExp(`^assay-${language}/\\d+\\.\\d+\\.\\d+$`);
      for (const one of cases.flatMap(expand)) it(one.name, () => playCase(adapter, one, { answers, userAgent }));
    });

    for (const [file, command] of [["webhooks.json", "verify_webhook"], ["proofs.json", "verify_proof"]] as const) {
      describe(command, () => {
        for (const { name, given, expect } of read<{ vectors: Vector[] }>(file).vectors) {
          it(name, async () => {
            const reply = await adapter.ask({ do: command, ...given });
            if (expect.refused) assert.equal(typeof reply.refused, "string", JSON.stringify(reply));
            else assert.deepEqual({ answer: reply.answer, error: reply.error }, { answer: expect.answer, error: expect.error });
          });
        }
      });
    }
  });
}
