import { type DescribedType, type Field, type TypeUse, wrapText } from "./describe-types.ts";

const scalars = { number: "int|float", integer: "int", string: "string", boolean: "bool", null: "null" } as const;

function printUse(type: TypeUse): string {
  switch (type.kind) {
    case "literals":
      return type.values.map((value) => `'${value}'`).join("|");
    case "named":
      return type.name;
    case "list":
      return `list<${printUse(type.item)}>`;
    case "pair":
      return `array{${printUse(type.item)}, ${printUse(type.item)}}`;
    case "union":
      return type.members.map(printUse).join("|");
    case "number":
    case "integer":
    case "string":
    case "boolean":
    case "null":
      return scalars[type.kind];
  }
}

const printField = ({ name, type, isRequired }: Field): string => ` *   ${name}${isRequired ? "" : "?"}: ${printUse(type)},\n`;

function printAlias(type: DescribedType): string {
  const comment = wrapText(type.comment).map((line) => ` * ${line}\n`).join("");
  const shape = type.kind === "codes" ? printUse({ kind: "literals", values: type.values }) : `array{\n${type.fields.map(printField).join("")} * }`;
  return ` *\n${comment} * @phpstan-type ${type.name} ${shape}\n`;
}

/** Shapes for static analysis: PHP itself has no types for what is in an array. */
export function printPhpTypes(types: readonly DescribedType[]): string {
  return `<?php

// Generated from Assay's contract by scripts/print-client-types.ts.

declare(strict_types=1);

namespace Assay;

/**
 * Shapes of what is sent and received, for static analysis: \`@phpstan-import-type Prediction from \\Assay\\Types\`. The
 * reference at \`/docs\` of your installation explains every field.
${types.map(printAlias).join("")} *
 * What the collector posts to your server. It may have more fields, such as \`sequence\`: they are not passed on. The
 * signals may be incomplete if there is a token. Null and "" mean that there is none.
 * @phpstan-type SessionReport array{session_data: PartialSessionData, session_token?: string|null}
 */
final class Types
{
}
`;
}
