// Which file may import which. `npm run check` fails on any breach, and when no file was read at all.
const SOURCE = "^apps/api/src/";
const TESTS = "(\\.test\\.ts$|/testing/|/fixtures/)";

/** The rooms of the service and, besides themselves, the rooms they may look into. */
const rooms = {
  campaigns: ["auction", "accounts", "billing", "store", "http"],
  ads: ["campaigns", "auction", "scoring", "billing", "store", "http"],
  // Takes numbers and gives decisions: time, chance and what has been spent are arguments.
  auction: [],
  scoring: ["billing", "store", "http"],
  sessions: ["scoring", "billing", "store", "http"],
  traffic: ["scoring", "billing", "store", "http"],
  // What signed-in developers see of all the others.
  dashboard: ["accounts", "billing", "keys", "limits", "scoring", "sessions", "traffic", "store", "http"],
  demo: ["accounts", "billing", "keys", "scoring", "sessions", "store", "http"],
  settlement: ["billing", "store", "http"],
  payouts: ["billing", "store", "http"],
  // Mails of months that are over.
  statements: ["billing", "mail", "store", "http"],
  billing: ["store", "http"],
  accounts: ["billing", "keys", "mail", "store", "http"],
  mail: ["store", "http"],
  keys: ["store", "http"],
  pages: ["http"],
  limits: ["store", "http"],
  backup: ["billing", "store"],
  moving: ["backup", "billing", "store"],
  store: [],
  http: ["store"],
};
/** These see everything: they put the rooms together, or watch over all of them. */
const overseers = ["operations", "operator", "cli"];

const roomRules = Object.entries(rooms).map(([room, seen]) => ({
  name: `room-${room}`,
  comment: `${room}/ may import from ${["itself", ...seen].join(", ")} only; settings reach it as arguments.`,
  severity: "error",
  from: { path: `${SOURCE}${room}/`, pathNot: TESTS },
  to: { path: SOURCE, pathNot: [`${SOURCE}(${[room, ...seen].join("|")})/`, `${SOURCE}config\\.ts$`] },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: "unknown-room",
      comment: "A new folder under apps/api/src needs a line in the table of rooms: say what it may look into.",
      severity: "error",
      from: { path: `${SOURCE}[^/]+/`, pathNot: [`${SOURCE}(${[...Object.keys(rooms), ...overseers].join("|")})/`, TESTS] },
      to: {},
    },
    {
      name: "settings-as-arguments",
      comment: "Rooms may know the shape of the settings, never read them: import config.ts as a type.",
      severity: "error",
      from: { path: `${SOURCE}(${Object.keys(rooms).join("|")})/`, pathNot: TESTS },
      to: { path: `${SOURCE}config\\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-circle",
      comment: "Files that import each other in a circle cannot be understood, tested or loaded one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "sql-in-tables",
      comment: "Kysely belongs to store/ and to the *.table.ts files, so that all SQL can be printed and reviewed.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: [`${SOURCE}store/`, "\\.table\\.ts$", TESTS] },
      to: { path: "(^|/)node_modules/kysely/" },
    },
    {
      name: "scoring-is-pure",
      comment: "The model takes numbers and gives numbers: no package, no Node module, no other folder.",
      severity: "error",
      from: { path: "^packages/scoring/", pathNot: TESTS },
      to: { pathNot: "^packages/scoring/" },
    },
    {
      name: "contract-is-shared",
      comment: "Servers and browsers share the contract, so it may import TypeBox and the model's types only.",
      severity: "error",
      from: { path: "^packages/contract/", pathNot: TESTS },
      to: { pathNot: ["^packages/(contract|scoring)/", "(^|/)node_modules/typebox/"] },
    },
    {
      name: "packages-stand-alone",
      comment: "Packages are used by apps, never the other way round. Their tests may start the real service.",
      severity: "error",
      from: { path: "^packages/", pathNot: TESTS },
      to: { path: "^(apps|scripts|bench|training)/" },
    },
    {
      name: "tests-are-leaves",
      comment: "Importing a test file runs its tests: move what is shared into a file of its own.",
      severity: "error",
      from: {},
      to: { path: "\\.test\\.ts$" },
    },
    {
      name: "testing-is-for-tests",
      comment: "What starts servers for tests must not be reachable from the service.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: TESTS },
      to: { path: "/testing/" },
    },
    {
      name: "resolvable",
      comment: "An import that cannot be found escapes every other rule.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // What was built is not what was written.
    exclude: { path: "(^|/)dist/" },
    // Also imports of types: they are dependencies of the reader, if not of the runtime.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types", "default"],
    },
  },
};
