/// Key presses within this time of each other are one interaction: a typed word, not its letters.
private let keyGroupMsMax: Int64 = 1_000

/// How far the service has attested a session.
struct Attested {
    /// The newest token; empty before the first one.
    var token = ""

    /// What the token covers; without a token, what the first one will leave out.
    var covered = Counts()

    /// When the next request is due.
    var dueMs = Int64.min

    /// Failed requests since the last answer. As long as there are any, nothing is sent before `dueMs`.
    var failures = 0
}

/// One of the sessions of a run of the app.
final class Session {
    let number: Int
    var totals: SessionTotals
    var attested = Attested()

    init(number: Int, nowMs: Int64) {
        self.number = number
        totals = SessionTotals(nowMs: nowMs)
    }
}

/// One visitor's sessions, one after the other: what input, screens and time do to the totals. Not safe for several threads.
final class SessionTracker {
    private let nowMs: () -> Int64

    /// Counts a session, and says whether there was an earlier one on this device. Nil: unknown, or the visitor objects.
    var countVisit: () -> Bool? = { nil }

    /// The session is over and will be replaced.
    var onEnd: () -> Void = {}

    /// A new one has replaced it.
    var onBegin: () -> Void = {}

    private(set) var session: Session
    private(set) var isInView = false

    /// Whether there is a screen that a new session begins with.
    private var hasScreen = false
    private var keyMs: Int64?

    init(nowMs: @escaping () -> Int64) {
        self.nowMs = nowMs
        session = Session(number: 1, nowMs: nowMs())
    }

    private func passTime() {
        if isInView { session.totals.passTime(until: nowMs()) }
    }

    func measure() -> Session {
        passTime()
        return session
    }

    func show() {
        if isInView { return }
        renew()
        session.totals.seenMs = nowMs()
        isInView = true
        if hasScreen, session.totals.pages == 0 { screen() }
    }

    func hide() {
        passTime()
        isInView = false
    }

    /// Starts a new session when the current one is over.
    private func renew() {
        guard session.totals.isOver(at: nowMs()) else { return }
        onEnd()
        session = Session(number: session.number + 1, nowMs: nowMs())
        if isInView, hasScreen { screen() }
        onBegin()
    }

    /// Records input by the visitor. The first after the end of a session begins another.
    func act() {
        // First: a pause that somebody has looked at in between is as long as one that nobody has.
        passTime()
        renew()
        session.totals.endPause()
    }

    func tap() {
        act()
        session.totals.clicks += 1
    }

    func key() {
        act()
        let pressedMs = nowMs()
        if keyMs.map({ abs(pressedMs - $0) > keyGroupMsMax }) ?? true { session.totals.keys += 1 }
        keyMs = pressedMs
    }

    /// Notes a scroll position, 0 to 1; negative: nothing to scroll.
    func scroll(_ share: Double) {
        session.totals.scrolled = max(session.totals.scrolled, share)
    }

    func screen() {
        let current = session
        hasScreen = true
        if current.totals.pages == 0 {
            // The first screen is not activity: it may have opened without any action of the visitor.
            current.totals.returning = countVisit()
        } else {
            act()
            // If that started a new session, it has counted this screen already.
            if current !== session { return }
        }
        current.totals.pages += 1
    }
}
