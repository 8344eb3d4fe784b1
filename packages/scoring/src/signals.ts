/** The six behavioural signals of one visitor session, named as in the API. Absent: not observed. */
export type Signals = {
  /** Engagement level, 0 to 1. */
  user_engagement?: number;
  /** In seconds. */
  session_duration?: number;
  /** Furthest scroll position reached, 0 to 1. */
  scroll_depth?: number;
  interaction_count?: number;
  page_views?: number;
  return_visitor?: boolean;
};

export type SignalName = keyof Signals;

export const signalNames = [
  "user_engagement",
  "session_duration",
  "scroll_depth",
  "interaction_count",
  "page_views",
  "return_visitor",
] as const satisfies readonly SignalName[];
