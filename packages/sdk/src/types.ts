// Printed from packages/contract by packages/sdk/scripts/print-types.ts; a test says when it is out of date.

/** The six signals of one visitor session. Behaviour only: never send personal data. */
export type SessionData = {
  /** Engagement level. */
  user_engagement: number;
  /** Length of the session in seconds; fractions are fine. */
  session_duration: number;
  /** Furthest point reached. */
  scroll_depth?: number | undefined;
  /** Clicks and taps. */
  interaction_count?: number | undefined;
  /** Pages viewed. */
  page_views?: number | undefined;
  /** Whether the visitor was here before. */
  return_visitor?: boolean | undefined;
};

/** What `predict` answers. */
export type Prediction = {
  /** Trust in the session, one decimal. */
  service_score: number;
  /** high from 70, medium from 40, else low; computed from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score. */
  confidence: number;
  /** USD that this call earned; 0 for a test key. */
  revenue_attribution: number;
  /** From the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Names the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was judged. */
  timestamp: string;
  /** Older name of confidence; always equal. */
  attribution_confidence: number;
  /** The verdict in one word. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** The model that judged. */
  model_version: string;
};

/** What `score` answers. */
export type ShortPrediction = {
  /** Trust in the session, one decimal. */
  service_score: number;
  /** high from 70, medium from 40, else low; computed from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** USD that this call earned; 0 for a test key. */
  revenue_attribution: number;
  /** From the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Names the session record; later ids sort after earlier ones. */
  session_id: string;
  /** Older name of confidence; always equal. */
  attribution_confidence: number;
  /** The verdict in one word. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** The model that judged. */
  model_version: string;
};

/** What `analyze` answers: the verdict and where it comes from. */
export type Analysis = {
  /** Trust in the session, one decimal. */
  service_score: number;
  /** high from 70, medium from 40, else low; computed from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score. */
  confidence: number;
  /** USD that this call earned; 0 for a test key. */
  revenue_attribution: number;
  /** From the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Names the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was judged. */
  timestamp: string;
  /** Older name of confidence; always equal. */
  attribution_confidence: number;
  /** The verdict in one word. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** The model that judged. */
  model_version: string;
  /** The score of a session of which nothing is known. */
  base_value: number;
  /** With base_value they add up to unrounded_score, exactly. */
  contributions: {
    /** A signal, two of them joined as `a×b`, `plausibility` for the gate, or `test_scenario` for a forced answer. */
    signal: string;
    /** The signal as sent; for `plausibility` how far the gate is open, 0 to 1; null for a pair. */
    value: number | boolean | null;
    /** What it adds to the score, without rounding. */
    points: number;
  }[];
  /** service_score before it is rounded to one decimal. */
  unrounded_score: number;
  /** Low and high: nine times in ten the score would lie between if the missing signals were seen. */
  interval: [number, number];
  /** What moved the score most, in words. */
  reasons: {
    /** Stable; may be matched on. */
    code: string;
    /** For people. It may change. */
    message: string;
  }[];
  /** The scores from which a level begins. */
  thresholds: {
    /** From this score on the level is high. */
    high: number;
    /** From this score on it is medium; below, low. */
    medium: number;
  };
};

/** The span of time that `analyzeTraffic` looks at. */
export type TrafficWindow = {
  /** ISO 8601 date or time, UTC unless it says otherwise. Default: 7 days before `to`. */
  from?: string | undefined;
  /** ISO 8601 date or time, excluded. Default: now. At most 92 days after `from`. */
  to?: string | undefined;
};

