// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** A month's statement. */
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

    /**
     * One line per endpoint, payer and rate.
     *
     * @return never null
     */
    public List<StatementLine> getLines() {
        return list("lines", each -> new StatementLine(asObject(each)));
    }

    /**
     * Earnings from ads.
     *
     * @return never null
     */
    public StatementClicks getAds() {
        return object("ads", StatementClicks::new);
    }

    /**
     * The developer's share of the month's calls that the platform pays, as of the month's end; for the
     * current month, now. Absent in statements of months that ended before calls were settled by the day.
     *
     * @return may be null
     */
    public StatementCallsSettlement getCallsSettlement() {
        return objectOrNull("calls_settlement", StatementCallsSettlement::new);
    }

    /**
     * The reversals of calls that were booked in the month, with their reasons, the first 500.
     *
     * @return may be null
     */
    public List<CallReversal> getCallReversals() {
        return listOrNull("call_reversals", each -> new CallReversal(asObject(each)));
    }

    /**
     * What held the account's money at the month's end; for the current month, now. Empty if nothing did.
     *
     * @return may be null
     */
    public List<HeldMoney> getHeld() {
        return listOrNull("held", each -> new HeldMoney(asObject(each)));
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

    /**
     * The part of the balance that calls are charged to and that is never paid out: deposits, adjustments
     * and shares, less what calls cost.
     *
     * @return never null
     */
    public StatementPrepaid getPrepaid() {
        return object("prepaid", StatementPrepaid::new);
    }

    /**
     * Payouts from the account.
     *
     * @return never null
     */
    public StatementPayouts getPayouts() {
        return object("payouts", StatementPayouts::new);
    }

    /**
     * Everything except calls, by kind. Opening balance, calls and movements add up to the closing
     * balance.
     *
     * @return never null
     */
    public List<StatementMovement> getMovements() {
        return list("movements", each -> new StatementMovement(asObject(each)));
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
     * The first checkpoint of the log that covers {@code last_receipt}; null if the entry is not logged
     * yet, or there is none. Absent in statements of months that ended before the log began.
     *
     * @return may be null
     */
    public StatementCheckpoint getCheckpoint() {
        return objectOrNull("checkpoint", StatementCheckpoint::new);
    }
}
