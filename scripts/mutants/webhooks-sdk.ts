import type { Mutant } from "./mutant.ts";

const verify = "packages/sdk/src/verify-webhook.ts";
const secrets = "packages/sdk/src/webhook-secrets.ts";
const verifyTest = "packages/sdk/src/verify-webhook.test.ts";
const guardTest = "packages/sdk/src/replay-guard.test.ts";

/** Faults in what receivers verify webhooks with. */
export const webhooksSdkMutants: readonly Mutant[] = [
  {
    name: "a webhook is taken when any signature is wrong but there is one",
    file: verify,
    from: "return (await Promise.all(tried)).includes(true);",
    to: "return (await Promise.all(tried)).length > 0;",
    killedBy: [verifyTest, "is refused with any byte of its body, id, time or signature changed"],
  },
  {
    name: "the id is not a part of what is signed",
    file: verify,
    from: "join(`${id}.${time}.`, body)",
    to: "join(`${time}.`, body)",
    killedBy: [verifyTest, "sign what we verify, and verify what we sign"],
  },
  {
    name: "an old webhook is taken",
    file: verify,
    from: 'if (!(aheadSeconds >= -toleranceSeconds)) throw refuse("too_old"',
    to: 'if (!(aheadSeconds >= -1e9)) throw refuse("too_old"',
    killedBy: [verifyTest, "is refused when it was signed more than the tolerance ago or ahead, and not before"],
  },
  {
    name: "a webhook of the future is taken",
    file: verify,
    from: 'if (!(aheadSeconds <= toleranceSeconds)) throw refuse("too_new"',
    to: 'if (!(aheadSeconds <= 1e9)) throw refuse("too_new"',
    killedBy: [verifyTest, "is refused when it was signed more than the tolerance ago or ahead, and not before"],
  },
  {
    name: "a public key verifies signatures that everybody can make with it",
    file: secrets,
    from: 'return kind === "whsec" ? readHmacKey(bytes) : readPublicKey(bytes);',
    to: "return readHmacKey(bytes);",
    killedBy: [verifyTest, "that were made with the public key as a secret are refused: everybody knows it"],
  },
  {
    name: "signatures of other versions count",
    file: verify,
    from: "each.version === version && each.bytes.length === signatureBytes",
    to: "each.bytes.length === signatureBytes",
    killedBy: [verifyTest, "may be several, of which one is right; those of other versions are ignored"],
  },
  {
    name: "any number of signatures is tried",
    file: verify,
    from: ".slice(0, signaturesMax)",
    to: "",
    killedBy: [verifyTest, "are considered up to the twentieth"],
  },
  {
    name: "verifying stops at the first right signature",
    file: verify,
    from: "  return (await Promise.all(tried)).includes(true);",
    to: "  for (const each of signatures) for (const one of verifiers) if (one.version === each.version && (await one.isSignatureOf(each.bytes, content))) return true;\n  return tried.length < 0;",
    killedBy: [verifyTest, "are compared by the runtime, in constant time, all of them, whichever is right"],
  },
  {
    name: "a short secret is good enough",
    file: secrets,
    from: "const hmacKeyBytesMin = 24;",
    to: "const hmacKeyBytesMin = 1;",
    killedBy: [verifyTest, "that are missing, empty, cut off or of another kind are refused, whatever was signed"],
  },
  {
    name: "whether an event is a duplicate is asked before it is known to be genuine",
    file: verify,
    from: "  const verifiers = await readSecrets(secrets);\n",
    to: '  if (await seen?.(String((headers as Record<string, unknown>)["webhook-id"]))) throw refuse("duplicate", "");\n  const verifiers = await readSecrets(secrets);\n',
    killedBy: [verifyTest, "that was handled is a duplicate; a forged one with the same id is not"],
  },
  {
    name: "an id with a full stop is taken",
    file: verify,
    from: "const idPattern = /^[!-\\-/-~]+$/;",
    to: "const idPattern = /^[!-~]+$/;",
    killedBy: [verifyTest, "needs all three headers, each once and of a bounded length"],
  },
  {
    name: "a large body is verified all the same",
    file: verify,
    from: "  if (bytes.length > bytesMax) throw tooLarge;",
    to: "",
    killedBy: [verifyTest, "is refused when it is too large, before anything is computed"],
  },
  {
    name: "the guard remembers without a bound",
    file: "packages/sdk/src/replay-guard.ts",
    from: "if (rememberedAt.size <= sizeMax) break;",
    to: "if (rememberedAt.size <= Infinity) break;",
    killedBy: [guardTest, "remembers a bounded number of ids, the newest ones"],
  },
];
