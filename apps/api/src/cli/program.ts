import { Command } from "commander";
import { readVersion } from "../operations/read-version.ts";
import { addAccountCommands } from "./account.ts";
import { addBackupCommand } from "./backup.ts";
import { addCampaignCommands } from "./campaign.ts";
import { addCorrectionCommands } from "./correct.ts";
import { addDemoCommand } from "./demo.ts";
import { addExportCommand } from "./export.ts";
import { addFindingCommands } from "./finding.ts";
import { addFundCommand } from "./fund.ts";
import { addHoldCommand } from "./hold.ts";
import { addImportCommand } from "./import.ts";
import { addKeyCommands } from "./key.ts";
import { addLedgerCommands } from "./ledger.ts";
import { addLogCommands } from "./log.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addModelCommands } from "./model.ts";
import { addPayoutCommands } from "./payout.ts";
import { addReverseCommand } from "./reverse.ts";
import { addRestoreCommand } from "./restore.ts";
import { addReviewCommands } from "./review.ts";
import { addWaitingCommands } from "./waiting.ts";
import { addScoreCommand } from "./score.ts";
import { addSecretKeyCommands } from "./secret-key.ts";
import { addServeCommand } from "./serve.ts";
import { addSiteCommands } from "./site.ts";
import { addStatementCommand } from "./statement.ts";
import { addTierCommands } from "./tier.ts";
import { addTrackingKeyCommands } from "./tracking-key.ts";
import { addWebhookCommands } from "./webhook.ts";

/** All commands, without the families that group them. */
export const commandsUnder = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(commandsUnder);

/** The words after the program's name. */
export const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const afterHelp = `
Example:
  npm run -s assay -- account create --help   a command's options, with an example
  npm run -s assay -- ledger verify --json    one JSON document for programs, and an exit code

Guides: docs/README.md`;

export function buildProgram(): Command {
  const program = new Command("assay")
    .description("Runs and inspects an Assay installation. It reads the same settings as the service.")
    .version(readVersion(), "--version", "the version of this installation")
    .helpCommand(false)
    .configureHelp({
      // Families are listed by their commands, so that one page has all of them.
      visibleCommands: (command) => command.commands.flatMap(commandsUnder),
      subcommandTerm: pathOf,
    });
  addServeCommand(program);
  addMigrateCommand(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addSiteCommands(program);
  addTierCommands(program);
  addCampaignCommands(program);
  addScoreCommand(program);
  addModelCommands(program);
  addStatementCommand(program);
  addLedgerCommands(program);
  addLogCommands(program);
  addFundCommand(program);
  addCorrectionCommands(program);
  addPayoutCommands(program);
  addHoldCommand(program);
  addFindingCommands(program);
  addReviewCommands(program);
  addWaitingCommands(program);
  addReverseCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addExportCommand(program);
  addImportCommand(program);
  addDemoCommand(program);
  addWebhookCommands(program);
  addTrackingKeyCommands(program);
  addSecretKeyCommands(program);
  return program.addHelpText("after", afterHelp);
}
