// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** What to show. */
public final class Creative extends Fields {
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
