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
  /** Probability that the level would be the same if the missing signals were seen and the model had been trained on another sample of sessions. */
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
  /** shipped: the score is on the model's own scale. account: on the account's own, made from the outcomes that it reported. */
  calibration: "shipped" | "account";
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
  /** shipped: the score is on the model's own scale. account: on the account's own, made from the outcomes that it reported. */
  calibration: "shipped" | "account";
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
  /** Probability that the level would be the same if the missing signals were seen and the model had been trained on another sample of sessions. */
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
  /** shipped: the score is on the model's own scale. account: on the account's own, made from the outcomes that it reported. */
  calibration: "shipped" | "account";
  /** server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word. */
  attestation: "server_timed" | "asserted";
  /** The signals that were attested; empty unless attestation is server_timed. */
  attested: ("user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views")[];
  /** What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added. */
  attestation_issues: ("crowded_network" | "late_beats" | "proxied" | "origin_mismatch" | "too_short" | "token_expired" | "token_used" | (string & {}))[];
  /** Score of a session with these signals, before their values count. */
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
  /** The contributions in six lines and `plausibility`, in a fixed order: each pair's points are shared equally by its two signals. They add up like contributions. */
  by_signal: {
    /** One of the six signals, `plausibility` for the gate, or `test_scenario` for a forced answer. */
    signal: string;
    /** Points that the signal adds to the score, half of each of its pairs included; 0 for a signal that was not sent. */
    points: number;
  }[];
  /** For a score below high: per signal the smallest change, of that signal alone, that lifts the level. The least change comes first, relative to the range of the signal. Signals that cannot lift it alone are left out; empty for a forced answer. */
  would_raise: {
    /** The only signal that changes. */
    signal: "user_engagement" | "session_duration" | "scroll_depth" | "interaction_count" | "page_views" | "return_visitor";
    /** Its value as it was scored. */
    from: number | boolean;
    /** The nearest value, within the bounds of the request, with which the level is higher. */
    to: number | boolean;
    /** The service_score that would result. */
    score: number;
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
  /** Probability that the level would be the same if the missing signals were seen and the model had been trained on another sample of sessions. */
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
  /** shipped: the score is on the model's own scale. account: on the account's own, made from the outcomes that it reported. */
  calibration: "shipped" | "account";
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

/** Time window for `usage`; the last 30 days by default. */
export type UsageWindow = {
  /** ISO 8601 date or time, UTC unless it has an offset. Default: 30 days before `to`. */
  from?: string | undefined;
  /** ISO 8601 date or time, exclusive. Default: now. */
  to?: string | undefined;
};

/** Answer of `usage`: live calls in a span of time, and what they earned. */
export type Usage = {
  /** Start of the span, on the hour. */
  from: string;
  /** End of the span, exclusive. */
  to: string;
  /** hour for spans of up to two days, day for longer ones. */
  granularity: "hour" | "day";
  /** Billed calls. */
  calls: number;
  /** 0.05 per call. */
  gross_usd: number;
  /** The developer's share. */
  developer_usd: number;
  /** What remains for the platform. */
  platform_usd: number;
  /** One item per endpoint that was called. */
  endpoints: {
    /** Endpoint that was called, such as predict. */
    endpoint: string;
    /** Billed calls. */
    calls: number;
    /** 0.05 per call. */
    gross_usd: number;
    /** The developer's share. */
    developer_usd: number;
    /** What remains for the platform. */
    platform_usd: number;
  }[];
  /** One item per hour or day that had calls. */
  series: {
    /** Start of the hour or day. */
    start: string;
    /** Billed calls. */
    calls: number;
    /** 0.05 per call. */
    gross_usd: number;
    /** The developer's share. */
    developer_usd: number;
    /** What remains for the platform. */
    platform_usd: number;
  }[];
};

/** Answer of `statement`: a month of an account's money. */
export type Statement = {
  /** Month in UTC. */
  month: string;
  /** Billed calls. */
  calls: number;
  /** 0.05 per call. */
  gross_usd: number;
  /** The developer's share. */
  developer_usd: number;
  /** What remains for the platform. */
  platform_usd: number;
  /** Amount charged to the developer; 0 if the platform pays for calls. */
  charged_usd: number;
  /** Current balance of the account, over all months. */
  balance_usd: number;
  /** The account's money by its state, as of now. */
  balance?: {
    /** Everything earned: pending_usd + confirmed.usd. */
    accrued_usd: number;
    /** From calls and clicks that may still be reversed. */
    pending_usd: number;
    /** What can no longer be reversed. */
    confirmed: {
      /** What waits + payable_usd + in_payout_usd + paid_usd. */
      usd: number;
      /** One item per reason. */
      waiting: {
        /** Why it is not payable yet. It becomes payable as soon as the reason ends. */
        reason: "not_yet_due" | "below_minimum" | "payee_missing" | "payee_changed" | "linked_account" | "growth_review" | "finding_open" | "held" | "not_funded" | "repeated_session" | "unexamined" | "crowded_network";
        /** The amount. */
        usd: number;
        /** The reason in a sentence. Not to be matched on. */
        explained: string;
      }[];
      /** Can be proposed for payout now. */
      payable_usd: number;
      /** In payouts that are proposed, approved or exported. */
      in_payout_usd: number;
      /** Paid out, less what came back. */
      paid_usd: number;
    };
    /** Paid, promised or charged beyond what was earned; it is set off against later earnings. */
    owed_usd: number;
    /** What calls can be charged to where the developer pays for them; never paid out. */
    spendable_usd: number;
    /** When more can become payable at the earliest: the next 15th, or the day a changed payee may be paid to. */
    next_date: string;
  } | undefined;
  /** One line per endpoint, payer and rate. */
  lines: {
    /** Endpoint that was called, such as predict. */
    endpoint: string;
    /** Who paid for the calls. */
    payer: "platform" | "developer";
    /** The developer's share when the calls were made. */
    share_percent: number;
    /** Billed calls. */
    calls: number;
    /** 0.05 per call. */
    gross_usd: number;
    /** The developer's share. */
    developer_usd: number;
    /** What remains for the platform. */
    platform_usd: number;
  }[];
  /** Earnings from ads. */
  ads: {
    /** Paid clicks of the month, including reversed ones. */
    clicks: number;
    /** The developer's share of these clicks, less the month's reversals. */
    developer_usd: number;
    /** Part from clicks of the month that may still be reversed. */
    pending_usd: number;
    /** Part from clicks of the month that can no longer be reversed. */
    confirmed_usd: number;
    /** Reversed in the month. */
    reversed_usd: number;
  };
  /** The developer's share of the month's calls that the platform pays, as of the month's end; for the current month, now. Absent in statements of months that ended before calls were settled by the day. */
  calls_settlement?: {
    /** May still be reversed. */
    pending_usd: number;
    /** Can no longer be reversed. */
    confirmed_usd: number;
    /** Was reversed. */
    reversed_usd: number;
  } | undefined;
  /** The reversals of calls that were booked in the month, with their reasons, the first 500. */
  call_reversals?: {
    /** `day:YYYY-MM-DD`, with `#n` where a part of the day was reversed. */
    ref: string;
    /** Number of its ledger entry. */
    seq: number;
    /** When it was booked. */
    at: string;
    /** The developer's share when the calls were made. */
    share_percent: number;
    /** How many calls. */
    calls: number;
    /** The price of the calls, as a positive number. */
    gross_usd: number;
    /** What was taken back from the developer, as a positive number. */
    developer_usd: number;
    /** Why, as the operator or the finding says. */
    reason: string;
  }[] | undefined;
  /** What held the account's money at the month's end; for the current month, now. Empty if nothing did. */
  held?: {
    /** An operator's hold, or an open finding. */
    by: "held" | "finding_open";
    /** Why. */
    reason: string;
    /** Since when. */
    since: string;
  }[] | undefined;
  /** Taken back in the month for calls; 0 or more where the platform pays for calls. */
  calls_reversed_usd: number;
  /** Paid in for calls in the month. */
  deposits_usd: number;
  /** Corrections by the operator; may be negative. */
  adjustments_usd: number;
  /** The month's deposits and adjustments with their reasons, the first 500. */
  corrections: {
    /** Its id. */
    ref: string;
    /** A deposit was paid in; an adjustment corrects. */
    kind: "deposit" | "adjustment";
    /** The money that it changes: what can be paid out, or what calls can be charged to. */
    on: "earnings" | "prepaid";
    /** May be negative. */
    usd: number;
    /** An adjustment always has one. */
    reason: string | null;
    /** When it was booked. */
    at: string;
    /** Number of its ledger entry. */
    seq: number;
  }[];
  /** The part of the balance that calls are charged to and that is never paid out: deposits, adjustments and shares, less what calls cost. */
  prepaid: {
    /** At the start of the month. */
    opening_usd: number;
    /** At its end; for the current month, so far. */
    closing_usd: number;
  };
  /** Payouts from the account. */
  payouts: {
    /** Paid out in the month. */
    paid_usd: number;
    /** Payouts returned in the month. */
    returned_usd: number;
  };
  /** Everything except calls, by kind. Opening balance, calls and movements add up to the closing balance. */
  movements: {
    /** Kind of the ledger entries. */
    kind: "click" | "funding" | "deposit" | "adjustment" | "reversal" | "payout" | "payout_returned";
    /** Number of entries. */
    entries: number;
    /** Their total amount. */
    gross_usd: number;
    /** The developer's share of it. */
    developer_usd: number;
    /** The platform's share of it. */
    platform_usd: number;
    /** Change of the account's balance. */
    balance_change_usd: number;
  }[];
  /** Balance at the start of the month. */
  opening_balance_usd: number;
  /** Balance at the end of the month; for the current month, so far. */
  closing_balance_usd: number;
  /** Whether the month is over. */
  is_final: boolean;
  /** Number of ledger entries in the month. */
  entries: number;
  /** `<seq>.<hash>`, as calls return it; null if the month has no entry. */
  first_receipt: string | null;
  /** `<seq>.<hash>`, as calls return it; null if the month has no entry. */
  last_receipt: string | null;
  /** The first checkpoint of the log that covers `last_receipt`; null if the entry is not logged yet, or there is none. Absent in statements of months that ended before the log began. */
  checkpoint?: {
    /** Name of the log. */
    origin: string;
    /** Entries that the checkpoint covers. */
    size: number;
    /** Root of the log at that size, in base64. */
    root: string;
    /** When it was signed. */
    logged_at: string;
    /** The signed checkpoint (C2SP tlog-checkpoint). */
    note: string;
  } | null | undefined;
};

/** Answer that a test key can force. */
export type TestScenario = "low" | "medium" | "high" | "rate_limited" | "server_error" | "no_fill" | "payment_required" | "session_token_used" | "held";
