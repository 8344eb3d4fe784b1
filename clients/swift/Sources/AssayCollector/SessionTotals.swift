/// A pause counts as active time up to this long; the model's training data was measured the same way.
let activePauseMsMax: Int64 = 30_000

/// A pause of this length ends the session.
let sessionPauseMsMax: Int64 = 30 * 60_000

/// What has a shorter scroll range merely overflows and does not count as scrollable.
private let scrollRangeMin = 50.0

/// Some lists stop a fraction of a point short of their end.
private let scrollEndTolerance = 2.0

/// Scroll position, 0 to 1; negative if there is nothing to scroll, or less than half the window high.
func scrollShareOf(offset: Double, visible: Double, content: Double, window: Double) -> Double {
    let range = content - visible
    guard offset.isFinite, range.isFinite, visible * 2 >= window, range >= scrollRangeMin else { return -1 }
    return offset > range - scrollEndTolerance ? 1 : max(0, offset / range)
}

/// The totals as the service counts them. `scroll` is nil while nothing could be scrolled.
struct Counts: Encodable {
    var viewMs: Int64 = 0
    var activeMs: Int64 = 0
    var clicks = 0
    var keys = 0
    var pages = 0
    var scroll: Double?

    private enum CodingKeys: String, CodingKey {
        case viewMs = "view_ms"
        case activeMs = "active_ms"
        case clicks, keys, pages, scroll
    }

    /// What was counted since `earlier`. The scroll position is always the furthest so far.
    func since(_ earlier: Counts) -> Counts {
        Counts(
            viewMs: viewMs - earlier.viewMs,
            activeMs: activeMs - earlier.activeMs,
            clicks: clicks - earlier.clicks,
            keys: keys - earlier.keys,
            pages: pages - earlier.pages,
            scroll: scroll
        )
    }

    /// Written out because the service wants `scroll` to be null, not absent.
    func encode(to encoder: Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(viewMs, forKey: .viewMs)
        try fields.encode(activeMs, forKey: .activeMs)
        try fields.encode(clicks, forKey: .clicks)
        try fields.encode(keys, forKey: .keys)
        try fields.encode(pages, forKey: .pages)
        try fields.encode(scroll, forKey: .scroll)
    }
}

/// One session, without clock, screen or storage. docs/signals.md defines the signals. Not safe for several threads.
struct SessionTotals {
    /// End of the time in view that is counted so far.
    var seenMs: Int64
    private var inViewMs: Int64 = 0

    /// Active part of the time in view, from pauses that have ended.
    private var activeMs: Int64 = 0

    /// Time in view since the last activity.
    private var pauseMs: Int64 = 0
    private var didAnything = false
    var clicks = 0
    var keys = 0
    var pages = 0

    /// Furthest scroll position, 0 to 1; negative while nothing could be scrolled.
    var scrolled = -1.0

    /// Nil: unknown, or the visitor objects.
    var returning: Bool?

    init(nowMs: Int64) {
        seenMs = nowMs
    }

    /// Counts the time in view up to `nowMs`. A clock that is set back subtracts nothing, and a pause counts up to its limit.
    mutating func passTime(until nowMs: Int64) {
        let passedMs = min(max(0, nowMs - seenMs), sessionPauseMsMax - pauseMs)
        inViewMs += passedMs
        pauseMs += passedMs
        seenMs = nowMs
    }

    /// Whether activity at `nowMs` belongs to a new session.
    func isOver(at nowMs: Int64) -> Bool {
        pauseMs >= sessionPauseMsMax || nowMs - seenMs >= sessionPauseMsMax
    }

    private var activeSoFarMs: Int64 { activeMs + min(pauseMs, activePauseMsMax) }

    /// Records activity, which ends the current pause.
    mutating func endPause() {
        activeMs = activeSoFarMs
        pauseMs = 0
        didAnything = true
    }

    /// The totals so far. Without any activity no time counts as active.
    var counts: Counts {
        Counts(
            viewMs: inViewMs,
            activeMs: didAnything ? activeSoFarMs : 0,
            clicks: clicks,
            keys: keys,
            pages: pages,
            scroll: scrolled < 0 ? nil : scrolled
        )
    }

    var signals: SessionSignals {
        let counts = self.counts
        return SessionSignals(
            userEngagement: counts.viewMs > 0 ? round(Double(counts.activeMs) / Double(counts.viewMs), steps: 1_000) : 0,
            sessionDuration: round(Double(counts.viewMs) / 1_000, steps: 10),
            scrollDepth: counts.scroll.map { round($0, steps: 1_000) },
            interactionCount: clicks + keys,
            pageViews: pages,
            returnVisitor: returning
        )
    }

    /// Halves are rounded up, as in JavaScript.
    private func round(_ value: Double, steps: Double) -> Double {
        let whole = (value * steps).rounded(.down)
        return (value * steps - whole >= 0.5 ? whole + 1 : whole) / steps
    }
}

/// The six signals of one visitor session, as the service takes them.
public struct SessionSignals: Encodable, Equatable, Sendable {
    /// Share of the time in the foreground with activity, 0 to 1.
    public let userEngagement: Double

    /// Seconds in the foreground.
    public let sessionDuration: Double

    /// Furthest scroll position reached, 0 to 1; nil if nothing could be scrolled.
    public let scrollDepth: Double?

    /// Taps and groups of key presses.
    public let interactionCount: Int

    /// Screens opened.
    public let pageViews: Int

    /// Whether there was an earlier session on this device; nil if unknown or if the visitor objects.
    public let returnVisitor: Bool?

    private enum CodingKeys: String, CodingKey {
        case userEngagement = "user_engagement"
        case sessionDuration = "session_duration"
        case scrollDepth = "scroll_depth"
        case interactionCount = "interaction_count"
        case pageViews = "page_views"
        case returnVisitor = "return_visitor"
    }

    /// The signals as `session_data` of a call to Assay.
    public var json: String { writeJson(self) }
}
