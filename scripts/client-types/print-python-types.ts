import { type DescribedType, type Field, type TypeUse, wrapText } from "./describe-types.ts";

const header = `"""Types of requests and answers.

Generated from the service's contract by scripts/print-client-types.ts; do not edit.
Answers are plain dictionaries: fields that are newer than this client are in them too.
"""

from __future__ import annotations

from typing import List, Literal, Optional, Tuple, TypedDict, Union


class Meta(TypedDict):
    """Facts about the call itself."""

    request_id: Optional[str]
    """X-Request-Id of the answer. Quote it when you report a problem."""
    receipt: Optional[str]
    """Receipt of the call's ledger entry, \`<seq>.<hash>\`; None if nothing was billed."""
    replayed: bool
    """Whether this is the stored answer of an earlier call or attempt with the same idempotency key."""
    attempts: int
    """Number of attempts made, including the first."""


class Answer(TypedDict):
    """What all answers have."""

    meta: Meta
`;

const footer = `

class AdResult(Answer):
    """An ad, or None with the reason."""

    ad: Optional[Ad]
    no_fill_reason: Optional[str]
    """A \`NoFillReason\`, or one that is newer than this client; None if there is an ad."""


class ProofFile(Answer):
    """The proof of a ledger entry, as a file."""

    proof: str
    """For \`verify_proof\`."""


class _SessionReportRequired(TypedDict):
    session_data: PartialSessionData


class SessionReport(_SessionReportRequired, total=False):
    """What the collector posts to your server. It may have more fields: they are not passed on."""

    session_token: Optional[str]
    """None and "" mean that there is none."""
`;

/** Words that cannot be the name of a field in a class. */
const keywords: ReadonlySet<string> = new Set(["from", "in", "is", "class", "not", "or", "and", "global", "pass", "return"]);

const quote = (value: string): string => JSON.stringify(value);

function printUse(type: TypeUse): string {
  switch (type.kind) {
    case "number":
      return "float";
    case "integer":
      return "int";
    case "string":
      return "str";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "literals":
      return `Literal[${type.values.map(quote).join(", ")}]`;
    case "named":
      return type.name;
    case "list":
      return `List[${printUse(type.item)}]`;
    case "pair":
      return `Tuple[${printUse(type.item)}, ${printUse(type.item)}]`;
    case "union": {
      const members = type.members.filter(({ kind }) => kind !== "null").map(printUse);
      const joined = members.length === 1 ? members[0]! : `Union[${members.join(", ")}]`;
      return members.length === type.members.length ? joined : `Optional[${joined}]`;
    }
  }
}

function printComment(text: string, indent: string): string {
  const safe = text.replaceAll("\\", "\\\\").replace(/"$/, '\\"');
  const lines = wrapText(safe);
  const end = lines.length > 1 ? `\n${indent}` : "";
  return `${indent}"""${lines.join(`\n${indent}`)}${end}"""\n`;
}

const printField = ({ name, comment, type }: Field): string => `    ${name}: ${printUse(type)}\n${comment ? printComment(comment, "    ") : ""}`;

/** A class for fields whose names are keywords: they cannot be written in the body of a class. */
function printKeywordFields(name: string, fields: readonly Field[], isTotal: boolean): string {
  const items = fields.map((field) => `${quote(field.name)}: ${quote(printUse(field.type))}`).join(", ");
  return `\n\n${name} = TypedDict(${quote(name)}, {${items}}${isTotal ? "" : ", total=False"})\n`;
}

/** Without NotRequired, which came with Python 3.11: required fields in a class of their own, the others in one that extends it. */
function printObject({ name, comment, role, fields }: Extract<DescribedType, { kind: "object" }>): string {
  let printed = "";
  let bases = role === "answer" ? ["Answer"] : [];
  const speakable = fields.filter((field) => !keywords.has(field.name));
  const layers = [true, false].map((isTotal) => ({ isTotal, named: speakable.filter(({ isRequired }) => isRequired === isTotal) }));
  for (const isTotal of [true, false]) {
    const keyworded = fields.filter((field) => keywords.has(field.name) && field.isRequired === isTotal);
    if (keyworded.length === 0) continue;
    const base = `_${name}${isTotal ? "Required" : "Optional"}Keywords`;
    printed += printKeywordFields(base, keyworded, isTotal);
    bases.push(base);
  }
  const [required, optional] = layers as [(typeof layers)[0], (typeof layers)[0]];
  if (required.named.length > 0 && optional.named.length > 0) {
    const base = `_${name}Required`;
    printed += `\n\nclass ${base}(${[...bases, ...(bases.length > 0 ? [] : ["TypedDict"])].join(", ")}):\n${required.named.map(printField).join("")}`;
    bases = [base];
  }
  const isTotal = optional.named.length === 0;
  const last = isTotal ? required.named : optional.named;
  const parents = [...(bases.length > 0 ? bases : ["TypedDict"]), ...(isTotal ? [] : ["total=False"])];
  printed += `\n\nclass ${name}(${parents.join(", ")}):\n${printComment(comment, "    ")}\n${last.map(printField).join("")}`;
  return printed;
}

function printCodes({ name, comment, values }: Extract<DescribedType, { kind: "codes" }>): string {
  return `\n\n${name} = Literal[${values.map(quote).join(", ")}]\n${printComment(comment, "")}`;
}

export const printPythonTypes = (types: readonly DescribedType[]): string =>
  header + types.map((each) => (each.kind === "object" ? printObject(each) : printCodes(each))).join("") + footer;
