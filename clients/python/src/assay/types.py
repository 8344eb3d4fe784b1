"""Types of requests and answers.

Generated from the service's contract by scripts/print-client-types.ts; do not edit.
Answers are plain dictionaries: fields that are newer than this client are in them too.
"""

from __future__ import annotations

from typing import List, Literal, Optional, Tuple, TypedDict, Union


class Meta(TypedDict):
    """Facts about the call itself."""

    request_id: Optional[str]
    """X-Request-Id of the answer. Quote it when you report a problem."""
    receipt: Optional[str]
    """Receipt of the call's ledger entry, `<seq>.<hash>`; None if nothing was billed."""
    replayed: bool
    """Whether this is the stored answer of an earlier call or attempt with the same idempotency key."""
    attempts: int
    """Number of attempts made, including the first."""


class Answer(TypedDict):
    """What all answers have."""

    meta: Meta


Outcome = Literal["converted", "genuine", "refunded", "fraud", "bot"]
"""How a scored session ended. converted and genuine are good outcomes; refunded, fraud and bot are bad
ones.
"""


NoFillReason = Literal["no_campaign", "not_scheduled", "trust_required", "bid_under_floor", "budget_used_up", "offers_unclicked", "paced", "session_offer_limit", "test_scenario"]
"""Why a request got no ad. More reasons may be added."""


TestScenario = Literal["low", "medium", "high", "rate_limited", "server_error", "no_fill", "payment_required", "session_token_used", "held"]
"""An answer that a test key can force."""


class _SessionDataRequired(TypedDict):
    user_engagement: float
    """Engagement level, 0 to 1."""
    session_duration: float
    """Length of the session in seconds; fractions are allowed."""


class SessionData(_SessionDataRequired, total=False):
    """The six signals of one visitor session: behaviour only, never personal data. Leave out optional
    signals that were not measured.
    """

    scroll_depth: float
    """Furthest scroll position reached, 0 to 1."""
    interaction_count: int
    """Clicks and taps."""
    page_views: int
    """Pages viewed."""
    return_visitor: bool
    """Whether the visitor has been here before."""


