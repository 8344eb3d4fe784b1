package dev.assay.collector

import kotlin.math.max
import kotlin.math.min

/** A pause counts as active time up to this long; the model's training data was measured the same way. */
internal const val ACTIVE_PAUSE_MS_MAX = 30_000L

/** A pause of this length ends the session. */
internal const val SESSION_PAUSE_MS_MAX = 30 * 60_000L

/** Key presses within this time of each other are one interaction: a typed word, not its letters. */
internal const val KEY_GROUP_MS_MAX = 1_000L

/** What has a shorter scroll range merely overflows and does not count as scrollable. */
private const val SCROLL_RANGE_MIN = 50.0

/** Some lists stop a fraction of a pixel short of their end. */
private const val SCROLL_END_TOLERANCE = 2.0

/** Scroll position, 0 to 1; negative if there is nothing to scroll, or less than half the window high. */
internal fun scrollShareOf(offset: Double, visible: Double, content: Double, window: Double): Double {
    val range = content - visible
    if (visible * 2 < window || range < SCROLL_RANGE_MIN) return -1.0
    return if (offset > range - SCROLL_END_TOLERANCE) 1.0 else max(0.0, offset / range)
}

/** The totals as the service counts them. [scroll] is null while nothing could be scrolled. */
internal data class Counts(val viewMs: Long, val activeMs: Long, val clicks: Int, val keys: Int, val pages: Int, val scroll: Double?) {
    /** What was counted since [earlier]. The scroll position is always the furthest so far. */
    fun since(earlier: Counts): Counts =
        Counts(viewMs - earlier.viewMs, activeMs - earlier.activeMs, clicks - earlier.clicks, keys - earlier.keys, pages - earlier.pages, scroll)

    fun fields(): Map<String, Any?> =
        linkedMapOf("view_ms" to viewMs, "active_ms" to activeMs, "clicks" to clicks, "keys" to keys, "pages" to pages, "scroll" to scroll)

    companion object {
        val none: Counts = Counts(0, 0, 0, 0, 0, null)
    }
}

/** One session, without clock, screen or storage. docs/signals.md defines the signals. Not safe for several threads. */
internal class SessionTotals(nowMs: Long) {
    /** End of the time in view that is counted so far. */
    var seenMs: Long = nowMs
    private var inViewMs = 0L

    /** Active part of the time in view, from pauses that have ended. */
    private var activeMs = 0L

    /** Time in view since the last activity. */
    private var pauseMs = 0L
    private var didAnything = false
    var clicks: Int = 0
    var keys: Int = 0
    var pages: Int = 0

    /** Furthest scroll position, 0 to 1; negative while nothing could be scrolled. */
    var scrolled: Double = -1.0

    /** Null: unknown, or the visitor objects. */
    var returning: Boolean? = null

    /** Counts the time in view up to [nowMs]. A clock that is set back subtracts nothing, and a pause counts up to its limit. */
    fun passTime(nowMs: Long) {
        val passedMs = min(max(0, nowMs - seenMs), SESSION_PAUSE_MS_MAX - pauseMs)
        inViewMs += passedMs
        pauseMs += passedMs
        seenMs = nowMs
    }

    /** Whether activity at [nowMs] belongs to a new session. */
    fun isOver(nowMs: Long): Boolean = pauseMs >= SESSION_PAUSE_MS_MAX || nowMs - seenMs >= SESSION_PAUSE_MS_MAX

    private fun activeSoFarMs(): Long = activeMs + min(pauseMs, ACTIVE_PAUSE_MS_MAX)

    /** Records activity, which ends the current pause. */
    fun endPause() {
        activeMs = activeSoFarMs()
        pauseMs = 0
        didAnything = true
    }

    /** The totals so far. Without any activity no time counts as active. */
    fun counts(): Counts =
        Counts(inViewMs, if (didAnything) activeSoFarMs() else 0, clicks, keys, pages, if (scrolled < 0) null else scrolled)

    fun signals(): SessionSignals {
        val counts = counts()
        return SessionSignals(
            userEngagement = if (counts.viewMs > 0) roundTo(counts.activeMs.toDouble() / counts.viewMs, 1000) else 0.0,
            sessionDuration = roundTo(counts.viewMs / 1000.0, 10),
            scrollDepth = counts.scroll?.let { roundTo(it, 1000) },
            interactionCount = clicks + keys,
            pageViews = pages,
            returnVisitor = returning,
        )
    }

    /** Halves are rounded up, as in JavaScript, which is what `Math.round` does. */
    private fun roundTo(value: Double, steps: Int): Double = Math.round(value * steps) / steps.toDouble()
}

/**
 * The six signals of one visitor session, as the service takes them.
 *
 * @property userEngagement share of the time in the foreground with activity, 0 to 1
 * @property sessionDuration seconds in the foreground
 * @property scrollDepth furthest scroll position reached, 0 to 1; null if nothing could be scrolled
 * @property interactionCount taps and groups of key presses
 * @property pageViews screens opened
 * @property returnVisitor whether there was an earlier session on this device; null if unknown or if the visitor objects
 */
public data class SessionSignals(
    public val userEngagement: Double,
    public val sessionDuration: Double,
    public val scrollDepth: Double?,
    public val interactionCount: Int,
    public val pageViews: Int,
    public val returnVisitor: Boolean?,
) {
    internal fun fields(): Map<String, Any> {
        val fields = linkedMapOf<String, Any>("user_engagement" to userEngagement, "session_duration" to sessionDuration)
        scrollDepth?.let { fields["scroll_depth"] = it }
        fields["interaction_count"] = interactionCount
        fields["page_views"] = pageViews
        returnVisitor?.let { fields["return_visitor"] = it }
        return fields
    }

    /** The signals as `session_data` of a call to Assay. */
    public fun toJson(): String = Json.write(fields())
}
