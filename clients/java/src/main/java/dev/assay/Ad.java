// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** An ad to show, with the URLs that record its impression and its click. */
public final class Ad extends Answer {
    Ad(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Identifies the offer; the ledger entry of a paid click refers to it.
     *
     * @return never null
     */
    public String getAdId() {
        return text("ad_id");
    }

    /**
     * What to show.
     *
     * @return never null
     */
    public Creative getCreative() {
        return object("creative", Creative::new);
    }

    /**
     * Fetch it once, when the visitor sees the ad.
     *
     * @return never null
     */
    public String getImpressionTrackingUrl() {
        return text("impression_tracking_url");
    }

    /**
     * Exact amount in USD that a valid click pays. 0 for house ads and for test keys.
     *
     * @return the value
     */
    public double getEstimatedRevenue() {
        return number("estimated_revenue");
    }

    /**
     * In pixels.
     *
     * @return the value
     */
    public long getImageWidth() {
        return integer("image_width");
    }

    /**
     * In pixels.
     *
     * @return the value
     */
    public long getImageHeight() {
        return integer("image_height");
    }

    /**
     * The advertiser's name.
     *
     * @return never null
     */
    public String getAdvertiser() {
        return text("advertiser");
    }

    /**
     * Whether it is one of the installation's own ads, which pay nothing.
     *
     * @return the value
     */
    public boolean isHouse() {
        return flag("house");
    }

    /**
     * Clicks from this time on are not paid.
     *
     * @return never null
     */
    public String getExpiresAt() {
        return text("expires_at");
    }
}
