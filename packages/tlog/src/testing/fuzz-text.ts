import assert from "node:assert/strict";
import fc from "fast-check";
import { TlogError } from "../tlog-error.ts";

const strangeParts = ["\n", "\n\n", " ", "+", "=", "==", "0", "-1", "— ", "\0", "\r", "\t", "\u{85}", "\u{2003}", "\u{feff}", "\ud800", "é", "A", "extra ", "index 1", "9".repeat(17), "old 0"];

/** The text with one to three pieces removed, repeated, exchanged for others or added. */
const changedText = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(6), fc.oneof(fc.constantFrom(...strangeParts), fc.string({ maxLength: 4, unit: "binary" }), fc.constant(text))), { minLength: 1, maxLength: 3 })
    .map((edits) => edits.reduce((changed, [at, removed, added]) => changed.slice(0, at) + added + changed.slice(at + removed), text));

/**
 * A reader of changed texts either refuses with a `TlogError` or has read something that is written exactly so: no content
 * has two spellings.
 */
export async function assertOneSpelling<Content>(text: string, read: (changed: string) => Content | Promise<Content>, write: (content: Content) => string | Promise<string>): Promise<void> {
  assert.equal(await write(await read(text)), text);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(changedText(text), async (changed) => {
      let content: Content;
      try {
        content = await read(changed);
      } catch (error) {
        assert(error instanceof TlogError, String(error));
        refused += 1;
        return;
      }
      assert.equal(await write(content), changed);
    }),
    { numRuns: 1_000 },
  );
  assert(refused > 250, `only ${refused} of 1000 changed texts were refused`);
}
