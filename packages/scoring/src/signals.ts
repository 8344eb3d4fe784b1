/** The six behavioural signals of one visitor session, as the interface names them. Absent = not observed. */
export type Signals = {
  /** Engagement level, 0 to 1. */
  user_engagement?: number;
  /** Seconds. */
  session_duration?: number;
  /** Furthest point reached, 0 to 1. */
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
