// Generated from packages/contract by packages/sdk/scripts/print-types.ts; types.test.ts fails when it is out of date.

/** The six signals of one visitor session: behaviour only, never personal data. Leave out optional signals that were not measured. */
export type SessionData = {
  /** Engagement level, 0 to 1. */
  user_engagement: number;
  /** Length of the session in seconds; fractions are allowed. */
  session_duration: number;
  /** Furthest scroll position reached, 0 to 1. */
  scroll_depth?: number | undefined;
  /** Clicks and taps. */
  interaction_count?: number | undefined;
  /** Pages viewed. */
  page_views?: number | undefined;
  /** Whether the visitor has been here before. */
  return_visitor?: boolean | undefined;
};

/** Answer of `predict`: the verdict on a session. */
export type Prediction = {
  /** Trust in the session, 0 to 100 with one decimal. */
  service_score: number;
  /** high from 70, medium from 40, otherwise low; derived from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score, 0 to 1. */
  confidence: number;
  /** USD earned by this call; 0 for a test key. */
  revenue_attribution: number;
  /** Time from the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Identifies the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was scored. */
  timestamp: string;
  /** Older name of confidence; always equal to it. */
  attribution_confidence: number;
  /** The verdict as a single code. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** Version of the model that scored the session. */
  model_version: string;
  /** server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word. */
  attestation: "server_timed" | "asserted";
  /** The signals that were attested; empty unless attestation is server_timed. */
  attested: ("user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views")[];
  /** What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added. */
  attestation_issues: ("crowded_network" | "late_beats" | "proxied" | "origin_mismatch" | "too_short" | "token_expired" | "token_used" | (string & {}))[];
};

/** Answer of `score`: the verdict in its shorter shape. */
export type ShortPrediction = {
  /** Trust in the session, 0 to 100 with one decimal. */
  service_score: number;
  /** high from 70, medium from 40, otherwise low; derived from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** USD earned by this call; 0 for a test key. */
  revenue_attribution: number;
  /** Time from the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Identifies the session record; later ids sort after earlier ones. */
  session_id: string;
  /** Older name of confidence; always equal to it. */
  attribution_confidence: number;
  /** The verdict as a single code. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** Version of the model that scored the session. */
  model_version: string;
  /** server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word. */
  attestation: "server_timed" | "asserted";
  /** The signals that were attested; empty unless attestation is server_timed. */
  attested: ("user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views")[];
  /** What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added. */
  attestation_issues: ("crowded_network" | "late_beats" | "proxied" | "origin_mismatch" | "too_short" | "token_expired" | "token_used" | (string & {}))[];
};

/** Answer of `analyze`: the verdict, and what each signal contributed to it. */
export type Analysis = {
  /** Trust in the session, 0 to 100 with one decimal. */
  service_score: number;
  /** high from 70, medium from 40, otherwise low; derived from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score, 0 to 1. */
  confidence: number;
  /** USD earned by this call; 0 for a test key. */
  revenue_attribution: number;
  /** Time from the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Identifies the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was scored. */
  timestamp: string;
  /** Older name of confidence; always equal to it. */
  attribution_confidence: number;
  /** The verdict as a single code. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** Version of the model that scored the session. */
  model_version: string;
  /** server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word. */
  attestation: "server_timed" | "asserted";
  /** The signals that were attested; empty unless attestation is server_timed. */
  attested: ("user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views")[];
  /** What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added. */
  attestation_issues: ("crowded_network" | "late_beats" | "proxied" | "origin_mismatch" | "too_short" | "token_expired" | "token_used" | (string & {}))[];
  /** Score of a session about which nothing is known. */
  base_value: number;
  /** Together with base_value they add up to unrounded_score exactly. */
  contributions: {
    /** A signal, two of them joined as `a×b`, `plausibility` for the gate, or `test_scenario` for a forced answer. */
    signal: string;
    /** The signal as it was scored; for `plausibility` how far the gate is open, 0 to 1; null for a pair. */
    value: number | boolean | null;
    /** Points that it adds to the score, unrounded. */
    points: number;
  }[];
  /** service_score before rounding to one decimal. */
  unrounded_score: number;
  /** Low and high end of the range in which the score would lie nine times in ten if the missing signals were known. */
  interval: [number, number];
  /** What moved the score most, in words. */
  reasons: {
    /** Stable code to match on. */
    code: string;
    /** Human-readable. It may change. */
    message: string;
  }[];
  /** Score thresholds of the trust levels. */
  thresholds: {
    /** Lowest score of level high. */
    high: number;
    /** Lowest score of level medium; below it the level is low. */
    medium: number;
  };
};

