// The tour promises a straight walk, and comments and documents cite files: both are compared with what there is.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { listDocuments, readDocument, root } from "./testing/read-document.ts";

const source = join(root, "apps/api/src");
const filesOnTheWalkMax = 12;
const lineLengthMax = 120;

/** `charge-batch.sqlite.ts` is one half of `charge-batch.ts`, and shares its fields. */
const isHalfOf = (half: string, whole: string): boolean => half.replace(/\.(sqlite|postgres)\.ts$/, ".ts") === whole;

describe("the tour", () => {
  const files = [...readDocument("docs/tour.md").matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].map(([, file]) => file!);

  it(`follows one call through at most ${filesOnTheWalkMax} files, none of them twice`, () => {
    assert.ok(files.length > 5 && files.length <= filesOnTheWalkMax, String(files.length));
    assert.equal(new Set(files).size, files.length);
    for (const file of files) assert.ok(existsSync(join(source, file)), file);
  });

  it("walks in one direction: no file imports one that the call has passed", () => {
    for (const [place, file] of files.entries()) {
      const imports = [...readFileSync(join(source, file), "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => join(dirname(file), path!));
      const passed = imports.filter((each) => files.slice(0, place).includes(each) && !isHalfOf(file, each));
      assert.deepEqual(passed, [], `${file} imports what came before it`);
    }
  });
});

describe("a file that a comment or a document cites", () => {
  const isOutside = (path: string) => /(^|\/)(node_modules|\.git|\.runtime|dist|data)$/.test(path);
  const pathsOf = Map.groupBy(globSync("**/*", { cwd: root, exclude: isOutside }), (path) => basename(path));
  const isThere = (path: string): boolean => pathsOf.get(basename(path))?.some((each) => `/${each}`.endsWith(`/${path.replace(/^(?:\.\.?\/)+/, "")}`)) ?? false;
  /** `verb-noun.ts` stands for any. */
  const patterns = new Set(["verb-noun.ts"]);
  const cited = /(?<![\w@/.-])((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs|sql))(?![\w/]|\.\w)/g;

  const faultsIn = (text: string): string[] => [...text.matchAll(cited)].map(([, path]) => path!).filter((path) => !patterns.has(path) && !isThere(path));

  it("is there: in the comments of the service", () => {
    const faults = globSync("apps/api/{src,test}/**/*.ts", { cwd: root }).flatMap((file) => {
      const comments = [...readFileSync(join(root, file), "utf8").matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(([text]) => text);
      return faultsIn(comments.join("\n")).map((path) => `${file}: ${path}`);
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(faultsIn("see billing/charge-nobody.ts"), ["billing/charge-nobody.ts"], "the check itself finds one");
  });

  it("is there: in the documents", () => {
    const prose = (document: string) => readDocument(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const faults = listDocuments().flatMap((document) => faultsIn(prose(document)).map((path) => `${document}: ${path}`));
    assert.deepEqual(faults, []);
  });
});

describe("prose", () => {
  it(`stays within ${lineLengthMax} characters a line, but for tables, links and code`, () => {
    const generated = new Set(["docs/model-card.md"]);
    const long = listDocuments().filter((document) => !generated.has(document)).flatMap((document) =>
      readDocument(document)
        .replaceAll(/^```[\s\S]*?^```$/gm, "")
        .split("\n")
        .flatMap((line) => (line.length > lineLengthMax && !/^\s*\||^\s*[![]|^\[/.test(line) ? [`${document}: ${line.slice(0, 60)}…`] : [])),
    );
    assert.deepEqual(long, []);
  });
});
