// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** The account's money by its state, as of now. */
public final class Balance extends Fields {
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
    public ConfirmedMoney getConfirmed() {
        return object("confirmed", ConfirmedMoney::new);
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
     * When more can become payable at the earliest: the next 15th, or the day a changed payee may be paid
     * to.
     *
     * @return never null
     */
    public String getNextDate() {
        return text("next_date");
    }
}
