export type Tries = {
  tries: number;
  /** Start of the window, or time of the last attempt. */
  sinceMs: number;
  blockedUntilMs: number;
};

export type ThrottleRule =
  /** At most `triesMax` attempts per window; the first attempt starts the window. */
  | { kind: "window"; triesMax: number; windowMs: number }
  /** After `freeTries`, each attempt waits twice as long as the one before, up to `waitMsMax`. */
  | { kind: "backoff"; freeTries: number; waitMs: number; waitMsMax: number; forgetMs: number };

export type ThrottleDecision = { allowed: true; next: Tries } | { allowed: false; retryAtMs: number };

function afterWindow(rule: ThrottleRule & { kind: "window" }, known: Tries | undefined, nowMs: number): Tries {
  const isOver = known === undefined || nowMs >= known.sinceMs + rule.windowMs;
  const sinceMs = isOver ? nowMs : known.sinceMs;
  const tries = isOver ? 1 : known.tries + 1;
  return { tries, sinceMs, blockedUntilMs: tries >= rule.triesMax ? sinceMs + rule.windowMs : 0 };
}

function afterBackoff(rule: ThrottleRule & { kind: "backoff" }, known: Tries | undefined, nowMs: number): Tries {
  const isForgotten = known === undefined || nowMs >= known.sinceMs + rule.forgetMs;
  const tries = isForgotten ? 1 : known.tries + 1;
  const over = tries - rule.freeTries;
  // The exponent is bounded, so a very long run of attempts does not overflow.
  const waitMs = over < 0 ? 0 : Math.min(rule.waitMs * 2 ** Math.min(over, 30), rule.waitMsMax);
  return { tries, sinceMs: nowMs, blockedUntilMs: waitMs === 0 ? 0 : nowMs + waitMs };
}

/** Whether another attempt is allowed now, and the subject's next state if so. A refusal changes nothing. */
export function decideTry(rule: ThrottleRule, known: Tries | undefined, nowMs: number): ThrottleDecision {
  if (known !== undefined && nowMs < known.blockedUntilMs) return { allowed: false, retryAtMs: known.blockedUntilMs };
  return { allowed: true, next: rule.kind === "window" ? afterWindow(rule, known, nowMs) : afterBackoff(rule, known, nowMs) };
}

/** Attempts are counted per IPv4 address, or per IPv6 /64: a provider gives one customer a whole /64. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...gap, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
