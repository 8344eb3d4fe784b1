import type { FastifySchemaValidationError } from "fastify/types/schema.js";

const withArticle: Record<string, string> = {
  array: "an array",
  boolean: "a boolean",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

function expectationOf({ keyword, params, message }: FastifySchemaValidationError): string {
  switch (keyword) {
    case "type":
      return `must be ${withArticle[String(params["type"])] ?? String(params["type"])}`;
    case "minimum":
      return `must be at least ${String(params["limit"])}`;
    case "maximum":
      return `must be at most ${String(params["limit"])}`;
    case "enum":
      return `must be one of ${(params["allowedValues"] as string[]).join(", ")}`;
    default:
      return message ?? "is not valid";
  }
}

/** Names the field and what was expected; never repeats the value that was sent. */
export function describeInvalid(error: FastifySchemaValidationError, where: string): string {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "required") {
    const missing = String(error.params["missingProperty"]);
    return `Missing required field: ${path === "" ? missing : `${path}.${missing}`}`;
  }
  if (path === "") return `The ${where} ${expectationOf(error).replace("an object", "a JSON object")}`;
  return `${path} ${expectationOf(error)}`;
}
