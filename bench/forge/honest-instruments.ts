/** How honest sites measure: none of these is worse than what is met in practice. */
import { roundTo, type Visit } from "./visit.ts";

export type Instrument = (visit: Visit) => Visit;

const withShares = (visit: Visit, decimals: number): Visit => ({
  ...visit,
  user_engagement: roundTo(visit.user_engagement!, decimals),
  scroll_depth: visit.scroll_depth === null ? null : roundTo(visit.scroll_depth, decimals),
});

const withDuration = (visit: Visit, session_duration: number): Visit => ({ ...visit, session_duration });

/** As our collector sends it. */
export const measureByCollector: Instrument = (visit) => withDuration(withShares(visit, 3), roundTo(visit.session_duration!, 1));

/** Milliseconds from a browser's clock, and shares that nobody rounded. */
export const measureFinely: Instrument = (visit) => withDuration(visit, roundTo(visit.session_duration!, 3));

export const measureInSeconds: Instrument = (visit) => withDuration(withShares(visit, 2), Math.round(visit.session_duration!));

export const measureInTenths: Instrument = (visit) => withDuration(withShares(visit, 1), Math.round(visit.session_duration!));

/** Quarters of engagement and whole minutes. */
export const measureInQuarters: Instrument = (visit) => ({
  ...visit,
  user_engagement: Math.round(visit.user_engagement! * 4) / 4,
  session_duration: Math.ceil(visit.session_duration! / 60) * 60,
  scroll_depth: visit.scroll_depth === null ? null : Math.round(visit.scroll_depth * 4) / 4,
});

/** A beat every 15 seconds: what happens between two is not seen. */
export const measureByHeartbeat: Instrument = (visit) => withDuration(withShares(visit, 1), Math.floor(visit.session_duration! / 15) * 15);

const bucketSeconds = [0, 10, 30, 60, 180, 600, 1_800] as const;

/** Classes of duration, as reports of web analytics have them, and no counts above 5. */
export const measureInClasses: Instrument = (visit) => ({
  ...withDuration(withShares(visit, 1), bucketSeconds.findLast((seconds) => seconds <= visit.session_duration!)!),
  interaction_count: visit.interaction_count === null ? null : Math.min(5, visit.interaction_count),
  page_views: visit.page_views === null ? null : Math.min(5, visit.page_views),
});

/** Engaged or not, and minutes. */
export const measureAsFlag: Instrument = (visit) => ({
  ...withDuration(visit, Math.ceil(visit.session_duration! / 60) * 60),
  user_engagement: visit.user_engagement! >= 0.5 ? 1 : 0,
  scroll_depth: null,
  interaction_count: null,
});

/** The two signals that a call must have, and no others. */
export const measureTwoSignals: Instrument = (visit) => ({
  ...withDuration(visit, Math.round(visit.session_duration!)),
  user_engagement: roundTo(visit.user_engagement!, 1),
  scroll_depth: null,
  interaction_count: null,
  page_views: null,
  return_visitor: null,
});
