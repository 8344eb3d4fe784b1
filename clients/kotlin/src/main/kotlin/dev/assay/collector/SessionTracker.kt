package dev.assay.collector

import kotlin.math.abs
import kotlin.math.max

/** How far the service has attested a session. */
internal class Attested(
    /** The newest token; empty before the first one. */
    val token: String = "",
    /** What the token covers; without a token, what the first one will leave out. */
    val covered: Counts = Counts.none,
    /** When the next request is due. */
    var dueMs: Long = Long.MIN_VALUE,
) {
    /** Failed requests since the last answer. As long as there are any, nothing is sent before [dueMs]. */
    var failures: Int = 0
}

/** One of the sessions of a run of the app. */
internal class Session(val number: Int, nowMs: Long) {
    val totals = SessionTotals(nowMs)
    var attested = Attested()
}

/** One visitor's sessions, one after the other: what input, screens and time do to the totals. Not safe for several threads. */
internal class SessionTracker(
    private val clock: Clock,
    /** Counts a session, and says whether there was an earlier one on this device. Null: unknown, or the visitor objects. */
    private val countVisit: () -> Boolean?,
    /** The session is over and will be replaced. */
    private val onEnd: () -> Unit,
    /** A new one has replaced it. */
    private val onBegin: () -> Unit,
) {
    var session = Session(1, clock.nowMs())
        private set
    var isInView = false
        private set

    /** Whether there is a screen that a new session begins with. */
    private var hasScreen = false
    private var keyMs: Long? = null

    private fun passTime() {
        if (isInView) session.totals.passTime(clock.nowMs())
    }

    fun measure(): Session {
        passTime()
        return session
    }

    fun show() {
        if (isInView) return
        renew()
        session.totals.seenMs = clock.nowMs()
        isInView = true
        if (hasScreen && session.totals.pages == 0) screen()
    }

    fun hide() {
        passTime()
        isInView = false
    }

    /** Starts a new session when the current one is over. */
    private fun renew() {
        if (!session.totals.isOver(clock.nowMs())) return
        onEnd()
        session = Session(session.number + 1, clock.nowMs())
        if (isInView && hasScreen) screen()
        onBegin()
    }

    /** Records input by the visitor. The first after the end of a session begins another. */
    fun act() {
        // First: a pause that somebody has looked at in between is as long as one that nobody has.
        passTime()
        renew()
        session.totals.endPause()
    }

    fun tap() {
        act()
        session.totals.clicks += 1
    }

    fun key() {
        act()
        val nowMs = clock.nowMs()
        val lastMs = keyMs
        if (lastMs == null || abs(nowMs - lastMs) > KEY_GROUP_MS_MAX) session.totals.keys += 1
        keyMs = nowMs
    }

    /** Notes a scroll position, 0 to 1; negative: nothing to scroll. */
    fun scroll(share: Double) {
        session.totals.scrolled = max(session.totals.scrolled, share)
    }

    fun screen() {
        val totals = session.totals
        hasScreen = true
        if (totals.pages == 0) {
            // The first screen is not activity: it may have opened without any action of the visitor.
            totals.returning = countVisit()
        } else {
            act()
            // If that started a new session, it has counted this screen already.
            if (totals !== session.totals) return
        }
        totals.pages += 1
    }
}
