import type { Mutant } from "./mutant.ts";

const credit = "apps/api/src/attestation/tokens/credit-beat.ts";
const creditTest = "apps/api/src/attestation/tokens/credit-beat.test.ts";
const neverMore = "is never more than passed on the service's clock and a second, over the session and every part of it [threat: forged-time]";
const bounded = "keeps activity within the time in view, counts within what people can do, and totals from falling [threat: forged-time]";
const tokens = "apps/api/src/attestation/tokens/session-tokens.ts";
const tokensTest = "apps/api/src/attestation/tokens/session-tokens.test.ts";
const judge = "apps/api/src/scoring/judge-token.ts";
const calls = "apps/api/test/attestation/attested-calls.test.ts";
const tags = "apps/api/src/attestation/networks/network-tags.ts";
const tagsTest = "apps/api/src/attestation/networks/network-tags.test.ts";
const crowds = "apps/api/src/attestation/networks/crowds.ts";
const crowdsTest = "apps/api/src/attestation/networks/crowds.test.ts";
const routesTest = "apps/api/src/attestation/attestation.routes.test.ts";
const beat = "apps/api/src/attestation/answer-beat.ts";
const proxied = "apps/api/src/http/is-proxied.ts";
const proxiedTest = "apps/api/src/http/is-proxied.test.ts";

