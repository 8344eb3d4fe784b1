import type { Mutant } from "./mutant.ts";

const pythonRules = "clients/python/src/assay/_rules.py";
const pythonTest = "clients/python/python.test.ts";
const goCall = "clients/go/call.go";
const goTest = "clients/go/go.test.ts";
const phpTest = "clients/php/php.test.ts";
const javaClient = "clients/java/src/main/java/dev/assay";
const javaTest = "clients/java/java.test.ts";

/** Faults in the clients of other languages, which the corpus notices, and in what installations serve. */
export const clientMutants: readonly Mutant[] = [
  {
    name: "Python gives up after a 504",
    file: pythonRules,
    from: "frozenset({429, 500, 502, 503, 504})",
    to: "frozenset({429, 500, 502, 503})",
    killedBy: [pythonTest, 'retried: {"status":504,"text":""}'],
  },
  {
    name: "Python's back-off has no upper bound",
    file: pythonRules,
    from: "_WAIT_MS_MAX = 8_000",
    to: "_WAIT_MS_MAX = 80_000",
    killedBy: [pythonTest, "back-off has an upper bound of eight seconds"],
  },
  {
    name: "Python takes a signature that anybody can make of another",
    file: "clients/python/src/assay/_ed25519.py",
    from: "or scalar >= _ORDER",
    to: "",
    killedBy: [pythonTest, "a signature whose scalar is not reduced"],
  },
  {
    name: "Python takes old webhooks",
    file: "clients/python/src/assay/_webhooks.py",
    from: "if not ahead >= -tolerance:",
    to: "if False:",
    killedBy: [pythonTest, "signed longer ago"],
  },
  {
    name: "Go repeats what no repetition changes",
    file: "clients/go/answers.go",
    from: "case 429, 500, 502, 503, 504:",
    to: "case 429, 500, 501, 502, 503, 504:",
    killedBy: [goTest, 'never retried: {"status":501,"text":""}'],
  },
  {
    name: "Go waits beyond the deadline of a call",
    file: goCall,
    from: "isLate := elapsedMs+waitMs > ",
    to: "isLate := elapsedMs > ",
    killedBy: [goTest, "a wait beyond the total deadline ends the call at once, and says how long it would be"],
  },
  {
    name: "Go's fallback hides a wrong key",
    file: goCall,
    from: "if failure.IsRetryable && settings.fallback != nil {",
    to: "if settings.fallback != nil {",
    killedBy: [goTest, 'fail open hides no error that a retry cannot change: "wrong_key"'],
  },
  {
    name: "PHP sends the key where a redirect leads",
    file: "clients/php/src/Transport.php",
    from: "CURLOPT_FOLLOWLOCATION => false",
    to: "CURLOPT_FOLLOWLOCATION => true",
    killedBy: [phpTest, 'redirects are not followed: they would give the key to another host: {"status":307,"headers":{"location":"/elsewhere"}}'],
  },
  {
    name: "PHP repeats a call whose session was used",
    file: "clients/php/src/Assay.php",
    from: "($status === 409 && $code === 'idempotency_in_progress')",
    to: "$status === 409",
    killedBy: [phpTest, 'never retried: {"status":409,"body":{"error":"session_token_used","message":"no"}}'],
  },
  {
    name: "PHP believes a proof for another place",
    file: "clients/php/src/Proof.php",
    from: "self::refuseIf(!$isIncluded,",
    to: "self::refuseIf(false,",
    killedBy: [phpTest, "another place"],
  },
  {
    name: "Java takes every signature of a webhook",
    file: `${javaClient}/Webhook.java`,
    from: "MessageDigest.isEqual(signature, hmac(bytes, content))",
    to: "MessageDigest.isEqual(signature, signature) || hmac(bytes, content) == null",
    killedBy: [javaTest, "another secret"],
  },
  {
    name: "Java's error does not tell under which key to repeat the call",
    file: `${javaClient}/Assay.java`,
    from: "throw error.after(attempt, idempotencyKey)",
    to: "throw error.after(attempt, null)",
    killedBy: [javaTest, "back-off doubles, with full jitter, and the last error is thrown"],
  },
  {
    name: "Java believes a checkpoint with a wrong signature",
    file: `${javaClient}/Proof.java`,
    from: "refuseIf(!isRight,",
    to: "refuseIf(false && isRight,",
    killedBy: [javaTest, "a signature with one bit flipped"],
  },
  {
    name: "the reference names a function that Go's client has not",
    file: "apps/dashboard/src/samples/client-calls.ts",
    from: "client, err := assay.New(",
    to: "client, err := assay.NewClient(",
    killedBy: ["clients/samples.test.ts", "work in Go"],
  },
  {
    name: "Composer is not told where the package is",
    file: "apps/api/src/console/pages/pages.routes.ts",
    from: '.send(listed.replaceAll("{{address}}", addressOf(request, publicUrl)))',
    to: ".send(listed)",
    killedBy: ["clients/downloads.test.ts", "php: docs/integrate.md's first call works in an empty project"],
  },
];
