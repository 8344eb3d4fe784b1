import { type Command, InvalidArgumentError } from "commander";

/** Every command takes it. */
export type JsonOption = { json?: true };

/** A command with `--json` and with an example in its help. */
export function defineCommand(parent: Command, command: { name: string; summary: string; example: string }): Command {
  return parent
    .command(command.name)
    .description(command.summary)
    .option("--json", "print one JSON document and nothing else")
    .addHelpText("after", `\nExample:\n  npm run -s assay -- ${command.example}`);
}

/** A command that only groups others. */
export function defineFamily(parent: Command, family: { name: string; summary: string }): Command {
  return parent.command(family.name).description(family.summary);
}

/** Parses an option's value; commander adds the option's name to the error. */
export function wholeNumber(bounds: { from: number; to: number }): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= bounds.from && value <= bounds.to) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${bounds.from} to ${bounds.to}.`);
  };
}
