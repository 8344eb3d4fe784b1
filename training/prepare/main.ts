import { parseArgs } from "node:util";
import { InputFault } from "./input-fault.ts";
import { prepareData } from "./prepare-data.ts";
import { readInput, writePrepared } from "./prepared-folder.ts";

const help = `Turns the public originals of the training data into the training file.

usage: npm run prepare-data -- --library FILE --shoppers FILE --out FOLDER [--partial] [--replace]

  --library FILE   simple_features.csv of Zenodo record 3477932 (Lagopoulos & Tsoumakas,
                   Web robot detection - Server logs)
  --shoppers FILE  online_shoppers_intention.csv of UCI dataset 468 (Sakar & Kastro,
                   Online Shoppers Purchasing Intention)
  --out FOLDER     where train.csv and prepared.json are written
  --partial        accept other numbers of sessions than the originals have
  --replace        overwrite a different train.csv in the folder

See training/prepare/README.md.
`;

const licences = `Both originals are published under CC BY 4.0 as far as known: check the records' pages, and name the authors
when you pass the training file on. It contains no visitor ids, addresses or agents.
`;

const { values } = parseArgs({
  options: {
    library: { type: "string" },
    shoppers: { type: "string" },
    out: { type: "string" },
    partial: { type: "boolean", default: false },
    replace: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function main(): number {
  const { library, shoppers, out } = values;
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (library === undefined || shoppers === undefined || out === undefined) {
    process.stderr.write(help);
    return 2;
  }
  try {
    const prepared = prepareData({ library: readInput(library), shoppers: readInput(shoppers) }, { isPartial: values.partial });
    const written = writePrepared(prepared, { folder: out, replace: values.replace });
    for (const { file, sessions, notices } of Object.values(prepared.sources)) {
      process.stdout.write(`${file}: ${sessions[0]} + ${sessions[1]} sessions (label 0 + 1)\n`);
      for (const notice of notices) process.stdout.write(`  note: ${notice}\n`);
    }
    for (const path of written) process.stdout.write(`wrote ${path}\n`);
    process.stdout.write(licences);
    return 0;
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    process.stderr.write(`${error.message}\nNothing was written.\n`);
    return 1;
  }
}

process.exitCode = main();