/** Time window for `analyzeTraffic`; the last seven days by default. */
export type TrafficWindow = {
  /** ISO 8601 date or time, UTC unless it has an offset. Default: 7 days before `to`. */
  from?: string | undefined;
  /** ISO 8601 date or time, exclusive. Default: now. At most 92 days after `from`. */
  to?: string | undefined;
};

/** Answer of `analyzeTraffic`: a summary of your own sessions in a time window. */
export type Traffic = {
  /** Identifies this answer in the ledger. */
  analysis_id: string;
  /** Start of the window. */
  from: string;
  /** End of the window, exclusive. */
  to: string;
  /** Sessions scored in the window. */
  sessions: number;
  /** Distribution of the scores. */
  score: {
    /** Mean over all sessions. */
    mean: number;
    /** 25th percentile. */
    p25: number;
    /** Median. */
    p50: number;
    /** 75th percentile. */
    p75: number;
    /** Ten bands from 0 to 100. */
    histogram: {
      /** Lowest score of the band. */
      from: number;
      /** Upper end, exclusive except in the last band. */
      to: number;
      /** Sessions with a score in this band. */
      count: number;
    }[];
  };
  /** Sessions by trust level. */
  levels: {
    /** Sessions with level high. */
    high: number;
    /** Sessions with level medium. */
    medium: number;
    /** Sessions with level low. */
    low: number;
  };
  /** Statistics per signal. */
  signals: {
    /** Statistics of the signal over the window. */
    user_engagement: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
    /** Statistics of the signal over the window. */
    session_duration: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
    /** Statistics of the signal over the window. */
    scroll_depth: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
    /** Statistics of the signal over the window. */
    interaction_count: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
    /** Statistics of the signal over the window. */
    page_views: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
    /** Statistics of the signal over the window. */
    return_visitor: {
      /** Sessions that had the signal. */
      present: number;
      /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
      mean: number;
      /** Median: fractions to two decimals, everything else to three significant digits. */
      p50: number;
    };
  };
  /** The preceding window of the same length. Zeros if there were no sessions. */
  previous: {
    /** Sessions scored in the window. */
    sessions: number;
    /** Distribution of the scores. */
    score: {
      /** Mean over all sessions. */
      mean: number;
      /** 25th percentile. */
      p25: number;
      /** Median. */
      p50: number;
      /** 75th percentile. */
      p75: number;
      /** Ten bands from 0 to 100. */
      histogram: {
        /** Lowest score of the band. */
        from: number;
        /** Upper end, exclusive except in the last band. */
        to: number;
        /** Sessions with a score in this band. */
        count: number;
      }[];
    };
    /** Sessions by trust level. */
    levels: {
      /** Sessions with level high. */
      high: number;
      /** Sessions with level medium. */
      medium: number;
      /** Sessions with level low. */
      low: number;
    };
    /** Statistics per signal. */
    signals: {
      /** Statistics of the signal over the window. */
      user_engagement: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
      /** Statistics of the signal over the window. */
      session_duration: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
      /** Statistics of the signal over the window. */
      scroll_depth: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
      /** Statistics of the signal over the window. */
      interaction_count: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
      /** Statistics of the signal over the window. */
      page_views: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
      /** Statistics of the signal over the window. */
      return_visitor: {
        /** Sessions that had the signal. */
        present: number;
        /** Mean over the sessions that had the signal; for return_visitor, the share of returning visitors. */
        mean: number;
        /** Median: fractions to two decimals, everything else to three significant digits. */
        p50: number;
      };
    };
  };
  /** Patterns unlike honest traffic among the window's newest 20,000 sessions; none are reported for fewer than 50. */
  findings: {
    /** Stable code to match on. */
    code: "exact_duplicates" | "regular_intervals" | "unlike_people" | "round_numbers";
    /** Human-readable. It may change. */
    message: string;
    /** Share of the examined sessions. */
    share: number;
  }[];
  /** False when there were more sessions than one call reads: the newest are counted, and the next call continues from there. */
  complete: boolean;
  /** USD earned by this call; 0 for a test key. */
  revenue_attribution: number;
  /** Time from the arrival of the request until the answer was ready. */
  processing_time_ms: number;
};