/** What `analyzeTraffic` answers: your own sessions taken together. */
export type Traffic = {
  /** Names this answer in the ledger. */
  analysis_id: string;
  /** Where the window begins. */
  from: string;
  /** Where it ends, excluded. */
  to: string;
  /** Sessions that were judged in the window. */
  sessions: number;
  /** How the scores are spread. */
  score: {
    /** Of all sessions. */
    mean: number;
    /** The score that a quarter of the sessions do not exceed. */
    p25: number;
    /** The score that half of them do not exceed. */
    p50: number;
    /** The score that three quarters of the sessions do not exceed. */
    p75: number;
    /** Ten bands from 0 to 100. */
    histogram: {
      /** The lowest score of the band. */
      from: number;
      /** Excluded, but in the last band. */
      to: number;
      /** Sessions with such a score. */
      count: number;
    }[];
  };
  /** Sessions by trust level. */
  levels: {
    /** Sessions at high. */
    high: number;
    /** Sessions at medium. */
    medium: number;
    /** Sessions at low. */
    low: number;
  };
  /** What was sent, signal by signal. */
  signals: {
    /** The signal over the window. */
    user_engagement: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
    /** The signal over the window. */
    session_duration: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
    /** The signal over the window. */
    scroll_depth: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
    /** The signal over the window. */
    interaction_count: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
    /** The signal over the window. */
    page_views: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
    /** The signal over the window. */
    return_visitor: {
      /** Sessions that had the signal. */
      present: number;
      /** Over the sessions that had it; of return_visitor, the share of returning ones. */
      mean: number;
      /** Median: fractions to the hundredth, all else to three digits. */
      p50: number;
    };
  };
  /** The window before this one, as long as it. Zeros where there were no sessions. */
  previous: {
    /** Sessions that were judged in the window. */
    sessions: number;
    /** How the scores are spread. */
    score: {
      /** Of all sessions. */
      mean: number;
      /** The score that a quarter of the sessions do not exceed. */
      p25: number;
      /** The score that half of them do not exceed. */
      p50: number;
      /** The score that three quarters of the sessions do not exceed. */
      p75: number;
      /** Ten bands from 0 to 100. */
      histogram: {
        /** The lowest score of the band. */
        from: number;
        /** Excluded, but in the last band. */
        to: number;
        /** Sessions with such a score. */
        count: number;
      }[];
    };
    /** Sessions by trust level. */
    levels: {
      /** Sessions at high. */
      high: number;
      /** Sessions at medium. */
      medium: number;
      /** Sessions at low. */
      low: number;
    };
    /** What was sent, signal by signal. */
    signals: {
      /** The signal over the window. */
      user_engagement: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
      /** The signal over the window. */
      session_duration: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
      /** The signal over the window. */
      scroll_depth: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
      /** The signal over the window. */
      interaction_count: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
      /** The signal over the window. */
      page_views: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
      /** The signal over the window. */
      return_visitor: {
        /** Sessions that had the signal. */
        present: number;
        /** Over the sessions that had it; of return_visitor, the share of returning ones. */
        mean: number;
        /** Median: fractions to the hundredth, all else to three digits. */
        p50: number;
      };
    };
  };
  /** What looks unlike honest traffic among the window's newest 20,000 sessions; nothing is said of fewer than 50. */
  findings: {
    /** Stable; may be matched on. */
    code: "exact_duplicates" | "regular_intervals" | "unlike_people" | "round_numbers";
    /** For people. It may change. */
    message: string;
    /** Of the sessions that were looked at. */
    share: number;
  }[];
  /** False when there were more sessions than one call reads: the newest are counted, and the next call goes on from there. */
  complete: boolean;
  /** USD that this call earned; 0 for a test key. */
  revenue_attribution: number;
  /** From the arrival of the request until the answer was ready. */
  processing_time_ms: number;
};

