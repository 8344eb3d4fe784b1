import type { Mutant } from "./mutant.ts";

const behindProxy = "apps/api/test/behind-a-proxy.test.ts";
const lastOperator = "apps/api/src/people/last-operator.test.ts";

export const gatesMutants: readonly Mutant[] = [
  {
    name: "a public PUBLIC_URL does not close what is for loopback",
    file: "apps/api/src/http/is-loopback.ts",
    from: "return installation.isLocal && loopbackPeers.has(peer)",
    to: "return loopbackPeers.has(peer)",
    killedBy: [behindProxy, "a bare proxy, with PUBLIC_URL set: a stranger gets no mailbox, metrics or instant tier [threat: local-only-page]"],
  },
  {
    name: "every request to an installation on loopback raises its own tier",
    file: "apps/api/src/console/developer/request-tier.ts",
    from: 'return isLoopback(request, context) ? "instant" : "review";',
    to: 'return "instant";',
    killedBy: [behindProxy, "the systemd unit and nginx of deploy/, with PUBLIC_URL as in the example: a stranger gets no mailbox, metrics or instant tier [threat: local-only-page]"],
  },
  {
    name: "the local mailbox opens without its token",
    file: "apps/api/src/mail/mailbox.routes.ts",
    from: "if (!hasMailboxCookie(request.headers.cookie, localToken)) return",
    to: "if (localToken === \"\") return",
    killedBy: [behindProxy, "a stranger cannot read the operator's mails, and so does not become the operator [threat: local-only-page]"],
  },
  {
    name: "an emptied token opens the local mailbox",
    file: "apps/api/src/start/prepare-data-dir.ts",
    from: "if (!/^[\\w-]{43,}$/.test(token))",
    to: "if (token.length > 1_000)",
    killedBy: ["apps/api/src/mail/mailbox.test.ts", "keeps its token over a restart, and refuses to start with a damaged one"],
  },
  {
    name: "two operators end each other's access",
    file: "apps/api/src/register/accounts.table.ts",
    from: '    .orderBy("id")\n    .$if(locksRows(db), (query) => query.forNoKeyUpdate());',
    to: '    .orderBy("id");',
    killedBy: [lastOperator, "who end each other's access at the same moment on two nodes leave exactly one [threat: no-operator-left]"],
    needs: "postgres",
  },
  {
    name: "the last operator can be suspended",
    file: "apps/api/src/people/change-status.work.ts",
    from: 'if (to === "suspended" && (await isLastOperator(tx, accountId))) return "last_operator";',
    to: "void isLastOperator;",
    killedBy: [lastOperator, "cannot all go: the last active one is not demoted, suspended or closed, and the remedy is named"],
  },
  {
    name: "the last operator can close its account",
    file: "apps/api/src/people/close-account.work.ts",
    from: 'if (await isLastOperator(tx, accountId)) return "last_operator";',
    to: "void isLastOperator;",
    killedBy: [lastOperator, "cannot all go: the last active one is not demoted, suspended or closed, and the remedy is named"],
  },
  {
    name: "an operator who closes its account keeps the role until it is erased",
    file: "apps/api/src/register/accounts.table.ts",
    from: 'set({ status: "closed", operator: 0 })',
    to: 'set({ status: "closed" })',
    killedBy: [lastOperator, "lose the role at once when they close their account, also while money is left to settle"],
  },
  {
    name: "an operator without a second factor uses the console",
    file: "apps/api/src/people/require-operator.ts",
    from: 'if (await needsSecondFactor(rule, signedIn)) throw new Failure("forbidden", secondFactorText);',
    to: "void secondFactorText;",
    killedBy: ["apps/api/src/people/require-operator.test.ts", "gets no console without one, is told the remedy, and keeps its own account [threat: operator-without-factor]"],
  },
  {
    name: "a second factor that was never verified opens the console",
    file: "apps/api/src/people/sign-ins.table.ts",
    from: '.where("f.verified", "=", 1)',
    to: "",
    killedBy: ["apps/api/src/people/require-operator.test.ts", "gets no console without one, is told the remedy, and keeps its own account [threat: operator-without-factor]"],
  },
  {
    name: "an image pays like a click",
    file: "apps/api/src/ads/clicks/track.route.ts",
    from: 'return isNavigation(headers) ? "person" : "not_a_navigation";',
    to: 'return isNavigation({}) || isNavigation(headers) ? "person" : "not_a_navigation";',
    killedBy: [
      "apps/api/src/ads/clicks/track.test.ts",
      "loaded as an image, frame, script or fetch redirect without paying, with that reason, and leave the click to the person [threat: fake-click]",
    ],
  },
  {
    name: "a frame pays like a click",
    file: "apps/api/src/ads/clicks/track.route.ts",
    from: '(destination === undefined || destination === "document") && ',
    to: "(destination === undefined || destination !== \"\") && ",
    killedBy: [
      "apps/api/src/ads/clicks/track.test.ts",
      "loaded as an image, frame, script or fetch redirect without paying, with that reason, and leave the click to the person [threat: fake-click]",
    ],
  },
  {
    name: "one account ties up a whole campaign",
    file: "apps/api/src/ads/auction/may-serve.ts",
    from: "const accountShareMax = 0.1;",
    to: "const accountShareMax = 100;",
    killedBy: [
      "apps/api/src/ads/serving/request-ad.test.ts",
      "cannot starve a campaign: an account that never clicks gets no more, and the others still do [threat: starved-campaign]",
    ],
  },
  {
    name: "each node lets an account tie up a tenth",
    file: "apps/api/src/ads/serving/share-live-offers.ts",
    from: "liveOffers.setNodes(1 + rows",
    to: "liveOffers.setNodes(1 + 0 * rows",
    killedBy: ["apps/api/src/ads/serving/share-live-offers.test.ts", "are known to every node and counted once"],
  },
];
