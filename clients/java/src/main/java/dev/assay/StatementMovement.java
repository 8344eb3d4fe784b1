// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement movements. */
public final class StatementMovement extends Fields {
    StatementMovement(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Kind of the ledger entries.
     *
     * @return {@code click}, {@code funding}, {@code deposit}, {@code adjustment}, {@code reversal},
     * {@code payout}, {@code payout_returned}; never null
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
