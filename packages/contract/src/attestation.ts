/**
 * Attested sessions: what pages say to the service itself, `POST /c/v1/start` and `POST /c/v1/beat`. Any page may call
 * them, without a key; a site says which origins may read the answers.
 */
import Type, { type Static } from "typebox";
import type { MeasuredSignals } from "./measured-session.ts";

/** The next beat is due after a random time from one of these ranges: the first, the second, and every later one. */
export const nextMsRanges = [
  [3_000, 6_000],
  [8_000, 12_000],
  [20_000, 30_000],
] as const;
/** A session is attested from its first beat on that came at least this long after its start. */
export const attestedFromMs = 3_000;
/** Attested time exceeds what passed on the service's clock by at most this much in all: clocks of browsers are not exact. */
export const clockToleranceMs = 1_000;
/** A beat that comes this much later than it was due is late. */
export const lateAfterMs = 45_000;
/** What a late beat is credited at most. */
export const lateCreditMsMax = 30_000;
/** A token expires this long after its last beat. */
export const tokenLifeMs = 30 * 60_000;
/** A session ends this long after its start. */
export const sessionLifeMs = 24 * 3_600_000;
/** Sessions that may begin in one network before the next ones are crowded. The network is an IPv4 /24 or an IPv6 /48. */
export const networkQuota = { perMinute: 20, perHour: 120 } as const;
/** The same for one site, not counting sessions that are crowded because of their network. */
export const siteQuota = { perMinute: 2_000, perHour: 60_000 } as const;
/** Longer than any token. */
export const tokenLengthMax = 512;

export const siteIdPattern = "^site_[0-9A-Za-z]{20}$";

/** The signals that a page measures. Whether a visitor returns is always the developer's word. */
export const attestedSignals = ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"] as const satisfies readonly (keyof MeasuredSignals)[];
export type AttestedSignal = (typeof attestedSignals)[number];

export const attestations = ["server_timed", "asserted"] as const;
export type Attestation = (typeof attestations)[number];

/** What a scoring call says about its token. `late_beats`, `proxied` and `origin_mismatch` leave it attested. */
export const attestationIssues = ["crowded_network", "late_beats", "proxied", "origin_mismatch", "too_short", "token_expired", "token_used"] as const;
export type AttestationIssue = (typeof attestationIssues)[number];

export const StartRequest = Type.Object(
  { site: Type.String({ pattern: siteIdPattern, description: "The site's id, from the dashboard. It is public." }) },
  { title: "StartRequest", examples: [{ site: "site_4fKq2ZpX8mNwR7bTcY1s" }] },
);
export type StartRequest = Static<typeof StartRequest>;

const delta = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e12, description }));

export const BeatRequest = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: tokenLengthMax, description: "The newest token of the session." }),
    d: Type.Object(
      {
        view_ms: delta("Time in view."),
        active_ms: delta("The part of it with activity."),
        clicks: delta("Clicks and taps."),
        keys: delta("Groups of key presses."),
        pages: delta("Pages opened."),
        scroll: Type.Optional(
          Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
            description: "Furthest scroll position so far, 0 to 1. Null or absent if nothing could be scrolled.",
          }),
        ),
      },
      { description: "What was measured since the beat that returned the token. What is absent is 0." },
    ),
  },
  {
    title: "BeatRequest",
    examples: [{ token: "at1.20470.u3m…", d: { view_ms: 4_210, active_ms: 4_210, clicks: 1, keys: 0, pages: 1, scroll: 0.31 } }],
  },
);
export type BeatRequest = Static<typeof BeatRequest>;

export const BeatReply = Type.Object(
  {
    token: Type.String({ description: "Sealed state of the session. Send it with the next beat, or to your server." }),
    next_ms: Type.Integer({ description: "When the next beat is due, in milliseconds from now." }),
  },
  {
    $id: "Beat",
    title: "Beat",
    description: "The session so far.",
    examples: [{ token: "at1.20470.u3m…", next_ms: 4_820 }],
  },
);
export type BeatReply = Static<typeof BeatReply>;
