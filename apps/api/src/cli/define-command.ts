import { type Command, InvalidArgumentError } from "commander";

/** What every command takes. */
export type JsonOption = { json?: true };

const programWords = "npm run -s assay --";

/** A command that does something: with `--json`, and with an example under its help. */
export function defineCommand(parent: Command, about: { name: string; summary: string; example: string }): Command {
  return parent
    .command(about.name)
    .description(about.summary)
    .option("--json", "print one JSON document and nothing else")
    .addHelpText("after", `\nExample:\n  ${programWords} ${about.example}`);
}

/** A command that only holds others. */
export function defineFamily(parent: Command, about: { name: string; summary: string }): Command {
  return parent.command(about.name).description(about.summary);
}

/** For an option's value; commander says which option it was. */
export function wholeNumber(bounds: { from: number; to: number }): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= bounds.from && value <= bounds.to) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${bounds.from} to ${bounds.to}.`);
  };
}
