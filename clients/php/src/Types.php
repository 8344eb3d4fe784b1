<?php

// Generated from Assay's contract by scripts/print-client-types.ts.

declare(strict_types=1);

namespace Assay;

/**
 * Shapes of what is sent and received, for static analysis: `@phpstan-import-type Prediction from \Assay\Types`. The
 * reference at `/docs` of your installation explains every field.
 *
 * How a scored session ended. converted and genuine are good outcomes; refunded, fraud and bot are bad
 * ones.
 * @phpstan-type Outcome 'converted'|'genuine'|'refunded'|'fraud'|'bot'
 *
 * Why a request got no ad. More reasons may be added.
 * @phpstan-type NoFillReason 'no_campaign'|'not_scheduled'|'trust_required'|'bid_under_floor'|'budget_used_up'|'offers_unclicked'|'paced'|'session_offer_limit'|'test_scenario'
 *
 * An answer that a test key can force.
 * @phpstan-type TestScenario 'low'|'medium'|'high'|'rate_limited'|'server_error'|'no_fill'|'payment_required'|'session_token_used'|'held'
 *
 * The six signals of one visitor session: behaviour only, never personal data. Leave out optional
 * signals that were not measured.
 * @phpstan-type SessionData array{
 *   user_engagement: int|float,
 *   session_duration: int|float,
 *   scroll_depth?: int|float,
 *   interaction_count?: int,
 *   page_views?: int,
 *   return_visitor?: bool,
 * }
 *
 * The answer of predict: the verdict on a session.
 * @phpstan-type Prediction array{
 *   service_score: int|float,
 *   trust_level: 'high'|'medium'|'low',
 *   confidence: int|float,
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 *   session_id: string,
 *   timestamp: string,
 *   attribution_confidence: int|float,
 *   recommendation: 'high_value_user'|'standard_user'|'low_value_user'|'suspected_automation',
 *   model_version: string,
 *   calibration: 'shipped'|'account',
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 * }
 *
 * The answer of score: the verdict in its shorter shape.
 * @phpstan-type Score array{
 *   service_score: int|float,
 *   trust_level: 'high'|'medium'|'low',
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 *   session_id: string,
 *   attribution_confidence: int|float,
 *   recommendation: 'high_value_user'|'standard_user'|'low_value_user'|'suspected_automation',
 *   model_version: string,
 *   calibration: 'shipped'|'account',
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   confidence: int|float,
 * }
 *
 * A part of analysis contributions.
 * @phpstan-type Contribution array{
 *   signal: string,
 *   value: int|float|bool|null,
 *   points: int|float,
 * }
 *
 * A part of analysis by signal.
 * @phpstan-type SignalPoints array{
 *   signal: string,
 *   points: int|float,
 * }
 *
 * A part of analysis would raise.
 * @phpstan-type Raise array{
 *   signal: 'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'|'return_visitor',
 *   from: int|float|bool,
 *   to: int|float|bool,
 *   score: int|float,
 * }
 *
 * A part of analysis reasons.
 * @phpstan-type Reason array{
 *   code: string,
 *   message: string,
 * }
 *
 * Score thresholds of the trust levels.
 * @phpstan-type Thresholds array{
 *   high: int|float,
 *   medium: int|float,
 * }
 *
 * The answer of analyze: the verdict, and what each signal contributed to it.
 * @phpstan-type Analysis array{
 *   service_score: int|float,
 *   trust_level: 'high'|'medium'|'low',
 *   confidence: int|float,
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 *   session_id: string,
 *   timestamp: string,
 *   attribution_confidence: int|float,
 *   recommendation: 'high_value_user'|'standard_user'|'low_value_user'|'suspected_automation',
 *   model_version: string,
 *   calibration: 'shipped'|'account',
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   base_value: int|float,
 *   contributions: list<Contribution>,
 *   by_signal: list<SignalPoints>,
 *   would_raise: list<Raise>,
 *   unrounded_score: int|float,
 *   interval: array{int|float, int|float},
 *   reasons: list<Reason>,
 *   thresholds: Thresholds,
 * }
 *
 * A time window; the last seven days by default.
 * @phpstan-type TrafficWindow array{
 *   from?: string,
 *   to?: string,
 * }
 *
 * A part of traffic score histogram.
 * @phpstan-type ScoreBand array{
 *   from: int|float,
 *   to: int|float,
 *   count: int,
 * }
 *
 * Distribution of the scores.
 * @phpstan-type TrafficScore array{
 *   mean: int|float,
 *   p25: int|float,
 *   p50: int|float,
 *   p75: int|float,
 *   histogram: list<ScoreBand>,
 * }
 *
 * Sessions by trust level.
 * @phpstan-type TrafficLevels array{
 *   high: int,
 *   medium: int,
 *   low: int,
 * }
 *
 * Statistics of the signal over the window.
 * @phpstan-type SignalStatistics array{
 *   present: int,
 *   mean: int|float,
 *   p50: int|float,
 * }
 *
 * Statistics per signal.
 * @phpstan-type TrafficSignals array{
 *   user_engagement: SignalStatistics,
 *   session_duration: SignalStatistics,
 *   scroll_depth: SignalStatistics,
 *   interaction_count: SignalStatistics,
 *   page_views: SignalStatistics,
 *   return_visitor: SignalStatistics,
 * }
 *
 * The preceding window of the same length. Zeros if there were no sessions.
 * @phpstan-type TrafficPrevious array{
 *   sessions: int,
 *   score: TrafficScore,
 *   levels: TrafficLevels,
 *   signals: TrafficSignals,
 * }
 *
 * A part of traffic findings.
 * @phpstan-type TrafficFinding array{
 *   code: 'exact_duplicates'|'regular_intervals'|'unlike_people'|'round_numbers',
 *   message: string,
 *   share: int|float,
 * }
 *
 * A summary of your own sessions in a time window.
 * @phpstan-type Traffic array{
 *   analysis_id: string,
 *   from: string,
 *   to: string,
 *   sessions: int,
 *   score: TrafficScore,
 *   levels: TrafficLevels,
 *   signals: TrafficSignals,
 *   previous: TrafficPrevious,
 *   findings: list<TrafficFinding>,
 *   complete: bool,
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 * }
 *
 * The signals that were scored: attested ones where the session was attested, otherwise as they were
 * sent.
 * @phpstan-type PartialSessionData array{
 *   user_engagement?: int|float,
 *   session_duration?: int|float,
 *   scroll_depth?: int|float,
 *   interaction_count?: int,
 *   page_views?: int,
 *   return_visitor?: bool,
 * }
 *
 * A scored session as it is stored.
 * @phpstan-type Session array{
 *   service_score: int|float,
 *   trust_level: 'high'|'medium'|'low',
 *   confidence: int|float,
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 *   session_id: string,
 *   timestamp: string,
 *   attribution_confidence: int|float,
 *   recommendation: 'high_value_user'|'standard_user'|'low_value_user'|'suspected_automation',
 *   model_version: string,
 *   calibration: 'shipped'|'account',
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   signals: PartialSessionData,
 *   endpoint: 'predict'|'score'|'analyze',
 *   outcome: 'converted'|'genuine'|'refunded'|'fraud'|'bot'|null,
 *   mode: 'live'|'test',
 *   settlement: 'pending'|'confirmed'|'reversed'|null,
 * }
 *
 * Confirms that an outcome is recorded.
 * @phpstan-type RecordedOutcome array{
 *   session_id: string,
 *   outcome: 'converted'|'genuine'|'refunded'|'fraud'|'bot',
 *   recorded_at: string,
 * }
 *
 * A time window; the last 30 days by default.
 * @phpstan-type UsageWindow array{
 *   from?: string,
 *   to?: string,
 * }
 *
 * A part of usage endpoints.
 * @phpstan-type UsageEndpoint array{
 *   endpoint: string,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 * }
 *
 * A part of usage series.
 * @phpstan-type UsagePeriod array{
 *   start: string,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 * }
 *
 * Calls and revenue over time.
 * @phpstan-type Usage array{
 *   from: string,
 *   to: string,
 *   granularity: 'hour'|'day',
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 *   endpoints: list<UsageEndpoint>,
 *   series: list<UsagePeriod>,
 * }
 *
 * A part of confirmed money waiting.
 * @phpstan-type WaitingMoney array{
 *   reason: 'not_yet_due'|'below_minimum'|'payee_missing'|'payee_changed'|'linked_account'|'growth_review'|'finding_open'|'held'|'not_funded'|'repeated_session'|'unexamined'|'crowded_network',
 *   usd: int|float,
 *   explained: string,
 * }
 *
 * What can no longer be reversed.
 * @phpstan-type ConfirmedMoney array{
 *   usd: int|float,
 *   waiting: list<WaitingMoney>,
 *   payable_usd: int|float,
 *   in_payout_usd: int|float,
 *   paid_usd: int|float,
 * }
 *
 * The account's money by its state, as of now.
 * @phpstan-type Balance array{
 *   accrued_usd: int|float,
 *   pending_usd: int|float,
 *   confirmed: ConfirmedMoney,
 *   owed_usd: int|float,
 *   spendable_usd: int|float,
 *   next_date: string,
 * }
 *
 * A part of statement lines.
 * @phpstan-type StatementLine array{
 *   endpoint: string,
 *   payer: 'platform'|'developer',
 *   share_percent: int|float,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 * }
 *
 * Earnings from ads.
 * @phpstan-type StatementClicks array{
 *   clicks: int,
 *   developer_usd: int|float,
 *   pending_usd: int|float,
 *   confirmed_usd: int|float,
 *   reversed_usd: int|float,
 * }
 *
 * The developer's share of the month's calls that the platform pays, as of the month's end; for the
 * current month, now. Absent in statements of months that ended before calls were settled by the day.
 * @phpstan-type StatementCallsSettlement array{
 *   pending_usd: int|float,
 *   confirmed_usd: int|float,
 *   reversed_usd: int|float,
 * }
 *
 * A part of statement call reversals.
 * @phpstan-type CallReversal array{
 *   ref: string,
 *   seq: int,
 *   at: string,
 *   share_percent: int|float,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   reason: string,
 * }
 *
 * A part of statement held.
 * @phpstan-type HeldMoney array{
 *   by: 'held'|'finding_open',
 *   reason: string,
 *   since: string,
 * }
 *
 * A part of statement corrections.
 * @phpstan-type Correction array{
 *   ref: string,
 *   kind: 'deposit'|'adjustment',
 *   on: 'earnings'|'prepaid',
 *   usd: int|float,
 *   reason: string|null,
 *   at: string,
 *   seq: int,
 * }
 *
 * The part of the balance that calls are charged to and that is never paid out: deposits, adjustments
 * and shares, less what calls cost.
 * @phpstan-type StatementPrepaid array{
 *   opening_usd: int|float,
 *   closing_usd: int|float,
 * }
 *
 * Payouts from the account.
 * @phpstan-type StatementPayouts array{
 *   paid_usd: int|float,
 *   returned_usd: int|float,
 * }
 *
 * A part of statement movements.
 * @phpstan-type StatementMovement array{
 *   kind: 'click'|'funding'|'deposit'|'adjustment'|'reversal'|'payout'|'payout_returned',
 *   entries: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 *   balance_change_usd: int|float,
 * }
 *
 * A part of statement checkpoint.
 * @phpstan-type StatementCheckpoint array{
 *   origin: string,
 *   size: int,
 *   root: string,
 *   logged_at: string,
 *   note: string,
 * }
 *
 * A month's statement.
 * @phpstan-type Statement array{
 *   month: string,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 *   charged_usd: int|float,
 *   balance_usd: int|float,
 *   balance?: Balance,
 *   lines: list<StatementLine>,
 *   ads: StatementClicks,
 *   calls_settlement?: StatementCallsSettlement,
 *   call_reversals?: list<CallReversal>,
 *   held?: list<HeldMoney>,
 *   calls_reversed_usd: int|float,
 *   deposits_usd: int|float,
 *   adjustments_usd: int|float,
 *   corrections: list<Correction>,
 *   prepaid: StatementPrepaid,
 *   payouts: StatementPayouts,
 *   movements: list<StatementMovement>,
 *   opening_balance_usd: int|float,
 *   closing_balance_usd: int|float,
 *   is_final: bool,
 *   entries: int,
 *   first_receipt: string|null,
 *   last_receipt: string|null,
 *   checkpoint?: StatementCheckpoint|null,
 * }
 *
 * Where the ad will be shown. Never send personal data.
 * @phpstan-type UserContext array{
 *   app_category?: string,
 *   service_score?: int|float,
 *   session_id?: string,
 * }
 *
 * What ad is wanted; every field is optional.
 * @phpstan-type AdRequest array{
 *   format?: 'banner'|'native'|'interstitial',
 *   placement?: 'feed'|'sidebar'|'fullscreen',
 *   user_context?: UserContext,
 * }
 *
 * What to show.
 * @phpstan-type Creative array{
 *   headline: string,
 *   description: string,
 *   image_url: string,
 *   cta_text: string,
 *   click_url: string,
 * }
 *
 * An ad to show, with the URLs that record its impression and its click.
 * @phpstan-type Ad array{
 *   ad_id: string,
 *   creative: Creative,
 *   impression_tracking_url: string,
 *   estimated_revenue: int|float,
 *   image_width: int,
 *   image_height: int,
 *   advertiser: string,
 *   house: bool,
 *   expires_at: string,
 * }
 *
 * What the collector posts to your server. It may have more fields, such as `sequence`: they are not passed on. The
 * signals may be incomplete if there is a token. Null and "" mean that there is none.
 * @phpstan-type SessionReport array{session_data: PartialSessionData, session_token?: string|null}
 */
final class Types
{
}
