import type { Mutant } from "./mutant.ts";

const suite = "apps/api/test/faults/power-cut.fault.test.ts";
const underLoad = "has every call and click that it answered, once, after 3 power cuts [threat: lost-bill]";

export const powerMutants: readonly Mutant[] = [
  {
    name: "the embedded store never syncs",
    file: "apps/api/src/store/sqlite-worker.ts",
    from: 'database.exec("PRAGMA synchronous = FULL");',
    to: 'database.exec("PRAGMA synchronous = OFF");',
    killedBy: [suite, underLoad],
  },
  {
    name: "the embedded store syncs at checkpoints only",
    file: "apps/api/src/store/sqlite-worker.ts",
    from: 'database.exec("PRAGMA synchronous = FULL");',
    to: 'database.exec("PRAGMA synchronous = NORMAL");',
    killedBy: [suite, underLoad],
  },
  {
    name: "PostgreSQL answers before a commit is on its disk",
    file: "apps/api/src/store/primary/session-settings.ts",
    from: '{ set: "on", shown: ["on", "remote_apply"] }',
    to: '{ set: "off", shown: ["off"] }',
    killedBy: [suite, underLoad],
    needs: "postgres",
  },
  {
    name: "a first start leaves its tables to the page cache",
    file: "apps/api/src/store/migrate.ts",
    from: 'database.exec("PRAGMA synchronous = FULL");',
    to: 'database.exec("PRAGMA synchronous = OFF");',
    killedBy: [suite, "has its secret, its first sign-ins and its keys"],
  },
  {
    name: "the content of the installation's secret is not synced",
    file: "apps/api/src/start/prepare-data-dir.ts",
    from: "{ mode: 0o600, flush: true }",
    to: "{ mode: 0o600, flush: false }",
    killedBy: [suite, "is there if it is the installation's secret"],
  },
  {
    name: "the name of the installation's secret is not synced",
    file: "apps/api/src/start/prepare-data-dir.ts",
    from: "      syncToDisk(dataDir);\n",
    to: "",
    killedBy: [suite, "is there if it is the installation's secret"],
  },
  {
    name: "a mail is marked as sent before its content is on the disk",
    file: "apps/api/src/mail/deliver-mail.ts",
    from: "{ mode: 0o600, flush: true }",
    to: "{ mode: 0o600 }",
    killedBy: [suite, "is there if it is a mail that counts as sent"],
  },
  {
    name: "a mail is marked as sent before its name is on the disk",
    file: "apps/api/src/mail/deliver-mail.ts",
    from: "    await syncNames(folder);\n",
    to: "",
    killedBy: [suite, "is there if it is a mail that counts as sent"],
  },
  {
    name: "the folder of the first mail is not synced",
    file: "apps/api/src/mail/deliver-mail.ts",
    from: "    if (made !== undefined) await syncNames(settings.dataDir);\n",
    to: "",
    killedBy: [suite, "is there if it is a mail that counts as sent"],
  },
];