export const attestationPrivacyMutants: readonly Mutant[] = [
  {
    name: "the forgiven second is forgiven with every beat",
    file: credit,
    from: "slackMs: Math.min(clockToleranceMs, state.slackMs + passedMs - creditMs),",
    to: "slackMs: clockToleranceMs,",
    killedBy: [creditTest, neverMore],
  },
  {
    name: "time that was not used is saved up for later",
    file: credit,
    from: "slackMs: Math.min(clockToleranceMs, state.slackMs + passedMs - creditMs),",
    to: "slackMs: Math.min(60_000, state.slackMs + passedMs - creditMs),",
    killedBy: [creditTest, neverMore],
  },
  {
    name: "a clock that is set back lets time be credited twice",
    file: credit,
    from: "const atMs = Math.max(nowMs, state.lastMs);",
    to: "const atMs = nowMs;",
    killedBy: [creditTest, "is nothing while the service's clock, having been set back, has not caught up [threat: forged-time]"],
  },
  {
    name: "a page that sleeps for an hour is credited the hour",
    file: credit,
    from: "const isLate = passedMs > state.nextMs + lateAfterMs;",
    to: "const isLate = false;",
    killedBy: [creditTest, "of a late beat is at most 30 seconds, and says so if that cut it [threat: forged-time]"],
  },
  {
    name: "active time exceeds the time in view",
    file: credit,
    from: "activeMs: Math.min(viewMs, state.activeMs + whole(delta.active_ms)),",
    to: "activeMs: Math.min(countMax, state.activeMs + whole(delta.active_ms)),",
    killedBy: [creditTest, bounded],
  },
  {
    name: "a page may report any number of pages",
    file: credit,
    from: "Math.floor(lastingSeconds * pagesPerSecondMax) + 1",
    to: "countMax",
    killedBy: [creditTest, bounded],
  },
  {
    name: "a token has several spellings",
    file: tokens,
    from: 'if (bytes.toString("base64url") !== parts[2]) return { kind: "invalid" };',
    to: "",
    killedBy: [tokensTest, "has one spelling: other base64 of the same bytes is invalid [threat: forged-token]"],
  },
  {
    name: "a stolen key of the day before yesterday seals sessions of today",
    file: tokens,
    from: "state && dayOf(state.lastMs) === day",
    to: "state",
    killedBy: [tokensTest, "that somebody seals with a stolen key of one day is of that day, and expires with it [threat: stolen-day-key]"],
  },
  {
    name: "nonces come again after a block of them",
    file: tokens,
    from: "      randomFillSync(block);\n",
    to: "      if (block.every((byte) => byte === 0)) randomFillSync(block);\n",
    killedBy: [tokensTest, "never has another one's nonce, over many blocks of them [threat: forged-token]"],
  },
  {
    name: "another account's token attests",
    file: judge,
    from: "if (session.accountId !== accountId)",
    to: "if (session.accountId === undefined)",
    killedBy: [calls, "is refused with another account's token, whatever else is sent, and uses nothing of it [threat: stolen-token]"],
  },
  {
    name: "what the caller says replaces what was measured",
    file: judge,
    from: "signals: { ...asserted, ...measured }",
    to: "signals: { ...measured, ...asserted }",
    killedBy: [calls, "scores what was measured, whatever the caller says, and only what is missing from it is the caller's"],
  },
  {
    name: "sessions of a crowded network are attested",
    file: judge,
    from: 'if (session.issues.has("crowded_network")) return judgeUncounted(session, asserted, [...session.issues]);',
    to: "",
    killedBy: [calls, "of a crowded network: is billed if and only if it is answered, and says what was attested"],
  },
  {
    name: "a session is attested as soon as it has begun",
    file: judge,
    from: "session.lastMs - session.startedMs < attestedFromMs",
    to: "session.beats === 0",
    killedBy: [calls, "takes exactly three seconds to be attested"],
  },
  {
    name: "a retry's token is compared by its text",
    file: "apps/api/src/scoring/answer-sessions.ts",
    from: "inputOf(asserted, session?.id ?? token)",
    to: "inputOf(asserted, token)",
    killedBy: [calls, "gets it again with any copy of the session's token, and a conflict with another session's [threat: replayed-token]"],
  },
  {
    name: "midnight gives a network a new window",
    file: crowds,
    from: "const quota = before ? lessThan(networkQuota, before) : networkQuota;",
    to: "const quota = networkQuota;",
    killedBy: [crowdsTest, "are counted over midnight: what was used before it is used after it [threat: crowded-network]"],
  },
  {
    name: "one network can fill the window of a site",
    file: crowds,
    from: "return !allowed || !(await limiter.consume(`site:${siteId}`, siteQuota)).allowed;",
    to: "return !(await limiter.consume(`site:${siteId}`, siteQuota)).allowed || !allowed;",
    killedBy: [crowdsTest, "of a network use nothing of a site's window: a stranger cannot crowd a site out [threat: site-griefing]"],
  },
  {
    name: "each node has a salt of its own",
    file: tags,
    from: "[day, hmacs.get(day) ?? createHmacSha256(createSecretKey(salt, \"base64url\"), networkLength)]",
    to: "[day, hmacs.get(day) ?? createHmacSha256(createSecretKey(salt + randomBytes(3).toString(\"base64url\"), \"base64url\"), networkLength)]",
    killedBy: [tagsTest, "come from one salt a day, which all nodes share"],
  },
  {
    name: "a deleted salt stays in SQLite's write-ahead log",
    file: "apps/api/src/store/sqlite-worker.ts",
    from: "PRAGMA wal_checkpoint(TRUNCATE)",
    to: "PRAGMA wal_checkpoint(PASSIVE)",
    killedBy: [tagsTest, "cannot be computed again after two days: nothing has the salt any more, deleted space included [threat: address-disclosure]"],
  },
  {
    name: "a backup keeps the salts of networks",
    file: "apps/api/src/transfer/backup/make-backup.ts",
    from: "    dropSalts(copy);\n",
    to: "",
    killedBy: ["apps/api/src/transfer/backup/backup.test.ts", "leaves out the salts of networks, which it would outlive [threat: address-disclosure]"],
  },
  {
    name: "the log of every call has the visitor's address",
    file: "apps/api/src/app.ts",
    from: "deps.log.debug({ requestId: request.id, route, status: reply.statusCode }, \"answered\")",
    to: "deps.log.debug({ requestId: request.id, route, status: reply.statusCode, ip: request.ip }, \"answered\")",
    killedBy: ["apps/api/test/attestation/nothing-identifies.test.ts", "in SQLite's files, the data folder, logs or metrics, after a day and a midnight [threat: address-disclosure]"],
  },
  {
    name: "pages of any origin begin sessions of a site",
    file: beat,
    from: "if (site.origins.has(origin)) return issues;",
    to: "return issues;",
    killedBy: [routesTest, "refuses pages of other origins, which cannot read even that [threat: foreign-origin]"],
  },
  {
    name: "a removed site's sessions go on",
    file: "apps/api/src/attestation/sites/follow-sites.ts",
    from: "    if (deletedMs !== null) return;\n",
    to: "",
    killedBy: ["apps/api/src/attestation/sites/follow-sites.test.ts", "learn of new, changed and removed ones by themselves, whichever node changed them"],
  },
  {
    name: "a developer's proxy before the operator's is not noted",
    file: proxied,
    from: "if (named > trusted) return true;",
    to: "if (named > 0 && trusted === 0) return true;",
    killedBy: [proxiedTest, "of a developer, before the operator's, is told; its address counts, not what it claims [threat: proxy-headers]"],
  },
];
