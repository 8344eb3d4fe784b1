import type { Mutant } from "./mutant.ts";

const fields = "apps/dashboard/build/reference/render-fields.ts";
const operation = "apps/dashboard/build/reference/render-operation.ts";
const page = "apps/dashboard/build/reference/render-page.ts";
const sending = "apps/dashboard/src/reference/send.ts";
const ranking = "apps/dashboard/src/reference/rank.ts";
const writing = "apps/dashboard/src/samples/write-sample.ts";
const pageTest = "apps/dashboard/build/reference/render-page.test.ts";
const sendTest = "apps/dashboard/src/reference/send.test.ts";
const surfaceTest = "shows every call, field, choice, header, status and event of docs/api-surface.txt";

/** Faults in the API reference. */
export const referenceMutants: readonly Mutant[] = [
  {
    name: "the reference leaves out the fields of an array's items",
    file: fields,
    from: "...(schema.items ? [schema.items] : []), ",
    to: "",
    killedBy: [pageTest, surfaceTest],
  },
  {
    name: "the reference calls an optional field of a request required",
    file: fields,
    from: 'return isRequired ? ` <span class="must">required</span>` : "";',
    to: 'return ` <span class="must">required</span>`;',
    killedBy: [pageTest, surfaceTest],
  },
  {
    name: "the reference shows a header on every answer",
    file: operation,
    from: 'data-on="${on.join(" ")}"',
    to: 'data-on=""',
    killedBy: [pageTest, surfaceTest],
  },
  {
    name: "the reference is built with links that lead nowhere",
    file: page,
    from: "if (!seen.has(target!)) throw",
    to: "if (false) throw",
    killedBy: [pageTest, "is not built with two elements of one id, a link to nothing, or events that differ in what is shown once"],
  },
  {
    name: "the reference sends a live key",
    file: sending,
    from: 'if (key.startsWith("assay_live_")) return',
    to: 'if (key.startsWith("assay_none_")) return',
    killedBy: [sendTest, "is refused with a live key, without a key, and with what is not a key"],
  },
  {
    name: "a parameter of the reference's form leaves its place in the path",
    file: sending,
    from: "encodeURIComponent(value)",
    to: "value",
    killedBy: [sendTest, "takes its path, query, headers and body from the form, and leaves out what is empty"],
  },
  {
    name: "search finds what has one of the words",
    file: ranking,
    from: "found.every((weight) => weight > 0)",
    to: "found.some((weight) => weight > 0)",
    killedBy: ["apps/dashboard/src/reference/rank.test.ts", "wants every word, also that of the place"],
  },
  {
    name: "a quotation mark in a sample ends the shell's string",
    file: writing,
    from: "value.replaceAll(\"'\", String.raw`'\\''`)",
    to: "value",
    killedBy: ["apps/dashboard/src/samples/write-sample.test.ts", "reach the right address with the right body from a shell"],
  },
];
