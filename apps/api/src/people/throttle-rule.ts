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

/** Without a zone; an IPv4 address as such. */
const plainOf = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");

/** Attempts are counted per IPv4 address, or per IPv6 /64: a provider gives one customer a whole /64. */
export function networkOf(ip: string): string {
  const plain = plainOf(ip);
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...gap, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** The /48 of what `networkOf` returns: some providers give one customer 65,536 networks. Undefined for IPv4. */
export function siteOf(network: string): string | undefined {
  const groups = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network)?.[1];
  return groups && `${groups}::/48`;
}

/** Who waits together: an IPv6 /48, or an IPv4 /24, of which a farm has many addresses. */
export const lineOf = (ip: string): string => siteOf(networkOf(ip)) ?? plainOf(ip).replace(/\.\d+$/, ".0/24");
