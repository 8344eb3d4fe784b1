import type { Mutant } from "./mutant.ts";

const preHijacking = "apps/api/src/people/pre-hijacking.test.ts";
const afterReset = "is the owner's after a password reset, with nothing of what was set up before [threat: pre-hijacked-account]";
const resealing = "apps/api/src/operations/reseal-secrets.test.ts";

export const authMutants: readonly Mutant[] = [
  {
    name: "a sealed row can be moved to another account",
    file: "apps/api/src/secrets/sealer.ts",
    from: "nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));",
    to: "nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(purpose)); context = purpose;",
    killedBy: ["apps/api/src/secrets/sealer.test.ts", "opens what it sealed, for the same purpose and the same owner only"],
  },
  {
    name: "sessions are stored as they are",
    file: "apps/api/src/people/sessions.ts",
    from: "storedTokenPrefix + hashToken(token)",
    to: "storedTokenPrefix + token; void hashToken",
    killedBy: ["apps/api/src/people/sign-in.test.ts", "stores a hash of the session's token, with which nobody signs in, and never sends the token in a body [threat: stolen-cookie]"],
  },
  {
    name: "an old cookie counts without its signature",
    file: "apps/api/src/people/version-0-1.ts",
    from: "given.length === expected.length && timingSafeEqual(given, expected)",
    to: "given.length === expected.length || timingSafeEqual(expected, expected)",
    killedBy: ["apps/api/src/people/version-0-1.test.ts", "a session cookie is accepted with its signature only, and gives a token that the store does not reveal"],
  },
  {
    name: "what version 0.1 encrypted is replaced while its nodes run",
    file: "apps/api/src/people/reseal-accounts.ts",
    from: 'if (!mayReplaceOld && (isOldText(secret) || isOldText(recovery_codes))) return "lost";',
    to: "void isOldText;",
    killedBy: [resealing, "leaves the forms of version 0.1 alone while its nodes may still run, says so, and replaces them after that"],
  },
  {
    name: "two nodes re-encrypt the same row",
    file: "apps/api/src/people/second-factors.table.ts",
    from: '    .where("secret", "=", factor.before.secret)\n    .where("recovery_codes", "=", factor.before.recovery_codes)',
    to: "",
    killedBy: [resealing, "by two nodes at once changes each row once, and by one that has to stop counts the rest as left"],
  },
  {
    name: "an unreadable second factor is no reason to refuse",
    file: "apps/api/src/people/second-factor.ts",
    from: "if (secret === undefined || codes === undefined) throw unreadableFactor(accountId);",
    to: "if (secret === undefined || codes === undefined) return void unreadableFactor(accountId);",
    killedBy: [
      "apps/api/test/lost-second-factor.test.ts",
      "because its secret was replaced, gives a message with the remedy, and an operator can remove it [threat: locked-out-operator]",
    ],
  },
  {
    name: "the second factor that a stranger set up stays",
    file: "apps/api/src/people/claim-address.work.ts",
    from: "    deleteSecondFactor(db, accountId),\n",
    to: "",
    killedBy: [preHijacking, afterReset],
  },
  {
    name: "the payee that a stranger entered stays",
    file: "apps/api/src/people/claim-address.work.ts",
    from: "    deletePayeeProfile(db, accountId),\n",
    to: "",
    killedBy: [preHijacking, afterReset],
  },
  {
    name: "throttles forget when SECRET_KEY is replaced",
    file: "apps/api/src/people/throttle.ts",
    from: 'return (knownKey = key === "unreadable" ? makeFirst() : key);',
    to: 'return (knownKey = key === "unreadable" ? makeFirst() : makeFirst());',
    killedBy: ["apps/api/src/people/throttle.test.ts", "goes on counting when SECRET_KEY is replaced, and forgets when the old one is lost"],
  },
];
