// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** Answer of {@code statement}: the month's figures, equal to the ledger to the micro-dollar. */
public final class Statement extends Answer {
    Statement(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Month in UTC.
     *
     * @return never null
     */
    public String getMonth() {
        return text("month");
    }

    /**
     * Billed calls.
     *
     * @return the value
     */
    public long getCalls() {
        return integer("calls");
    }

    /**
     * 0.05 per call.
     *
     * @return the value
     */
    public double getGrossUsd() {
        return number("gross_usd");
    }

    /**
     * The developer's share.
     *
     * @return the value
     */
    public double getDeveloperUsd() {
        return number("developer_usd");
    }

    /**
     * What remains for the platform.
     *
     * @return the value
     */
    public double getPlatformUsd() {
        return number("platform_usd");
    }

    /**
     * Amount charged to the developer; 0 if the platform pays for calls.
     *
     * @return the value
     */
    public double getChargedUsd() {
        return number("charged_usd");
    }

    /**
     * Current balance of the account, over all months.
     *
     * @return the value
     */
    public double getBalanceUsd() {
        return number("balance_usd");
    }

    /**
     * The account's money by its state, as of now.
     *
     * @return may be null
     */
    public Balance getBalance() {
        return objectOrNull("balance", Balance::new);
    }

    /** The account's money by its state, as of now. */
    public static final class Balance extends Fields {
        Balance(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Everything earned: pending_usd + confirmed.usd.
         *
         * @return the value
         */
        public double getAccruedUsd() {
            return number("accrued_usd");
        }

        /**
         * From calls and clicks that may still be reversed.
         *
         * @return the value
         */
        public double getPendingUsd() {
            return number("pending_usd");
        }

        /**
         * What can no longer be reversed.
         *
         * @return never null
         */
        public Confirmed getConfirmed() {
            return object("confirmed", Confirmed::new);
        }

        /** What can no longer be reversed. */
        public static final class Confirmed extends Fields {
            Confirmed(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * What waits + payable_usd + in_payout_usd + paid_usd.
             *
             * @return the value
             */
            public double getUsd() {
                return number("usd");
            }

            /**
             * One item per reason.
             *
             * @return never null
             */
            public List<Waiting> getWaiting() {
                return list("waiting", each -> new Waiting(asObject(each)));
            }

            /** One of the items. */
            public static final class Waiting extends Fields {
                Waiting(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Why it is not payable yet. It becomes payable as soon as the reason ends.
                 *
                 * @return never null
                 */
                public String getReason() {
                    return text("reason");
                }

                /**
                 * The amount.
                 *
                 * @return the value
                 */
                public double getUsd() {
                    return number("usd");
                }

                /**
                 * The reason in a sentence. Not to be matched on.
                 *
                 * @return never null
                 */
                public String getExplained() {
                    return text("explained");
                }
            }

            /**
             * Can be proposed for payout now.
             *
             * @return the value
             */
            public double getPayableUsd() {
                return number("payable_usd");
            }

            /**
             * In payouts that are proposed, approved or exported.
             *
             * @return the value
             */
            public double getInPayoutUsd() {
                return number("in_payout_usd");
            }

            /**
             * Paid out, less what came back.
             *
             * @return the value
             */
            public double getPaidUsd() {
                return number("paid_usd");
            }
        }

        /**
         * Paid, promised or charged beyond what was earned; it is set off against later earnings.
         *
         * @return the value
         */
        public double getOwedUsd() {
            return number("owed_usd");
        }

        /**
         * What calls can be charged to where the developer pays for them; never paid out.
         *
         * @return the value
         */
        public double getSpendableUsd() {
            return number("spendable_usd");
        }

        /**
         * When more can become payable at the earliest: the next 15th, or the day a changed payee may be paid to.
         *
         * @return never null
         */
        public String getNextDate() {
            return text("next_date");
        }
    }

    /**
     * One line per endpoint, payer and rate.
     *
     * @return never null
     */
    public List<Line> getLines() {
        return list("lines", each -> new Line(asObject(each)));
    }

    /** One of the items. */
    public static final class Line extends Fields {
        Line(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Endpoint that was called, such as predict.
         *
         * @return never null
         */
        public String getEndpoint() {
            return text("endpoint");
        }

        /**
         * Who paid for the calls.
         *
         * @return never null
         */
        public String getPayer() {
            return text("payer");
        }

        /**
         * The developer's share when the calls were made.
         *
         * @return the value
         */
        public double getSharePercent() {
            return number("share_percent");
        }

        /**
         * Billed calls.
         *
         * @return the value
         */
        public long getCalls() {
            return integer("calls");
        }

        /**
         * 0.05 per call.
         *
         * @return the value
         */
        public double getGrossUsd() {
            return number("gross_usd");
        }

        /**
         * The developer's share.
         *
         * @return the value
         */
        public double getDeveloperUsd() {
            return number("developer_usd");
        }

        /**
         * What remains for the platform.
         *
         * @return the value
         */
        public double getPlatformUsd() {
            return number("platform_usd");
        }
    }

    /**
     * Earnings from ads.
     *
     * @return never null
     */
    public Ads getAds() {
        return object("ads", Ads::new);
    }

    /** Earnings from ads. */
    public static final class Ads extends Fields {
        Ads(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Paid clicks of the month, including reversed ones.
         *
         * @return the value
         */
        public long getClicks() {
            return integer("clicks");
        }

        /**
         * The developer's share of these clicks, less the month's reversals.
         *
         * @return the value
         */
        public double getDeveloperUsd() {
            return number("developer_usd");
        }

        /**
         * Part from clicks of the month that may still be reversed.
         *
         * @return the value
         */
        public double getPendingUsd() {
            return number("pending_usd");
        }

        /**
         * Part from clicks of the month that can no longer be reversed.
         *
         * @return the value
         */
        public double getConfirmedUsd() {
            return number("confirmed_usd");
        }

        /**
         * Reversed in the month.
         *
         * @return the value
         */
        public double getReversedUsd() {
            return number("reversed_usd");
        }
    }

    /**
     * The developer's share of the month's calls that the platform pays, as of the month's end; for the current
     * month, now. Absent in statements of months that ended before calls were settled by the day.
     *
     * @return may be null
     */
    public CallsSettlement getCallsSettlement() {
        return objectOrNull("calls_settlement", CallsSettlement::new);
    }

    /**
     * The developer's share of the month's calls that the platform pays, as of the month's end; for the current
     * month, now. Absent in statements of months that ended before calls were settled by the day.
     */
    public static final class CallsSettlement extends Fields {
        CallsSettlement(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * May still be reversed.
         *
         * @return the value
         */
        public double getPendingUsd() {
            return number("pending_usd");
        }

        /**
         * Can no longer be reversed.
         *
         * @return the value
         */
        public double getConfirmedUsd() {
            return number("confirmed_usd");
        }

        /**
         * Was reversed.
         *
         * @return the value
         */
        public double getReversedUsd() {
            return number("reversed_usd");
        }
    }

    /**
     * The reversals of calls that were booked in the month, with their reasons, the first 500.
     *
     * @return may be null
     */
    public List<CallReversal> getCallReversals() {
        return listOrNull("call_reversals", each -> new CallReversal(asObject(each)));
    }

    /** One of the items. */
    public static final class CallReversal extends Fields {
        CallReversal(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * {@code day:YYYY-MM-DD}, with {@code #n} where a part of the day was reversed.
         *
         * @return never null
         */
        public String getRef() {
            return text("ref");
        }

        /**
         * Number of its ledger entry.
         *
         * @return the value
         */
        public long getSeq() {
            return integer("seq");
        }

        /**
         * When it was booked.
         *
         * @return never null
         */
        public String getAt() {
            return text("at");
        }

        /**
         * The developer's share when the calls were made.
         *
         * @return the value
         */
        public double getSharePercent() {
            return number("share_percent");
        }

        /**
         * How many calls.
         *
         * @return the value
         */
        public long getCalls() {
            return integer("calls");
        }

        /**
         * The price of the calls, as a positive number.
         *
         * @return the value
         */
        public double getGrossUsd() {
            return number("gross_usd");
        }

        /**
         * What was taken back from the developer, as a positive number.
         *
         * @return the value
         */
        public double getDeveloperUsd() {
            return number("developer_usd");
        }

        /**
         * Why, as the operator or the finding says.
         *
         * @return never null
         */
        public String getReason() {
            return text("reason");
        }
    }

    /**
     * What held the account's money at the month's end; for the current month, now. Empty if nothing did.
     *
     * @return may be null
     */
    public List<Held> getHeld() {
        return listOrNull("held", each -> new Held(asObject(each)));
    }

    /** One of the items. */
    public static final class Held extends Fields {
        Held(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * An operator's hold, or an open finding.
         *
         * @return never null
         */
        public String getBy() {
            return text("by");
        }

        /**
         * Why.
         *
         * @return never null
         */
        public String getReason() {
            return text("reason");
        }

        /**
         * Since when.
         *
         * @return never null
         */
        public String getSince() {
            return text("since");
        }
    }

    /**
     * Taken back in the month for calls; 0 or more where the platform pays for calls.
     *
     * @return the value
     */
    public double getCallsReversedUsd() {
        return number("calls_reversed_usd");
    }

    /**
     * Paid in for calls in the month.
     *
     * @return the value
     */
    public double getDepositsUsd() {
        return number("deposits_usd");
    }

    /**
     * Corrections by the operator; may be negative.
     *
     * @return the value
     */
    public double getAdjustmentsUsd() {
        return number("adjustments_usd");
    }

    /**
     * The month's deposits and adjustments with their reasons, the first 500.
     *
     * @return never null
     */
    public List<Correction> getCorrections() {
        return list("corrections", each -> new Correction(asObject(each)));
    }

    /** One of the items. */
    public static final class Correction extends Fields {
        Correction(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Its id.
         *
         * @return never null
         */
        public String getRef() {
            return text("ref");
        }

        /**
         * A deposit was paid in; an adjustment corrects.
         *
         * @return never null
         */
        public String getKind() {
            return text("kind");
        }

        /**
         * The money that it changes: what can be paid out, or what calls can be charged to.
         *
         * @return never null
         */
        public String getOn() {
            return text("on");
        }

        /**
         * May be negative.
         *
         * @return the value
         */
        public double getUsd() {
            return number("usd");
        }

        /**
         * An adjustment always has one.
         *
         * @return may be null
         */
        public String getReason() {
            return textOrNull("reason");
        }

        /**
         * When it was booked.
         *
         * @return never null
         */
        public String getAt() {
            return text("at");
        }

        /**
         * Number of its ledger entry.
         *
         * @return the value
         */
        public long getSeq() {
            return integer("seq");
        }
    }

    /**
     * The part of the balance that calls are charged to and that is never paid out: deposits, adjustments and
     * shares, less what calls cost.
     *
     * @return never null
     */
    public Prepaid getPrepaid() {
        return object("prepaid", Prepaid::new);
    }

    /**
     * The part of the balance that calls are charged to and that is never paid out: deposits, adjustments and
     * shares, less what calls cost.
     */
    public static final class Prepaid extends Fields {
        Prepaid(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * At the start of the month.
         *
         * @return the value
         */
        public double getOpeningUsd() {
            return number("opening_usd");
        }

        /**
         * At its end; for the current month, so far.
         *
         * @return the value
         */
        public double getClosingUsd() {
            return number("closing_usd");
        }
    }

    /**
     * Payouts from the account.
     *
     * @return never null
     */
    public Payouts getPayouts() {
        return object("payouts", Payouts::new);
    }

    /** Payouts from the account. */
    public static final class Payouts extends Fields {
        Payouts(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Paid out in the month.
         *
         * @return the value
         */
        public double getPaidUsd() {
            return number("paid_usd");
        }

        /**
         * Payouts returned in the month.
         *
         * @return the value
         */
        public double getReturnedUsd() {
            return number("returned_usd");
        }
    }

    /**
     * Everything except calls, by kind. Opening balance, calls and movements add up to the closing balance.
     *
     * @return never null
     */
    public List<Movement> getMovements() {
        return list("movements", each -> new Movement(asObject(each)));
    }

    /** One of the items. */
    public static final class Movement extends Fields {
        Movement(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Kind of the ledger entries.
         *
         * @return never null
         */
        public String getKind() {
            return text("kind");
        }

        /**
         * Number of entries.
         *
         * @return the value
         */
        public long getEntries() {
            return integer("entries");
        }

        /**
         * Their total amount.
         *
         * @return the value
         */
        public double getGrossUsd() {
            return number("gross_usd");
        }

        /**
         * The developer's share of it.
         *
         * @return the value
         */
        public double getDeveloperUsd() {
            return number("developer_usd");
        }

        /**
         * The platform's share of it.
         *
         * @return the value
         */
        public double getPlatformUsd() {
            return number("platform_usd");
        }

        /**
         * Change of the account's balance.
         *
         * @return the value
         */
        public double getBalanceChangeUsd() {
            return number("balance_change_usd");
        }
    }

    /**
     * Balance at the start of the month.
     *
     * @return the value
     */
    public double getOpeningBalanceUsd() {
        return number("opening_balance_usd");
    }

    /**
     * Balance at the end of the month; for the current month, so far.
     *
     * @return the value
     */
    public double getClosingBalanceUsd() {
        return number("closing_balance_usd");
    }

    /**
     * Whether the month is over.
     *
     * @return the value
     */
    public boolean isFinal() {
        return flag("is_final");
    }

    /**
     * Number of ledger entries in the month.
     *
     * @return the value
     */
    public long getEntries() {
        return integer("entries");
    }

    /**
     * {@code <seq>.<hash>}, as calls return it; null if the month has no entry.
     *
     * @return may be null
     */
    public String getFirstReceipt() {
        return textOrNull("first_receipt");
    }

    /**
     * {@code <seq>.<hash>}, as calls return it; null if the month has no entry.
     *
     * @return may be null
     */
    public String getLastReceipt() {
        return textOrNull("last_receipt");
    }

    /**
     * The first checkpoint of the log that covers {@code last_receipt}; null if the entry is not logged yet, or
     * there is none. Absent in statements of months that ended before the log began.
     *
     * @return may be null
     */
    public Checkpoint getCheckpoint() {
        return objectOrNull("checkpoint", Checkpoint::new);
    }

    /** One of the items. */
    public static final class Checkpoint extends Fields {
        Checkpoint(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Name of the log.
         *
         * @return never null
         */
        public String getOrigin() {
            return text("origin");
        }

        /**
         * Entries that the checkpoint covers.
         *
         * @return the value
         */
        public long getSize() {
            return integer("size");
        }

        /**
         * Root of the log at that size, in base64.
         *
         * @return never null
         */
        public String getRoot() {
            return text("root");
        }

        /**
         * When it was signed.
         *
         * @return never null
         */
        public String getLoggedAt() {
            return text("logged_at");
        }

        /**
         * The signed checkpoint (C2SP tlog-checkpoint).
         *
         * @return never null
         */
        public String getNote() {
            return text("note");
        }
    }
}
