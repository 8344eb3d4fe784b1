// Writes src/Types.php from packages/contract:  node clients/php/print-types.ts
import { writeFileSync } from "node:fs";
import { answers, codes, eventData, requests, type NamedSchema, type Schema, verdicts } from "../list-answer-types.ts";

/** Lists whose codes may become more: callers must expect one that is newer than their client. */
const growingLists: ReadonlySet<string> = new Set(["attestation_issues"]);

const quote = (value: unknown): string => (typeof value === "string" ? `'${value}'` : String(value));
const unionOf = (values: readonly unknown[]): string => values.map(quote).join("|");

function printType(schema: Schema, indent: string): string {
  if (schema.enum) return unionOf(schema.enum);
  if ("const" in schema) return quote(schema.const);
  if (schema.anyOf) return schema.anyOf.map((each) => printType(each, indent)).join("|");
  switch (schema.type) {
    case "object":
      return printShape(schema, indent);
    case "array": {
      const item = printType(schema.items ?? {}, indent);
      return schema.minItems === 2 && schema.maxItems === 2 ? `array{${item}, ${item}}` : `list<${item}>`;
    }
    case "integer":
      return "int";
    case "number":
      return "int|float";
    case "boolean":
      return "bool";
    case "string":
    case "null":
      return schema.type;
    case undefined:
    default:
      throw new Error(`cannot print this schema of the contract as a type: ${JSON.stringify(schema)}`);
  }
}

function printShape(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const type = growingLists.has(name) ? "list<string>" : printType(property, inner);
    return ` * ${inner}${name}${required.has(name) ? "" : "?"}: ${type},\n`;
  });
  return lines.length === 0 ? "array{}" : `array{\n${lines.join("")} * ${indent}}`;
}

const pascalCase = (name: string): string => name.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
const print = ({ name, comment, schema }: NamedSchema): string => ` *\n * ${comment}\n * @phpstan-type ${name} ${printType(schema, "")}\n`;

/** Some of the signals, as a session that the service has measured itself may have them. */
const report = ` *
 * What the collector posts to your server. It may have more fields, such as \`sequence\`: they are not passed on. The signals
 * may be incomplete if there is a token. Null and "" mean that there is none.
 * @phpstan-type SessionReport array{session_data: array<string, int|float|bool>, session_token?: string|null}
`;

export function printTypes(): string {
  const shapes = [...requests, ...verdicts, ...answers, ...codes].map(print).join("");
  const events = eventData.map(({ name, comment, schema }) => print({ name: `${pascalCase(name)}Data`, comment: `\`data\` of the event \`${name}\`. ${comment}`, schema })).join("");
  return `<?php

// Generated from Assay's contract by clients/php/print-types.ts.

declare(strict_types=1);

namespace Assay;

/**
 * Shapes of what is sent and received, for static analysis: \`@phpstan-import-type Prediction from \\Assay\\Types\`. The
 * reference at \`/docs\` of your installation explains every field.
${shapes.slice(0, -1)}
${report}${events} */
final class Types
{
}
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(new URL("src/Types.php", import.meta.url), printTypes());
