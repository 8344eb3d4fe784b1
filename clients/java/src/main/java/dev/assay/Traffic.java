// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** Answer of {@code analyzeTraffic}: a summary of your own sessions in a time window. */
public final class Traffic extends Answer {
    Traffic(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Identifies this answer in the ledger.
     *
     * @return never null
     */
    public String getAnalysisId() {
        return text("analysis_id");
    }

    /**
     * Start of the window.
     *
     * @return never null
     */
    public String getFrom() {
        return text("from");
    }

    /**
     * End of the window, exclusive.
     *
     * @return never null
     */
    public String getTo() {
        return text("to");
    }

    /**
     * Sessions scored in the window.
     *
     * @return the value
     */
    public long getSessions() {
        return integer("sessions");
    }

    /**
     * Distribution of the scores.
     *
     * @return never null
     */
    public Score getScore() {
        return object("score", Score::new);
    }

    /** Distribution of the scores. */
    public static final class Score extends Fields {
        Score(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Mean over all sessions.
         *
         * @return the value
         */
        public double getMean() {
            return number("mean");
        }

        /**
         * 25th percentile.
         *
         * @return the value
         */
        public double getP25() {
            return number("p25");
        }

        /**
         * Median.
         *
         * @return the value
         */
        public double getP50() {
            return number("p50");
        }

        /**
         * 75th percentile.
         *
         * @return the value
         */
        public double getP75() {
            return number("p75");
        }

        /**
         * Ten bands from 0 to 100.
         *
         * @return never null
         */
        public List<Band> getHistogram() {
            return list("histogram", each -> new Band(asObject(each)));
        }

        /** One of the items. */
        public static final class Band extends Fields {
            Band(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Lowest score of the band.
             *
             * @return the value
             */
            public double getFrom() {
                return number("from");
            }

            /**
             * Upper end, exclusive except in the last band.
             *
             * @return the value
             */
            public double getTo() {
                return number("to");
            }

            /**
             * Sessions with a score in this band.
             *
             * @return the value
             */
            public long getCount() {
                return integer("count");
            }
        }
    }

    /**
     * Sessions by trust level.
     *
     * @return never null
     */
    public Levels getLevels() {
        return object("levels", Levels::new);
    }

    /** Sessions by trust level. */
    public static final class Levels extends Fields {
        Levels(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Sessions with level high.
         *
         * @return the value
         */
        public long getHigh() {
            return integer("high");
        }

        /**
         * Sessions with level medium.
         *
         * @return the value
         */
        public long getMedium() {
            return integer("medium");
        }

        /**
         * Sessions with level low.
         *
         * @return the value
         */
        public long getLow() {
            return integer("low");
        }
    }

    /**
     * Statistics per signal.
     *
     * @return never null
     */
    public Signals getSignals() {
        return object("signals", Signals::new);
    }

    /** Statistics per signal. */
    public static final class Signals extends Fields {
        Signals(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public UserEngagement getUserEngagement() {
            return object("user_engagement", UserEngagement::new);
        }

        /** Statistics of the signal over the window. */
        public static final class UserEngagement extends Fields {
            UserEngagement(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public SessionDuration getSessionDuration() {
            return object("session_duration", SessionDuration::new);
        }

        /** Statistics of the signal over the window. */
        public static final class SessionDuration extends Fields {
            SessionDuration(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public ScrollDepth getScrollDepth() {
            return object("scroll_depth", ScrollDepth::new);
        }

        /** Statistics of the signal over the window. */
        public static final class ScrollDepth extends Fields {
            ScrollDepth(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public InteractionCount getInteractionCount() {
            return object("interaction_count", InteractionCount::new);
        }

        /** Statistics of the signal over the window. */
        public static final class InteractionCount extends Fields {
            InteractionCount(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public PageViews getPageViews() {
            return object("page_views", PageViews::new);
        }

        /** Statistics of the signal over the window. */
        public static final class PageViews extends Fields {
            PageViews(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }

        /**
         * Statistics of the signal over the window.
         *
         * @return never null
         */
        public ReturnVisitor getReturnVisitor() {
            return object("return_visitor", ReturnVisitor::new);
        }

        /** Statistics of the signal over the window. */
        public static final class ReturnVisitor extends Fields {
            ReturnVisitor(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions that had the signal.
             *
             * @return the value
             */
            public long getPresent() {
                return integer("present");
            }

            /**
             * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * Median: fractions to two decimals, everything else to three significant digits.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }
        }
    }

    /**
     * The preceding window of the same length. Zeros if there were no sessions.
     *
     * @return never null
     */
    public Previous getPrevious() {
        return object("previous", Previous::new);
    }

    /** The preceding window of the same length. Zeros if there were no sessions. */
    public static final class Previous extends Fields {
        Previous(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Sessions scored in the window.
         *
         * @return the value
         */
        public long getSessions() {
            return integer("sessions");
        }

        /**
         * Distribution of the scores.
         *
         * @return never null
         */
        public Score getScore() {
            return object("score", Score::new);
        }

        /** Distribution of the scores. */
        public static final class Score extends Fields {
            Score(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Mean over all sessions.
             *
             * @return the value
             */
            public double getMean() {
                return number("mean");
            }

            /**
             * 25th percentile.
             *
             * @return the value
             */
            public double getP25() {
                return number("p25");
            }

            /**
             * Median.
             *
             * @return the value
             */
            public double getP50() {
                return number("p50");
            }

            /**
             * 75th percentile.
             *
             * @return the value
             */
            public double getP75() {
                return number("p75");
            }

            /**
             * Ten bands from 0 to 100.
             *
             * @return never null
             */
            public List<Band> getHistogram() {
                return list("histogram", each -> new Band(asObject(each)));
            }

            /** One of the items. */
            public static final class Band extends Fields {
                Band(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Lowest score of the band.
                 *
                 * @return the value
                 */
                public double getFrom() {
                    return number("from");
                }

                /**
                 * Upper end, exclusive except in the last band.
                 *
                 * @return the value
                 */
                public double getTo() {
                    return number("to");
                }

                /**
                 * Sessions with a score in this band.
                 *
                 * @return the value
                 */
                public long getCount() {
                    return integer("count");
                }
            }
        }

        /**
         * Sessions by trust level.
         *
         * @return never null
         */
        public Levels getLevels() {
            return object("levels", Levels::new);
        }

        /** Sessions by trust level. */
        public static final class Levels extends Fields {
            Levels(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Sessions with level high.
             *
             * @return the value
             */
            public long getHigh() {
                return integer("high");
            }

            /**
             * Sessions with level medium.
             *
             * @return the value
             */
            public long getMedium() {
                return integer("medium");
            }

            /**
             * Sessions with level low.
             *
             * @return the value
             */
            public long getLow() {
                return integer("low");
            }
        }

        /**
         * Statistics per signal.
         *
         * @return never null
         */
        public Signals getSignals() {
            return object("signals", Signals::new);
        }

        /** Statistics per signal. */
        public static final class Signals extends Fields {
            Signals(Map<String, ?> fields) {
                super(fields);
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public UserEngagement getUserEngagement() {
                return object("user_engagement", UserEngagement::new);
            }

            /** Statistics of the signal over the window. */
            public static final class UserEngagement extends Fields {
                UserEngagement(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public SessionDuration getSessionDuration() {
                return object("session_duration", SessionDuration::new);
            }

            /** Statistics of the signal over the window. */
            public static final class SessionDuration extends Fields {
                SessionDuration(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public ScrollDepth getScrollDepth() {
                return object("scroll_depth", ScrollDepth::new);
            }

            /** Statistics of the signal over the window. */
            public static final class ScrollDepth extends Fields {
                ScrollDepth(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public InteractionCount getInteractionCount() {
                return object("interaction_count", InteractionCount::new);
            }

            /** Statistics of the signal over the window. */
            public static final class InteractionCount extends Fields {
                InteractionCount(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public PageViews getPageViews() {
                return object("page_views", PageViews::new);
            }

            /** Statistics of the signal over the window. */
            public static final class PageViews extends Fields {
                PageViews(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }

            /**
             * Statistics of the signal over the window.
             *
             * @return never null
             */
            public ReturnVisitor getReturnVisitor() {
                return object("return_visitor", ReturnVisitor::new);
            }

            /** Statistics of the signal over the window. */
            public static final class ReturnVisitor extends Fields {
                ReturnVisitor(Map<String, ?> fields) {
                    super(fields);
                }

                /**
                 * Sessions that had the signal.
                 *
                 * @return the value
                 */
                public long getPresent() {
                    return integer("present");
                }

                /**
                 * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
                 *
                 * @return the value
                 */
                public double getMean() {
                    return number("mean");
                }

                /**
                 * Median: fractions to two decimals, everything else to three significant digits.
                 *
                 * @return the value
                 */
                public double getP50() {
                    return number("p50");
                }
            }
        }
    }

    /**
     * Patterns unlike honest traffic among the window's newest 20,000 sessions; none are reported for fewer than
     * 50.
     *
     * @return never null
     */
    public List<Finding> getFindings() {
        return list("findings", each -> new Finding(asObject(each)));
    }

    /** One of the items. */
    public static final class Finding extends Fields {
        Finding(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Stable code to match on.
         *
         * @return never null
         */
        public String getCode() {
            return text("code");
        }

        /**
         * Human-readable. It may change.
         *
         * @return never null
         */
        public String getMessage() {
            return text("message");
        }

        /**
         * Share of the examined sessions.
         *
         * @return the value
         */
        public double getShare() {
            return number("share");
        }
    }

    /**
     * False when there were more sessions than one call reads: the newest are counted, and the next call
     * continues from there.
     *
     * @return the value
     */
    public boolean isComplete() {
        return flag("complete");
    }

    /**
     * USD earned by this call; 0 for a test key.
     *
     * @return the value
     */
    public double getRevenueAttribution() {
        return number("revenue_attribution");
    }

    /**
     * Time from the arrival of the request until the answer was ready.
     *
     * @return the value
     */
    public double getProcessingTimeMs() {
        return number("processing_time_ms");
    }
}