/** Answer of `session`: a scored session as it is stored. */
export type Session = {
  /** Trust in the session, 0 to 100 with one decimal. */
  service_score: number;
  /** high from 70, medium from 40, otherwise low; derived from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score, 0 to 1. */
  confidence: number;
  /** USD earned by this call; 0 for a test key. */
  revenue_attribution: number;
  /** Time from the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Identifies the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was scored. */
  timestamp: string;
  /** Older name of confidence; always equal to it. */
  attribution_confidence: number;
  /** The verdict as a single code. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** Version of the model that scored the session. */
  model_version: string;
  /** server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word. */
  attestation: "server_timed" | "asserted";
  /** The signals that were attested; empty unless attestation is server_timed. */
  attested: ("user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views")[];
  /** What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added. */
  attestation_issues: ("crowded_network" | "late_beats" | "proxied" | "origin_mismatch" | "too_short" | "token_expired" | "token_used" | (string & {}))[];
  /** The signals that were scored: attested ones where the session was attested, otherwise as they were sent. */
  signals: {
    /** Engagement level, 0 to 1. */
    user_engagement?: number | undefined;
    /** Length of the session in seconds; fractions are allowed. */
    session_duration?: number | undefined;
    /** Furthest scroll position reached, 0 to 1. */
    scroll_depth?: number | undefined;
    /** Clicks and taps. */
    interaction_count?: number | undefined;
    /** Pages viewed. */
    page_views?: number | undefined;
    /** Whether the visitor has been here before. */
    return_visitor?: boolean | undefined;
  };
  /** The endpoint that scored the session. */
  endpoint: "predict" | "score" | "analyze";
  /** The last reported outcome; null if there is none. */
  outcome: "converted" | "genuine" | "refunded" | "fraud" | "bot" | null;
  /** Mode of the key that was used. */
  mode: "live" | "test";
  /** Whether what the call earned may still be reversed, is confirmed, or was reversed; null in test mode. */
  settlement: "pending" | "confirmed" | "reversed" | null;
};

/** How a scored session ended. `converted` and `genuine` are good outcomes; `refunded`, `fraud` and `bot` are bad ones. */
export type Outcome = "converted" | "genuine" | "refunded" | "fraud" | "bot";

/** Answer of `reportOutcome`. */
export type RecordedOutcome = {
  /** The session that the outcome belongs to. */
  session_id: string;
  /** The reported outcome; it replaces an earlier one. */
  outcome: "converted" | "genuine" | "refunded" | "fraud" | "bot";
  /** When it was recorded. */
  recorded_at: string;
};

/** Request of `requestAd`; every field is optional. */
export type AdRequest = {
  /** Default: banner. */
  format?: "banner" | "native" | "interstitial" | undefined;
  /** Default: feed, or fullscreen for an interstitial. */
  placement?: "feed" | "sidebar" | "fullscreen" | undefined;
  /** Where the ad will be shown. Never send personal data. */
  user_context?: {
    /** Category of the calling application, such as gaming. Any name that fits the pattern; case-insensitive. */
    app_category?: string | undefined;
    /** Score reported by the caller, unverified. It does not qualify for campaigns with a minimum trust: send session_id for that. */
    service_score?: number | undefined;
    /** Id that a scoring call of this account returned, with a key of the same mode, less than 30 minutes ago: the trust is then verified. Any other id is treated as absent. At most 20 ads per session. */
    session_id?: string | undefined;
  } | undefined;
};

/** An ad to show, with the URLs that record its impression and its click. */
export type Ad = {
  /** Identifies the offer; the ledger entry of a paid click refers to it. */
  ad_id: string;
  /** What to show. */
  creative: {
    /** Plain text, like all texts here: insert it into the page as text, never as markup. */
    headline: string;
    /** One or two lines; may be empty. */
    description: string;
    /** Safe to cache forever: a different image has a different URL. */
    image_url: string;
    /** Label of the button. */
    cta_text: string;
    /** Link target of the ad. It records the click and redirects to the advertiser's page. */
    click_url: string;
  };
  /** Fetch it once, when the visitor sees the ad. */
  impression_tracking_url: string;
  /** Exact amount in USD that a valid click pays. 0 for house ads and for test keys. */
  estimated_revenue: number;
  /** In pixels. */
  image_width: number;
  /** In pixels. */
  image_height: number;
  /** The advertiser's name. */
  advertiser: string;
  /** Whether it is one of the installation's own ads, which pay nothing. */
  house: boolean;
  /** Clicks from this time on are not paid. */
  expires_at: string;
};

/** Why a request got no ad. */
export type NoFillReason = "no_campaign" | "not_scheduled" | "trust_required" | "bid_under_floor" | "budget_used_up" | "offers_unclicked" | "paced" | "session_offer_limit" | "test_scenario";

/** Answer that a test key can force. */
export type TestScenario = "low" | "medium" | "high" | "rate_limited" | "server_error" | "no_fill" | "payment_required" | "session_token_used" | "held";
