// Where a kept mutant's fault goes, in whatever shape its function has today.
import ts from "typescript";
import { listMutations, type Mutation, namesAround, type Operator, parse, type Source } from "./list-mutations.ts";

/**
 * What is done to which code of a function. An operator changes the one place that mentions a text ("drop the call of
 * `lockChains`"); `replace` puts another expression or statement in the place of one; `text` changes part of a string.
 */
export type Change = readonly [Operator, mentions: string] | readonly ["replace" | "text", from: string, to: string];

/** A fault that somebody could write. */
type Fault = {
  /** What would be wrong. */
  means: string;
  in: string;
  /** The function, or the constant of the module, that is changed. */
  function: string;
  change: Change;
  /** Only this half of a test for both stores, or a server that the test starts. */
  needs?: "postgres" | "redis";
};

/** By test file, and by the title of the test in it that notices them. */
export type FaultsByTest = Readonly<Record<string, Readonly<Record<string, readonly Fault[]>>>>;

export type KeptMutant = Fault & { killedBy: readonly [file: string, title: string] };

export type Place = { start: number; end: number; to: string };

/** Layout does not matter: spaces, line breaks, and commas before a closing bracket. */
const plain = (text: string): string => text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "");

/** Of places inside each other, the innermost. */
const innermost = <T extends { start: number; end: number; was: string }>(places: readonly T[]): T[] =>
  places.filter((one) => !places.some((other) => other !== one && other.was.length < one.was.length && one.was.includes(other.was) && other.start >= one.start && other.end <= one.end));

type Read = Source & { mutations: readonly Mutation[] };
const known = new Map<string, Read>();

/** Many mutants are of the same few files. */
function read(path: string, text: string): Read {
  const found = known.get(path);
  if (found?.text === text) return found;
  const source = parse(path, text);
  const fresh = { ...source, mutations: listMutations(source) };
  known.set(path, fresh);
  return fresh;
}

/** Where the change goes, or why it does not apply any more. */
export function locate(path: string, text: string, wanted: Pick<KeptMutant, "function" | "change">): Place | { stale: string } {
  const source = read(path, text);
  const [operator, mentioned] = wanted.change;
  const isInside = (names: readonly string[]): boolean => names.includes(wanted.function);
  const places = operator === "replace" || operator === "text" ? findTexts(source, operator, wanted.change, isInside) : findMutations(source, operator, mentioned, isInside);
  if (places.length === 1) return places[0]!;
  if (places.length > 1) return { stale: `"${wanted.change.join(" ")}" fits ${places.length} places of ${wanted.function} in ${path}` };
  return { stale: hasFunction(source, wanted.function) ? `"${wanted.change.join(" ")}" fits nothing in ${wanted.function} in ${path}` : `${path} has no ${wanted.function}` };
}

function findMutations({ mutations }: Read, operator: Operator, mentioned: string, isInside: (names: readonly string[]) => boolean): Mutation[] {
  const mentions = mutations.filter((each) => each.operator === operator && isInside(each.within) && plain(each.was).includes(plain(mentioned)));
  return innermost(mentions);
}

function findTexts({ text, tree }: Source, kind: "replace" | "text", [, from, to]: readonly [string, string, string], isInside: (names: readonly string[]) => boolean): Place[] {
  const found = new Map<string, Place>();
  const lengthMin = plain(from).length;
  const visit = (node: ts.Node): void => {
    const start = node.getStart();
    if (node.getEnd() - start < Math.min(lengthMin, from.length)) return;
    if (kind === "text") {
      const isText = ts.isStringLiteralLike(node) || node.kind === ts.SyntaxKind.TemplateHead || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
      const body = text.slice(start, node.getEnd());
      if (isText && isInside(namesAround(node))) {
        for (let at = body.indexOf(from); at >= 0; at = body.indexOf(from, at + 1)) found.set(String(start + at), { start: start + at, end: start + at + from.length, to });
      }
    } else if (text[start] === from[0] && plain(node.getText()) === plain(from) && isInside(namesAround(node))) {
      // An expression and the statement that consists of it may differ by a semicolon only.
      found.set(String(start), { start, end: node.getEnd(), to });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...found.values()];
}

function hasFunction({ tree }: Source, name: string): boolean {
  let has = false;
  const visit = (node: ts.Node): void => {
    has ||= namesAround(node).includes(name);
    if (!has) ts.forEachChild(node, visit);
  };
  visit(tree);
  return has;
}
