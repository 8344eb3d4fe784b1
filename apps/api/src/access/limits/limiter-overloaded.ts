type LimiterOverloaded = Error & { code: "overloaded" };

/** More calls wait for a verdict than the limiter may hold: neither allowed nor over the limit. */
export function limiterOverloaded(): LimiterOverloaded {
  return Object.assign(new Error("too many calls wait for the rate limiter"), { code: "overloaded" as const });
}