class Prediction(Answer):
    """The answer of predict: the verdict on a session."""

    service_score: float
    """Trust in the session, 0 to 100 with one decimal."""
    trust_level: Literal["high", "medium", "low"]
    """high from 70, medium from 40, otherwise low; derived from service_score as shown."""
    confidence: float
    """Probability that the level would be the same if the missing signals were seen and the model had been
    trained on another sample of sessions.
    """
    revenue_attribution: float
    """USD earned by this call; 0 for a test key."""
    processing_time_ms: float
    """Time from the arrival of the request until its answer was handed to the commit that bills it."""
    session_id: str
    """Identifies the session record; later ids sort after earlier ones."""
    timestamp: str
    """When the session was scored."""
    attribution_confidence: float
    """Older name of confidence; always equal to it."""
    recommendation: Literal["high_value_user", "standard_user", "low_value_user", "suspected_automation"]
    """The verdict as a single code."""
    model_version: str
    """Version of the model that scored the session."""
    calibration: Literal["shipped", "account"]
    """shipped: the score is on the model's own scale. account: on the account's own, made from the
    outcomes that it reported.
    """
    attestation: Literal["server_timed", "asserted"]
    """server_timed: the signals in `attested` were measured under the service's own clock. asserted: all
    of them are the caller's word.
    """
    attested: List[Literal["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]]
    """The signals that were attested; empty unless attestation is server_timed."""
    attestation_issues: List[str]
    """What is to be known of the session_token; empty if there is nothing, or no token. More codes may be
    added. Known: crowded_network, late_beats, proxied, origin_mismatch, too_short, token_expired,
    token_used.
    """


class Score(Answer):
    """The answer of score: the verdict in its shorter shape."""

    service_score: float
    """Trust in the session, 0 to 100 with one decimal."""
    trust_level: Literal["high", "medium", "low"]
    """high from 70, medium from 40, otherwise low; derived from service_score as shown."""
    revenue_attribution: float
    """USD earned by this call; 0 for a test key."""
    processing_time_ms: float
    """Time from the arrival of the request until its answer was handed to the commit that bills it."""
    session_id: str
    """Identifies the session record; later ids sort after earlier ones."""
    attribution_confidence: float
    """Older name of confidence; always equal to it."""
    recommendation: Literal["high_value_user", "standard_user", "low_value_user", "suspected_automation"]
    """The verdict as a single code."""
    model_version: str
    """Version of the model that scored the session."""
    calibration: Literal["shipped", "account"]
    """shipped: the score is on the model's own scale. account: on the account's own, made from the
    outcomes that it reported.
    """
    attestation: Literal["server_timed", "asserted"]
    """server_timed: the signals in `attested` were measured under the service's own clock. asserted: all
    of them are the caller's word.
    """
    attested: List[Literal["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]]
    """The signals that were attested; empty unless attestation is server_timed."""
    attestation_issues: List[str]
    """What is to be known of the session_token; empty if there is nothing, or no token. More codes may be
    added. Known: crowded_network, late_beats, proxied, origin_mismatch, too_short, token_expired,
    token_used.
    """
    confidence: float
    """Probability that the level would be the same if the missing signals were seen and the model had been
    trained on another sample of sessions.
    """


class Contribution(TypedDict):
    """A part of analysis contributions."""

    signal: str
    """A signal, two of them joined as `a×b`, `plausibility` for the gate, or `test_scenario` for a forced
    answer.
    """
    value: Optional[Union[float, bool]]
    """The signal as it was scored; for `plausibility` how far the gate is open, 0 to 1; null for a pair."""
    points: float
    """Points that it adds to the score, unrounded."""


class SignalPoints(TypedDict):
    """A part of analysis by signal."""

    signal: str
    """One of the six signals, `plausibility` for the gate, or `test_scenario` for a forced answer."""
    points: float
    """Points that the signal adds to the score, half of each of its pairs included; 0 for a signal that
    was not sent.
    """


_RaiseRequiredKeywords = TypedDict("_RaiseRequiredKeywords", {"from": "Union[float, bool]"})


class Raise(_RaiseRequiredKeywords):
    """A part of analysis would raise."""

    signal: Literal["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"]
    """The only signal that changes."""
    to: Union[float, bool]
    """The nearest value, within the bounds of the request, with which the level is higher."""
    score: float
    """The service_score that would result."""


class Reason(TypedDict):
    """A part of analysis reasons."""

    code: str
    """Stable code to match on."""
    message: str
    """Human-readable. It may change."""


class Thresholds(TypedDict):
    """Score thresholds of the trust levels."""

    high: float
    """Lowest score of level high."""
    medium: float
    """Lowest score of level medium; below it the level is low."""


class Analysis(Answer):
    """The answer of analyze: the verdict, and what each signal contributed to it."""

    service_score: float
    """Trust in the session, 0 to 100 with one decimal."""
    trust_level: Literal["high", "medium", "low"]
    """high from 70, medium from 40, otherwise low; derived from service_score as shown."""
    confidence: float
    """Probability that the level would be the same if the missing signals were seen and the model had been
    trained on another sample of sessions.
    """
    revenue_attribution: float
    """USD earned by this call; 0 for a test key."""
    processing_time_ms: float
    """Time from the arrival of the request until its answer was handed to the commit that bills it."""
    session_id: str
    """Identifies the session record; later ids sort after earlier ones."""
    timestamp: str
    """When the session was scored."""
    attribution_confidence: float
    """Older name of confidence; always equal to it."""
    recommendation: Literal["high_value_user", "standard_user", "low_value_user", "suspected_automation"]
    """The verdict as a single code."""
    model_version: str
    """Version of the model that scored the session."""
    calibration: Literal["shipped", "account"]
    """shipped: the score is on the model's own scale. account: on the account's own, made from the
    outcomes that it reported.
    """
    attestation: Literal["server_timed", "asserted"]
    """server_timed: the signals in `attested` were measured under the service's own clock. asserted: all
    of them are the caller's word.
    """
    attested: List[Literal["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]]
    """The signals that were attested; empty unless attestation is server_timed."""
    attestation_issues: List[str]
    """What is to be known of the session_token; empty if there is nothing, or no token. More codes may be
    added. Known: crowded_network, late_beats, proxied, origin_mismatch, too_short, token_expired,
    token_used.
    """
    base_value: float
    """Score of a session with these signals, before their values count."""
    contributions: List[Contribution]
    """Together with base_value they add up to unrounded_score exactly."""
    by_signal: List[SignalPoints]
    """The contributions in six lines and `plausibility`, in a fixed order: each pair's points are shared
    equally by its two signals. They add up like contributions.
    """
    would_raise: List[Raise]
    """For a score below high: per signal the smallest change, of that signal alone, that lifts the level.
    The least change comes first, relative to the range of the signal. Signals that cannot lift it alone
    are left out; empty for a forced answer.
    """
    unrounded_score: float
    """service_score before rounding to one decimal."""
    interval: Tuple[float, float]
    """Low and high end of the range in which the score would lie nine times in ten if the missing signals
    were known.
    """
    reasons: List[Reason]
    """What moved the score most, in words."""
    thresholds: Thresholds
    """Score thresholds of the trust levels."""


_TrafficWindowOptionalKeywords = TypedDict("_TrafficWindowOptionalKeywords", {"from": "str"}, total=False)


class TrafficWindow(_TrafficWindowOptionalKeywords, total=False):
    """A time window; the last seven days by default."""

    to: str
    """ISO 8601 date or time, exclusive. Default: now. At most 92 days after `from`."""


_ScoreBandRequiredKeywords = TypedDict("_ScoreBandRequiredKeywords", {"from": "float"})


class ScoreBand(_ScoreBandRequiredKeywords):
    """A part of traffic score histogram."""

    to: float
    """Upper end, exclusive except in the last band."""
    count: int
    """Sessions with a score in this band."""


class TrafficScore(TypedDict):
    """Distribution of the scores."""

    mean: float
    """Mean over all sessions."""
    p25: float
    """25th percentile."""
    p50: float
    """Median."""
    p75: float
    """75th percentile."""
    histogram: List[ScoreBand]
    """Ten bands from 0 to 100."""


class TrafficLevels(TypedDict):
    """Sessions by trust level."""

    high: int
    """Sessions with level high."""
    medium: int
    """Sessions with level medium."""
    low: int
    """Sessions with level low."""


class SignalStatistics(TypedDict):
    """Statistics of the signal over the window."""

    present: int
    """Sessions that had the signal."""
    mean: float
    """Mean over the sessions that had the signal; for return_visitor, the share of returning visitors."""
    p50: float
    """Median: fractions to two decimals, everything else to three significant digits."""


class TrafficSignals(TypedDict):
    """Statistics per signal."""

    user_engagement: SignalStatistics
    """Statistics of the signal over the window."""
    session_duration: SignalStatistics
    """Statistics of the signal over the window."""
    scroll_depth: SignalStatistics
    """Statistics of the signal over the window."""
    interaction_count: SignalStatistics
    """Statistics of the signal over the window."""
    page_views: SignalStatistics
    """Statistics of the signal over the window."""
    return_visitor: SignalStatistics
    """Statistics of the signal over the window."""


class TrafficPrevious(TypedDict):
    """The preceding window of the same length. Zeros if there were no sessions."""

    sessions: int
    """Sessions scored in the window."""
    score: TrafficScore
    """Distribution of the scores."""
    levels: TrafficLevels
    """Sessions by trust level."""
    signals: TrafficSignals
    """Statistics per signal."""


class TrafficFinding(TypedDict):
    """A part of traffic findings."""

    code: Literal["exact_duplicates", "regular_intervals", "unlike_people", "round_numbers"]
    """Stable code to match on."""
    message: str
    """Human-readable. It may change."""
    share: float
    """Share of the examined sessions."""


_TrafficRequiredKeywords = TypedDict("_TrafficRequiredKeywords", {"from": "str"})


class Traffic(Answer, _TrafficRequiredKeywords):
    """A summary of your own sessions in a time window."""

    analysis_id: str
    """Identifies this answer in the ledger."""
    to: str
    """End of the window, exclusive."""
    sessions: int
    """Sessions scored in the window."""
    score: TrafficScore
    """Distribution of the scores."""
    levels: TrafficLevels
    """Sessions by trust level."""
    signals: TrafficSignals
    """Statistics per signal."""
    previous: TrafficPrevious
    """The preceding window of the same length. Zeros if there were no sessions."""
    findings: List[TrafficFinding]
    """Patterns unlike honest traffic among the window's newest 20,000 sessions; none are reported for
    fewer than 50.
    """
    complete: bool
    """False when there were more sessions than one call reads: the newest are counted, and the next call
    continues from there.
    """
    revenue_attribution: float
    """USD earned by this call; 0 for a test key."""
    processing_time_ms: float
    """Time from the arrival of the request until the answer was ready."""


class PartialSessionData(TypedDict, total=False):
    """The signals that were scored: attested ones where the session was attested, otherwise as they were
    sent.
    """

    user_engagement: float
    """Engagement level, 0 to 1."""
    session_duration: float
    """Length of the session in seconds; fractions are allowed."""
    scroll_depth: float
    """Furthest scroll position reached, 0 to 1."""
    interaction_count: int
    """Clicks and taps."""
    page_views: int
    """Pages viewed."""
    return_visitor: bool
    """Whether the visitor has been here before."""


class Session(Answer):
    """A scored session as it is stored."""

    service_score: float
    """Trust in the session, 0 to 100 with one decimal."""
    trust_level: Literal["high", "medium", "low"]
    """high from 70, medium from 40, otherwise low; derived from service_score as shown."""
    confidence: float
    """Probability that the level would be the same if the missing signals were seen and the model had been
    trained on another sample of sessions.
    """
    revenue_attribution: float
    """USD earned by this call; 0 for a test key."""
    processing_time_ms: float
    """Time from the arrival of the request until its answer was handed to the commit that bills it."""
    session_id: str
    """Identifies the session record; later ids sort after earlier ones."""
    timestamp: str
    """When the session was scored."""
    attribution_confidence: float
    """Older name of confidence; always equal to it."""
    recommendation: Literal["high_value_user", "standard_user", "low_value_user", "suspected_automation"]
    """The verdict as a single code."""
    model_version: str
    """Version of the model that scored the session."""
    calibration: Literal["shipped", "account"]
    """shipped: the score is on the model's own scale. account: on the account's own, made from the
    outcomes that it reported.
    """
    attestation: Literal["server_timed", "asserted"]
    """server_timed: the signals in `attested` were measured under the service's own clock. asserted: all
    of them are the caller's word.
    """
    attested: List[Literal["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]]
    """The signals that were attested; empty unless attestation is server_timed."""
    attestation_issues: List[str]
    """What is to be known of the session_token; empty if there is nothing, or no token. More codes may be
    added. Known: crowded_network, late_beats, proxied, origin_mismatch, too_short, token_expired,
    token_used.
    """
    signals: PartialSessionData
    """The signals that were scored: attested ones where the session was attested, otherwise as they were
    sent.
    """
    endpoint: Literal["predict", "score", "analyze"]
    """The endpoint that scored the session."""
    outcome: Optional[Literal["converted", "genuine", "refunded", "fraud", "bot"]]
    """The last reported outcome; null if there is none."""
    mode: Literal["live", "test"]
    """Mode of the key that was used."""
    settlement: Optional[Literal["pending", "confirmed", "reversed"]]
    """Whether what the call earned may still be reversed, is confirmed, or was reversed; null in test
    mode.
    """


class RecordedOutcome(Answer):
    """Confirms that an outcome is recorded."""

    session_id: str
    """The session that the outcome belongs to."""
    outcome: Literal["converted", "genuine", "refunded", "fraud", "bot"]
    """The reported outcome; it replaces an earlier one."""
    recorded_at: str
    """When it was recorded."""


_UsageWindowOptionalKeywords = TypedDict("_UsageWindowOptionalKeywords", {"from": "str"}, total=False)


class UsageWindow(_UsageWindowOptionalKeywords, total=False):
    """A time window; the last 30 days by default."""

    to: str
    """ISO 8601 date or time, exclusive. Default: now."""


class UsageEndpoint(TypedDict):
    """A part of usage endpoints."""

    endpoint: str
    """Endpoint that was called, such as predict."""
    calls: int
    """Billed calls."""
    gross_usd: float
    """0.05 per call."""
    developer_usd: float
    """The developer's share."""
    platform_usd: float
    """What remains for the platform."""


class UsagePeriod(TypedDict):
    """A part of usage series."""

    start: str
    """Start of the hour or day."""
    calls: int
    """Billed calls."""
    gross_usd: float
    """0.05 per call."""
    developer_usd: float
    """The developer's share."""
    platform_usd: float
    """What remains for the platform."""


_UsageRequiredKeywords = TypedDict("_UsageRequiredKeywords", {"from": "str"})


class Usage(Answer, _UsageRequiredKeywords):
    """Calls and revenue over time."""

    to: str
    """End of the span, exclusive."""
    granularity: Literal["hour", "day"]
    """hour for spans of up to two days, day for longer ones."""
    calls: int
    """Billed calls."""
    gross_usd: float
    """0.05 per call."""
    developer_usd: float
    """The developer's share."""
    platform_usd: float
    """What remains for the platform."""
    endpoints: List[UsageEndpoint]
    """One item per endpoint that was called."""
    series: List[UsagePeriod]
    """One item per hour or day that had calls."""


class WaitingMoney(TypedDict):
    """A part of confirmed money waiting."""

    reason: Literal["not_yet_due", "below_minimum", "payee_missing", "payee_changed", "linked_account", "growth_review", "finding_open", "held", "not_funded", "repeated_session", "unexamined", "crowded_network"]
    """Why it is not payable yet. It becomes payable as soon as the reason ends."""
    usd: float
    """The amount."""
    explained: str
    """The reason in a sentence. Not to be matched on."""


class ConfirmedMoney(TypedDict):
    """What can no longer be reversed."""

    usd: float
    """What waits + payable_usd + in_payout_usd + paid_usd."""
    waiting: List[WaitingMoney]
    """One item per reason."""
    payable_usd: float
    """Can be proposed for payout now."""
    in_payout_usd: float
    """In payouts that are proposed, approved or exported."""
    paid_usd: float
    """Paid out, less what came back."""


class Balance(TypedDict):
    """The account's money by its state, as of now."""

    accrued_usd: float
    """Everything earned: pending_usd + confirmed.usd."""
    pending_usd: float
    """From calls and clicks that may still be reversed."""
    confirmed: ConfirmedMoney
    """What can no longer be reversed."""
    owed_usd: float
    """Paid, promised or charged beyond what was earned; it is set off against later earnings."""
    spendable_usd: float
    """What calls can be charged to where the developer pays for them; never paid out."""
    next_date: str
    """When more can become payable at the earliest: the next 15th, or the day a changed payee may be paid
    to.
    """


class StatementLine(TypedDict):
    """A part of statement lines."""

    endpoint: str
    """Endpoint that was called, such as predict."""
    payer: Literal["platform", "developer"]
    """Who paid for the calls."""
    share_percent: float
    """The developer's share when the calls were made."""
    calls: int
    """Billed calls."""
    gross_usd: float
    """0.05 per call."""
    developer_usd: float
    """The developer's share."""
    platform_usd: float
    """What remains for the platform."""


class StatementClicks(TypedDict):
    """Earnings from ads."""

    clicks: int
    """Paid clicks of the month, including reversed ones."""
    developer_usd: float
    """The developer's share of these clicks, less the month's reversals."""
    pending_usd: float
    """Part from clicks of the month that may still be reversed."""
    confirmed_usd: float
    """Part from clicks of the month that can no longer be reversed."""
    reversed_usd: float
    """Reversed in the month."""


class StatementCallsSettlement(TypedDict):
    """The developer's share of the month's calls that the platform pays, as of the month's end; for the
    current month, now. Absent in statements of months that ended before calls were settled by the day.
    """

    pending_usd: float
    """May still be reversed."""
    confirmed_usd: float
    """Can no longer be reversed."""
    reversed_usd: float
    """Was reversed."""


class CallReversal(TypedDict):
    """A part of statement call reversals."""

    ref: str
    """`day:YYYY-MM-DD`, with `#n` where a part of the day was reversed."""
    seq: int
    """Number of its ledger entry."""
    at: str
    """When it was booked."""
    share_percent: float
    """The developer's share when the calls were made."""
    calls: int
    """How many calls."""
    gross_usd: float
    """The price of the calls, as a positive number."""
    developer_usd: float
    """What was taken back from the developer, as a positive number."""
    reason: str
    """Why, as the operator or the finding says."""


class HeldMoney(TypedDict):
    """A part of statement held."""

    by: Literal["held", "finding_open"]
    """An operator's hold, or an open finding."""
    reason: str
    """Why."""
    since: str
    """Since when."""


class Correction(TypedDict):
    """A part of statement corrections."""

    ref: str
    """Its id."""
    kind: Literal["deposit", "adjustment"]
    """A deposit was paid in; an adjustment corrects."""
    on: Literal["earnings", "prepaid"]
    """The money that it changes: what can be paid out, or what calls can be charged to."""
    usd: float
    """May be negative."""
    reason: Optional[str]
    """An adjustment always has one."""
    at: str
    """When it was booked."""
    seq: int
    """Number of its ledger entry."""


class StatementPrepaid(TypedDict):
    """The part of the balance that calls are charged to and that is never paid out: deposits, adjustments
    and shares, less what calls cost.
    """

    opening_usd: float
    """At the start of the month."""
    closing_usd: float
    """At its end; for the current month, so far."""


class StatementPayouts(TypedDict):
    """Payouts from the account."""

    paid_usd: float
    """Paid out in the month."""
    returned_usd: float
    """Payouts returned in the month."""


class StatementMovement(TypedDict):
    """A part of statement movements."""

    kind: Literal["click", "funding", "deposit", "adjustment", "reversal", "payout", "payout_returned"]
    """Kind of the ledger entries."""
    entries: int
    """Number of entries."""
    gross_usd: float
    """Their total amount."""
    developer_usd: float
    """The developer's share of it."""
    platform_usd: float
    """The platform's share of it."""
    balance_change_usd: float
    """Change of the account's balance."""


class StatementCheckpoint(TypedDict):
    """A part of statement checkpoint."""

    origin: str
    """Name of the log."""
    size: int
    """Entries that the checkpoint covers."""
    root: str
    """Root of the log at that size, in base64."""
    logged_at: str
    """When it was signed."""
    note: str
    """The signed checkpoint (C2SP tlog-checkpoint)."""


class _StatementRequired(Answer):
    month: str
    """Month in UTC."""
    calls: int
    """Billed calls."""
    gross_usd: float
    """0.05 per call."""
    developer_usd: float
    """The developer's share."""
    platform_usd: float
    """What remains for the platform."""
    charged_usd: float
    """Amount charged to the developer; 0 if the platform pays for calls."""
    balance_usd: float
    """Current balance of the account, over all months."""
    lines: List[StatementLine]
    """One line per endpoint, payer and rate."""
    ads: StatementClicks
    """Earnings from ads."""
    calls_reversed_usd: float
    """Taken back in the month for calls; 0 or more where the platform pays for calls."""
    deposits_usd: float
    """Paid in for calls in the month."""
    adjustments_usd: float
    """Corrections by the operator; may be negative."""
    corrections: List[Correction]
    """The month's deposits and adjustments with their reasons, the first 500."""
    prepaid: StatementPrepaid
    """The part of the balance that calls are charged to and that is never paid out: deposits, adjustments
    and shares, less what calls cost.
    """
    payouts: StatementPayouts
    """Payouts from the account."""
    movements: List[StatementMovement]
    """Everything except calls, by kind. Opening balance, calls and movements add up to the closing
    balance.
    """
    opening_balance_usd: float
    """Balance at the start of the month."""
    closing_balance_usd: float
    """Balance at the end of the month; for the current month, so far."""
    is_final: bool
    """Whether the month is over."""
    entries: int
    """Number of ledger entries in the month."""
    first_receipt: Optional[str]
    """`<seq>.<hash>`, as calls return it; null if the month has no entry."""
    last_receipt: Optional[str]
    """`<seq>.<hash>`, as calls return it; null if the month has no entry."""


class Statement(_StatementRequired, total=False):
    """A month's statement."""

    balance: Balance
    """The account's money by its state, as of now."""
    calls_settlement: StatementCallsSettlement
    """The developer's share of the month's calls that the platform pays, as of the month's end; for the
    current month, now. Absent in statements of months that ended before calls were settled by the day.
    """
    call_reversals: List[CallReversal]
    """The reversals of calls that were booked in the month, with their reasons, the first 500."""
    held: List[HeldMoney]
    """What held the account's money at the month's end; for the current month, now. Empty if nothing did."""
    checkpoint: Optional[StatementCheckpoint]
    """The first checkpoint of the log that covers `last_receipt`; null if the entry is not logged yet, or
    there is none. Absent in statements of months that ended before the log began.
    """


class UserContext(TypedDict, total=False):
    """Where the ad will be shown. Never send personal data."""

    app_category: str
    """Category of the calling application, such as gaming. Any name that fits the pattern;
    case-insensitive.
    """
    service_score: float
    """Score reported by the caller, unverified. It does not qualify for campaigns with a minimum trust:
    send session_id for that.
    """
    session_id: str
    """Id that a scoring call of this account returned, with a key of the same mode, less than 30 minutes
    ago: the trust is then verified. Any other id is treated as absent. At most 20 ads per session.
    """


class AdRequest(TypedDict, total=False):
    """What ad is wanted; every field is optional."""

    format: Literal["banner", "native", "interstitial"]
    """Default: banner."""
    placement: Literal["feed", "sidebar", "fullscreen"]
    """Default: feed, or fullscreen for an interstitial."""
    user_context: UserContext
    """Where the ad will be shown. Never send personal data."""


class Creative(TypedDict):
    """What to show."""

    headline: str
    """Plain text, like all texts here: insert it into the page as text, never as markup."""
    description: str
    """One or two lines; may be empty."""
    image_url: str
    """Safe to cache forever: a different image has a different URL."""
    cta_text: str
    """Label of the button."""
    click_url: str
    """Link target of the ad. It records the click and redirects to the advertiser's page."""


class Ad(TypedDict):
    """An ad to show, with the URLs that record its impression and its click."""

    ad_id: str
    """Identifies the offer; the ledger entry of a paid click refers to it."""
    creative: Creative
    """What to show."""
    impression_tracking_url: str
    """Fetch it once, when the visitor sees the ad."""
    estimated_revenue: float
    """Exact amount in USD that a valid click pays. 0 for house ads and for test keys."""
    image_width: int
    """In pixels."""
    image_height: int
    """In pixels."""
    advertiser: str
    """The advertiser's name."""
    house: bool
    """Whether it is one of the installation's own ads, which pay nothing."""
    expires_at: str
    """Clicks from this time on are not paid."""


class AdResult(Answer):
    """An ad, or None with the reason."""

    ad: Optional[Ad]
    no_fill_reason: Optional[str]
    """A `NoFillReason`, or one that is newer than this client; None if there is an ad."""


class ProofFile(Answer):
    """The proof of a ledger entry, as a file."""

    proof: str
    """For `verify_proof`."""


class _SessionReportRequired(TypedDict):
    session_data: PartialSessionData


class SessionReport(_SessionReportRequired, total=False):
    """What the collector posts to your server. It may have more fields: they are not passed on."""

    session_token: Optional[str]
    """None and "" mean that there is none."""
