<?php

// Generated from Assay's contract by clients/php/print-types.ts.

declare(strict_types=1);

namespace Assay;

/**
 * Shapes of what is sent and received, for static analysis: `@phpstan-import-type Prediction from \Assay\Types`. The
 * reference at `/docs` of your installation explains every field.
 *
 * The six signals of one visitor session: behaviour only, never personal data. Leave out optional signals that were not measured.
 * @phpstan-type SessionData array{
 *   user_engagement: int|float,
 *   session_duration: int|float,
 *   scroll_depth?: int|float,
 *   interaction_count?: int,
 *   page_views?: int,
 *   return_visitor?: bool,
 * }
 *
 * Time window for an analysis of traffic; the last seven days by default.
 * @phpstan-type TrafficWindow array{
 *   from?: string,
 *   to?: string,
 * }
 *
 * Request of an ad; every field is optional.
 * @phpstan-type AdRequest array{
 *   format?: 'banner'|'native'|'interstitial',
 *   placement?: 'feed'|'sidebar'|'fullscreen',
 *   user_context?: array{
 *     app_category?: string,
 *     service_score?: int|float,
 *     session_id?: string,
 *   },
 * }
 *
 * Answer of `predict`: the verdict on a session.
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
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 * }
 *
 * Answer of `score`: the verdict in its shorter shape.
 * @phpstan-type Score array{
 *   service_score: int|float,
 *   trust_level: 'high'|'medium'|'low',
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 *   session_id: string,
 *   attribution_confidence: int|float,
 *   recommendation: 'high_value_user'|'standard_user'|'low_value_user'|'suspected_automation',
 *   model_version: string,
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   confidence: int|float,
 * }
 *
 * Answer of `analyze`: the verdict, and what each signal contributed to it.
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
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   base_value: int|float,
 *   contributions: list<array{
 *     signal: string,
 *     value: int|float|bool|null,
 *     points: int|float,
 *   }>,
 *   unrounded_score: int|float,
 *   interval: array{int|float, int|float},
 *   reasons: list<array{
 *     code: string,
 *     message: string,
 *   }>,
 *   thresholds: array{
 *     high: int|float,
 *     medium: int|float,
 *   },
 * }
 *
 * Answer of `session`: a scored session as it is stored.
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
 *   attestation: 'server_timed'|'asserted',
 *   attested: list<'user_engagement'|'session_duration'|'scroll_depth'|'interaction_count'|'page_views'>,
 *   attestation_issues: list<string>,
 *   signals: array{
 *     user_engagement?: int|float,
 *     session_duration?: int|float,
 *     scroll_depth?: int|float,
 *     interaction_count?: int,
 *     page_views?: int,
 *     return_visitor?: bool,
 *   },
 *   endpoint: 'predict'|'score'|'analyze',
 *   outcome: 'converted'|'genuine'|'refunded'|'fraud'|'bot'|null,
 *   mode: 'live'|'test',
 *   settlement: 'pending'|'confirmed'|'reversed'|null,
 * }
 *
 * Answer of `analyzeTraffic`: a summary of your own sessions in a time window.
 * @phpstan-type Traffic array{
 *   analysis_id: string,
 *   from: string,
 *   to: string,
 *   sessions: int,
 *   score: array{
 *     mean: int|float,
 *     p25: int|float,
 *     p50: int|float,
 *     p75: int|float,
 *     histogram: list<array{
 *       from: int|float,
 *       to: int|float,
 *       count: int,
 *     }>,
 *   },
 *   levels: array{
 *     high: int,
 *     medium: int,
 *     low: int,
 *   },
 *   signals: array{
 *     user_engagement: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *     session_duration: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *     scroll_depth: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *     interaction_count: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *     page_views: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *     return_visitor: array{
 *       present: int,
 *       mean: int|float,
 *       p50: int|float,
 *     },
 *   },
 *   previous: array{
 *     sessions: int,
 *     score: array{
 *       mean: int|float,
 *       p25: int|float,
 *       p50: int|float,
 *       p75: int|float,
 *       histogram: list<array{
 *         from: int|float,
 *         to: int|float,
 *         count: int,
 *       }>,
 *     },
 *     levels: array{
 *       high: int,
 *       medium: int,
 *       low: int,
 *     },
 *     signals: array{
 *       user_engagement: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *       session_duration: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *       scroll_depth: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *       interaction_count: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *       page_views: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *       return_visitor: array{
 *         present: int,
 *         mean: int|float,
 *         p50: int|float,
 *       },
 *     },
 *   },
 *   findings: list<array{
 *     code: 'exact_duplicates'|'regular_intervals'|'unlike_people'|'round_numbers',
 *     message: string,
 *     share: int|float,
 *   }>,
 *   complete: bool,
 *   revenue_attribution: int|float,
 *   processing_time_ms: int|float,
 * }
 *
 * Answer of `reportOutcome`.
 * @phpstan-type RecordedOutcome array{
 *   session_id: string,
 *   outcome: 'converted'|'genuine'|'refunded'|'fraud'|'bot',
 *   recorded_at: string,
 * }
 *
 * Answer of `usage`: live calls and what they earned.
 * @phpstan-type Usage array{
 *   from: string,
 *   to: string,
 *   granularity: 'hour'|'day',
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 *   endpoints: list<array{
 *     endpoint: string,
 *     calls: int,
 *     gross_usd: int|float,
 *     developer_usd: int|float,
 *     platform_usd: int|float,
 *   }>,
 *   series: list<array{
 *     start: string,
 *     calls: int,
 *     gross_usd: int|float,
 *     developer_usd: int|float,
 *     platform_usd: int|float,
 *   }>,
 * }
 *
 * Answer of `statement`: the month's figures, equal to the ledger to the micro-dollar.
 * @phpstan-type Statement array{
 *   month: string,
 *   calls: int,
 *   gross_usd: int|float,
 *   developer_usd: int|float,
 *   platform_usd: int|float,
 *   charged_usd: int|float,
 *   balance_usd: int|float,
 *   balance?: array{
 *     accrued_usd: int|float,
 *     pending_usd: int|float,
 *     confirmed: array{
 *       usd: int|float,
 *       waiting: list<array{
 *         reason: 'not_yet_due'|'below_minimum'|'payee_missing'|'payee_changed'|'linked_account'|'growth_review'|'finding_open'|'held'|'not_funded',
 *         usd: int|float,
 *         explained: string,
 *       }>,
 *       payable_usd: int|float,
 *       in_payout_usd: int|float,
 *       paid_usd: int|float,
 *     },
 *     owed_usd: int|float,
 *     spendable_usd: int|float,
 *     next_date: string,
 *   },
 *   lines: list<array{
 *     endpoint: string,
 *     payer: 'platform'|'developer',
 *     share_percent: int|float,
 *     calls: int,
 *     gross_usd: int|float,
 *     developer_usd: int|float,
 *     platform_usd: int|float,
 *   }>,
 *   ads: array{
 *     clicks: int,
 *     developer_usd: int|float,
 *     pending_usd: int|float,
 *     confirmed_usd: int|float,
 *     reversed_usd: int|float,
 *   },
 *   calls_settlement?: array{
 *     pending_usd: int|float,
 *     confirmed_usd: int|float,
 *     reversed_usd: int|float,
 *   },
 *   call_reversals?: list<array{
 *     ref: string,
 *     seq: int,
 *     at: string,
 *     share_percent: int|float,
 *     calls: int,
 *     gross_usd: int|float,
 *     developer_usd: int|float,
 *     reason: string,
 *   }>,
 *   held?: list<array{
 *     by: 'held'|'finding_open',
 *     reason: string,
 *     since: string,
 *   }>,
 *   calls_reversed_usd: int|float,
 *   deposits_usd: int|float,
 *   adjustments_usd: int|float,
 *   corrections: list<array{
 *     ref: string,
 *     kind: 'deposit'|'adjustment',
 *     on: 'earnings'|'prepaid',
 *     usd: int|float,
 *     reason: string|null,
 *     at: string,
 *     seq: int,
 *   }>,
 *   prepaid: array{
 *     opening_usd: int|float,
 *     closing_usd: int|float,
 *   },
 *   payouts: array{
 *     paid_usd: int|float,
 *     returned_usd: int|float,
 *   },
 *   movements: list<array{
 *     kind: 'click'|'funding'|'deposit'|'adjustment'|'reversal'|'payout'|'payout_returned',
 *     entries: int,
 *     gross_usd: int|float,
 *     developer_usd: int|float,
 *     platform_usd: int|float,
 *     balance_change_usd: int|float,
 *   }>,
 *   opening_balance_usd: int|float,
 *   closing_balance_usd: int|float,
 *   is_final: bool,
 *   entries: int,
 *   first_receipt: string|null,
 *   last_receipt: string|null,
 *   checkpoint?: array{
 *     origin: string,
 *     size: int,
 *     root: string,
 *     logged_at: string,
 *     note: string,
 *   }|null,
 * }
 *
 * An ad to show, with the URLs that record its impression and its click.
 * @phpstan-type Ad array{
 *   ad_id: string,
 *   creative: array{
 *     headline: string,
 *     description: string,
 *     image_url: string,
 *     cta_text: string,
 *     click_url: string,
 *   },
 *   impression_tracking_url: string,
 *   estimated_revenue: int|float,
 *   image_width: int,
 *   image_height: int,
 *   advertiser: string,
 *   house: bool,
 *   expires_at: string,
 * }
 *
 * How a scored session ended. `converted` and `genuine` are good outcomes; the others are bad ones.
 * @phpstan-type Outcome 'converted'|'genuine'|'refunded'|'fraud'|'bot'
 *
 * Why a request got no ad. More may be added.
 * @phpstan-type NoFillReason 'no_campaign'|'not_scheduled'|'trust_required'|'bid_under_floor'|'budget_used_up'|'offers_unclicked'|'paced'|'session_offer_limit'|'test_scenario'
 *
 * Answer that a test key can force.
 * @phpstan-type TestScenario 'low'|'medium'|'high'|'rate_limited'|'server_error'|'no_fill'|'payment_required'|'session_token_used'|'held'
 *
 * Types of the events that are delivered. More may be added.
 * @phpstan-type WebhookType 'payout.proposed'|'payout.approved'|'payout.exported'|'payout.paid'|'payout.returned'|'payout.cancelled'|'hold.opened'|'hold.lifted'|'payee.changed'|'review.needed'|'review.done'|'statement.closed'|'adjustment.made'|'calls.reversed'|'clicks.reversed'|'finding.opened'|'finding.answered'|'finding.overdue'|'finding.decided'|'balance.low'|'key.created'|'key.expiring'|'key.revoked'|'key.used_in_browser'|'limit.near'|'limit.reached'|'model.released'|'model.sunset'|'calibration.drifted'|'campaign.exhausted'|'creative.pending'|'payout.waiting'|'tier.requested'|'funding.low'|'job.failing'|'log.unwitnessed'|'webhook.test'
 *
 * What the collector posts to your server. It may have more fields, such as `sequence`: they are not passed on. The signals
 * may be incomplete if there is a token. Null and "" mean that there is none.
 * @phpstan-type SessionReport array{session_data: array<string, int|float|bool>, session_token?: string|null}
 *
 * `data` of the event `payout.proposed`. A payout was proposed: it waits for an operator's approval.
 * @phpstan-type PayoutProposedData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `payout.approved`. An operator approved a payout.
 * @phpstan-type PayoutApprovedData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `payout.exported`. A payout is in the file for the bank.
 * @phpstan-type PayoutExportedData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `payout.paid`. The bank has paid.
 * @phpstan-type PayoutPaidData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `payout.returned`. A payout came back. If it had been paid, its amount is in the balance again.
 * @phpstan-type PayoutReturnedData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `payout.cancelled`. A payout was cancelled before it was exported; its amount is in the balance again.
 * @phpstan-type PayoutCancelledData array{
 *   account_id: string,
 *   payout_id: string,
 *   month: string,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `hold.opened`. The account's money is held: nothing is confirmed or paid until it is lifted.
 * @phpstan-type HoldOpenedData array{
 *   account_id: string,
 *   kind: string,
 * }
 *
 * `data` of the event `hold.lifted`. Holds on the account's money were lifted.
 * @phpstan-type HoldLiftedData array{
 *   account_id: string,
 *   kinds: list<string>,
 * }
 *
 * `data` of the event `payee.changed`. Where the account's money is sent was entered or changed.
 * @phpstan-type PayeeChangedData array{
 *   account_id: string,
 *   fields: list<string>,
 *   rests_until: string|null,
 *   cancelled_payouts: list<string>,
 * }
 *
 * `data` of the event `review.needed`. A part of the account's money waits until an operator has reviewed its growth.
 * @phpstan-type ReviewNeededData array{
 *   account_id: string,
 *   waiting_usd: int|float,
 * }
 *
 * `data` of the event `review.done`. An operator reviewed the account.
 * @phpstan-type ReviewDoneData array{
 *   account_id: string,
 *   monthly_usd: int|float|null,
 * }
 *
 * `data` of the event `statement.closed`. A month is over and its statement is final.
 * @phpstan-type StatementClosedData array{
 *   account_id: string,
 *   month: string,
 *   document_number: string,
 *   closing_usd: int|float,
 * }
 *
 * `data` of the event `adjustment.made`. An operator booked an adjustment or a deposit.
 * @phpstan-type AdjustmentMadeData array{
 *   account_id: string,
 *   kind: 'adjustment'|'deposit',
 *   amount_usd: int|float,
 *   receipt: string,
 * }
 *
 * `data` of the event `calls.reversed`. Calls that were not confirmed yet were reversed.
 * @phpstan-type CallsReversedData array{
 *   account_id: string,
 *   refs: list<string>,
 *   calls: int,
 *   developer_usd: int|float,
 * }
 *
 * `data` of the event `clicks.reversed`. Paid clicks that were not confirmed yet were reversed.
 * @phpstan-type ClicksReversedData array{
 *   account_id: string,
 *   ad_ids: list<string>,
 *   clicks: int,
 *   developer_usd: int|float,
 * }
 *
 * `data` of the event `finding.opened`. A check found something in the account's traffic, and its money is held until the finding is decided.
 * @phpstan-type FindingOpenedData array{
 *   account_id: string,
 *   finding_id: string,
 *   check: string,
 * }
 *
 * `data` of the event `finding.answered`. The developer answered a finding.
 * @phpstan-type FindingAnsweredData array{
 *   account_id: string,
 *   finding_id: string,
 * }
 *
 * `data` of the event `finding.overdue`. A finding has waited for an operator's decision for more than 14 days.
 * @phpstan-type FindingOverdueData array{
 *   account_id: string,
 *   finding_id: string,
 *   opened_at: string,
 * }
 *
 * `data` of the event `finding.decided`. A finding was decided, or the developer accepted it.
 * @phpstan-type FindingDecidedData array{
 *   account_id: string,
 *   finding_id: string,
 *   decision: 'upheld'|'dismissed'|'accepted'|'reopened',
 * }
 *
 * `data` of the event `balance.low`. Where calls are prepaid: what is left pays for few calls. Once per deposit.
 * @phpstan-type BalanceLowData array{
 *   account_id: string,
 *   spendable_usd: int|float,
 *   calls_left: int,
 * }
 *
 * `data` of the event `key.created`. An API key was created, or created by rotating another one.
 * @phpstan-type KeyCreatedData array{
 *   account_id: string,
 *   key_id: string,
 *   mode: 'live'|'test',
 *   last_four: string,
 * }
 *
 * `data` of the event `key.expiring`. An API key stops working soon: told seven days and one day before.
 * @phpstan-type KeyExpiringData array{
 *   account_id: string,
 *   key_id: string,
 *   mode: 'live'|'test',
 *   last_four: string,
 *   expires_at: string,
 * }
 *
 * `data` of the event `key.revoked`. An API key was revoked, or replaced by rotation.
 * @phpstan-type KeyRevokedData array{
 *   account_id: string,
 *   key_id: string,
 *   mode: 'live'|'test',
 *   last_four: string,
 *   works_until: string|null,
 * }
 *
 * `data` of the event `key.used_in_browser`. A live key was sent by a browser, so visitors can read it. Once per key and day.
 * @phpstan-type KeyUsedInBrowserData array{
 *   account_id: string,
 *   key_id: string,
 *   mode: 'live'|'test',
 *   last_four: string,
 * }
 *
 * `data` of the event `limit.near`. 80 % of a limit is used up. Once per limit and hour.
 * @phpstan-type LimitNearData array{
 *   account_id: string,
 *   limit: 'burst'|'hour',
 *   calls: int,
 * }
 *
 * `data` of the event `limit.reached`. Calls were refused with 429. Once per limit and hour.
 * @phpstan-type LimitReachedData array{
 *   account_id: string,
 *   limit: 'burst'|'hour',
 *   calls: int,
 * }
 *
 * `data` of the event `model.released`. This installation scores with a new model.
 * @phpstan-type ModelReleasedData array{
 *   account_id: string,
 *   model_version: string,
 *   previous_version: string,
 * }
 *
 * `data` of the event `model.sunset`. A model that the account uses ends.
 * @phpstan-type ModelSunsetData array{
 *   account_id: string,
 *   model_version: string,
 *   ends_at: string,
 * }
 *
 * `data` of the event `calibration.drifted`. The outcomes that the account reported no longer fit the scores. Once per month.
 * @phpstan-type CalibrationDriftedData array{
 *   account_id: string,
 *   sessions: int,
 *   expected_share: int|float,
 *   observed_share: int|float,
 * }
 *
 * `data` of the event `campaign.exhausted`. A campaign's budget is used up.
 * @phpstan-type CampaignExhaustedData array{
 *   campaign_id: string,
 * }
 *
 * `data` of the event `creative.pending`. A creative waits for approval.
 * @phpstan-type CreativePendingData array{
 *   campaign_id: string,
 *   creative_id: string,
 * }
 *
 * `data` of the event `payout.waiting`. Payouts were proposed and wait for approval.
 * @phpstan-type PayoutWaitingData array{
 *   payouts: int,
 *   amount_usd: int|float,
 * }
 *
 * `data` of the event `tier.requested`. A developer asks for another tier.
 * @phpstan-type TierRequestedData array{
 *   account_id: string,
 *   tier: string,
 * }
 *
 * `data` of the event `funding.low`. The funds do not cover what will be payable next. Once per day.
 * @phpstan-type FundingLowData array{
 *   available_usd: int|float,
 *   owed_usd: int|float,
 * }
 *
 * `data` of the event `job.failing`. A job failed three times in a row. Once per job and day.
 * @phpstan-type JobFailingData array{
 *   job: string,
 *   failures: int,
 * }
 *
 * `data` of the event `log.unwitnessed`. No witness has cosigned the log for an hour. Once per day.
 * @phpstan-type LogUnwitnessedData array{
 *   log: string,
 *   since: string,
 * }
 *
 * `data` of the event `webhook.test`. Somebody asked for a test. Sent to one endpoint, whatever events it chose.
 * @phpstan-type WebhookTestData array{
 *   endpoint_id: string,
 * }
 */
final class Types
{
}
