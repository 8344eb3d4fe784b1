// Which file may import which. `npm run check` fails on a violation, on a permission that nothing uses, on a cycle
// between rooms, and when no module was read at all.
const { wings, lowestRooms, upward } = require("./scripts/wings.json");

const source = "^apps/api/src/";
const testFiles = "(\\.test\\.ts$|/testing/|^apps/api/test/|/e2e/)";

/** What the wing may import of a higher one: at most one file in all, with its reason. */
const upwardOf = (wing) => upward.filter(({ from }) => wing.split("|").includes(from.split("/")[0])).map(({ to }) => `${source}${to}$`);

const wingRules = Object.entries(wings).map(([wing, seen]) => ({
  name: `wing-${wing}`,
  comment: `${wing}/ may import from ${["itself", ...seen].join(", ")} only; settings reach it as arguments.`,
  severity: "error",
  from: { path: `${source}(${wing})/`, pathNot: testFiles },
  to: { path: source, pathNot: [`${source}(${[wing, ...seen].join("|")})/`, ...upwardOf(wing)] },
}));

module.exports = {
  forbidden: [
    ...wingRules,
    {
      name: "lowest-rooms",
      comment: "The ground floor of a wing does not look into the rooms above it.",
      severity: "error",
      from: { path: `${source}(${lowestRooms.join("|")})/`, pathNot: testFiles },
      to: { path: `${source}(ads|money)/`, pathNot: `${source}($1/|money/[^/]+$)` },
    },
    {
      name: "no-circle",
      comment: "Files that import each other in a circle cannot be understood, tested or loaded one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "reports-decide-nothing",
      comment: "A replica may be seconds behind: what decides on money, keys, limits or people must not read from it.",
      severity: "error",
      from: {
        path: `${source}(money|people|register|secrets|webhooks|mail|attestation|lane|transfer|access|ads/(auction|campaigns|clicks|conversions|serving)|console/operator)/`,
        pathNot: [`${source}money/statements/(report-usage|usage\\.routes)\\.ts$`, testFiles],
      },
      to: { path: [`${source}store/reports/`, `${source}http/answer-report\\.ts$`] },
    },
    {
      name: "sql-in-tables",
      comment: "Kysely belongs to store/ and to the *.table.ts files, so that all SQL can be printed and reviewed.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: [`${source}store/`, "\\.table\\.ts$", testFiles] },
      to: { path: "(^|/)node_modules/kysely/" },
    },
    {
      name: "pure-packages",
      comment: "The model and the log's formats import nothing; the contract imports TypeBox and the model's types, because browsers load it too.",
      severity: "error",
      from: { path: "^packages/(scoring|contract|tlog)/", pathNot: testFiles },
      to: { pathNot: ["^packages/($1|scoring)/", "(^|/)node_modules/typebox/"] },
    },
    {
      name: "packages-stand-alone",
      comment: "Apps use packages, never the other way round. A package's tests may start the real service.",
      severity: "error",
      from: { path: "^packages/", pathNot: testFiles },
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
      name: "helpers-are-for-tests",
      comment: "What starts servers for tests must not be reachable from the service.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: testFiles },
      to: { path: "(/testing/|^apps/api/test/)" },
    },
    {
      name: "resolvable",
      comment: "An import that cannot be found escapes every other rule. React Native is installed by nobody here, and an adapter runs where its client is installed.",
      severity: "error",
      from: { pathNot: "^clients/[a-z]+/adapter\\.mjs$" },
      to: { couldNotResolve: true, pathNot: "^react-native$" },
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
