package dev.assay;

/** An ad to show, or none with the reason. */
public final class AdResult {
    private final Ad ad;
    private final String noFillReason;
    private final Meta meta;

    AdResult(Ad ad, String noFillReason, Meta meta) {
        this.ad = ad;
        this.noFillReason = noFillReason;
        this.meta = meta;
    }

    /**
     * The ad.
     *
     * @return null if there is none
     */
    public Ad getAd() {
        return ad;
    }

    /**
     * Why there is no ad, such as {@code no_campaign}; more reasons may be added.
     *
     * @return null if there is an ad
     */
    public String getNoFillReason() {
        return noFillReason;
    }

    /**
     * Facts about the call itself.
     *
     * @return never null
     */
    public Meta getMeta() {
        return meta;
    }
}