/** What `session` answers: a judged session, as it is kept. */
export type Session = {
  /** Trust in the session, one decimal. */
  service_score: number;
  /** high from 70, medium from 40, else low; computed from service_score as shown. */
  trust_level: "high" | "medium" | "low";
  /** Confidence in the score. */
  confidence: number;
  /** USD that this call earned; 0 for a test key. */
  revenue_attribution: number;
  /** From the arrival of the request until its answer was handed to the commit that bills it. */
  processing_time_ms: number;
  /** Names the session record; later ids sort after earlier ones. */
  session_id: string;
  /** When the session was judged. */
  timestamp: string;
  /** Older name of confidence; always equal. */
  attribution_confidence: number;
  /** The verdict in one word. */
  recommendation: "high_value_user" | "standard_user" | "low_value_user" | "suspected_automation";
  /** The model that judged. */
  model_version: string;
  /** The signals that were sent. */
  signals: {
    /** Engagement level. */
    user_engagement?: number | undefined;
    /** Length of the session in seconds; fractions are fine. */
    session_duration?: number | undefined;
    /** Furthest point reached. */
    scroll_depth?: number | undefined;
    /** Clicks and taps. */
    interaction_count?: number | undefined;
    /** Pages viewed. */
    page_views?: number | undefined;
    /** Whether the visitor was here before. */
    return_visitor?: boolean | undefined;
  };
  /** The endpoint that judged the session. */
  endpoint: "predict" | "score" | "analyze";
  /** The last one that was reported. */
  outcome: "converted" | "genuine" | "refunded" | "fraud" | "bot" | null;
  /** Of the key that was used. */
  mode: "live" | "test";
};

/** How a judged session ended. */
export type Outcome = "converted" | "genuine" | "refunded" | "fraud" | "bot";

/** What `reportOutcome` answers. */
export type RecordedOutcome = {
  /** The session that was spoken of. */
  session_id: string;
  /** As reported; it replaces an earlier one. */
  outcome: "converted" | "genuine" | "refunded" | "fraud" | "bot";
  /** When it was noted. */
  recorded_at: string;
};

/** What `requestAd` asks for; everything may be left out. */
export type AdRequest = {
  /** Absent: banner. */
  format?: "banner" | "native" | "interstitial" | undefined;
  /** Absent: feed, or fullscreen for an interstitial. */
  placement?: "feed" | "sidebar" | "fullscreen" | undefined;
  /** What is known of the place where the ad will be shown. Never personal data. */
  user_context?: {
    /** Category of the calling application, such as gaming. Any name of this form will do; upper and lower case are the same. */
    app_category?: string | undefined;
    /** A score by the caller's word. It opens no campaign that asks for a minimum trust: send session_id for that. */
    service_score?: number | undefined;
    /** As a scoring call of this account returned it, with a key of the same mode, less than 30 minutes ago: the trust is then verified. Any other id counts as none. A session gets 20 ads at most. */
    session_id?: string | undefined;
  } | undefined;
};

/** An ad to show. */
export type Ad = {
  /** Names the offer, also in the ledger when its click is paid. */
  ad_id: string;
  /** What is shown. */
  creative: {
    /** Plain text, like all texts here: put it into the page as text, never as markup. */
    headline: string;
    /** A line or two; may be empty. */
    description: string;
    /** May be kept for ever: another image has another address. */
    image_url: string;
    /** For the button. */
    cta_text: string;
    /** Where a click on the ad leads: it is counted, and sent on to the advertiser's page. */
    click_url: string;
  };
  /** To be fetched once, when the ad is seen. */
  impression_tracking_url: string;
  /** USD that a valid click pays, exactly. 0 for house ads and for test keys. */
  estimated_revenue: number;
  /** In pixels. */
  image_width: number;
  /** In pixels. */
  image_height: number;
  /** Who pays for the ad. */
  advertiser: string;
  /** Whether it is one of the installation's own ads, which pay nothing. */
  house: boolean;
  /** From then on a click pays nobody. */
  expires_at: string;
};

/** Why there is no ad. */
export type NoFillReason = "no_campaign" | "not_scheduled" | "trust_required" | "bid_under_floor" | "budget_used_up" | "paced" | "session_offer_limit" | "test_scenario";

/** The answer that a test key may force. */
export type TestScenario = "low" | "medium" | "high" | "rate_limited" | "server_error" | "no_fill";
