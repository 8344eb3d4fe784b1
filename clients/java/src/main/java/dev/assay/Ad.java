// Generated from Assay's contract by clients/java/print-types.ts.

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

    /** What to show. */
    public static final class Creative extends Fields {
        Creative(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Plain text, like all texts here: insert it into the page as text, never as markup.
         *
         * @return never null
         */
        public String getHeadline() {
            return text("headline");
        }

        /**
         * One or two lines; may be empty.
         *
         * @return never null
         */
        public String getDescription() {
            return text("description");
        }

        /**
         * Safe to cache forever: a different image has a different URL.
         *
         * @return never null
         */
        public String getImageUrl() {
            return text("image_url");
        }

        /**
         * Label of the button.
         *
         * @return never null
         */
        public String getCtaText() {
            return text("cta_text");
        }

        /**
         * Link target of the ad. It records the click and redirects to the advertiser's page.
         *
         * @return never null
         */
        public String getClickUrl() {
            return text("click_url");
        }
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
