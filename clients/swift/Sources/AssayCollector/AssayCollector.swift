import Foundation

private let visitsKey = "assay.visits"

/// The count only tells whether the visitor has been here before; counting further is pointless.
private let visitsMax = 9

/// How long a caller, or a report of an app that goes to the background, waits for a newer token.
private let tokenMsMax: Int64 = 2_000
private let reportMsMax: Int64 = 1_000

/// Why options were refused.
public enum CollectorOptionsError: Error, Equatable {
    /// A site needs the address of Assay.
    case siteWithoutUrl

    /// An address starts with https://.
    case notAnAddress(String)

    /// JSON knows neither infinity nor NaN.
    case notFinite(String)
}

/// What the collector reports, and where to.
public struct CollectorOptions: Sendable {
    let endpoint: URL?
    let extra: [String: ExtraValue]
    let headers: @Sendable () -> [String: String]
    let site: String?
    let url: URL?
    let visitorObjects: Bool
    let tapMoveMax: Double

    /// - Parameters:
    ///   - endpoint: URL on your own server that receives a POST when the app goes to the background. Nil: nothing is sent.
    ///   - extra: texts, numbers and booleans added to the body, so that your server can match the signals to its own session.
    ///     Never put personal data here.
    ///   - headers: headers of the requests to the endpoint, such as `Authorization`. Asked for with every attempt; never stored.
    ///   - site: id of your site (`site_…`), to have Assay attest the session. Nil: the app never calls Assay.
    ///   - url: where Assay takes what attestation needs, such as `https://assay.example.com/c/v1/`. Required with a site.
    ///   - visitorObjects: the visitor objects to tracking: no count is kept, and Assay is never called.
    ///   - tapMoveMax: a touch that moves further than this is no tap, in the unit of `onTouch`.
    public init(
        endpoint: String? = nil,
        extra: [String: ExtraValue] = [:],
        headers: @escaping @Sendable () -> [String: String] = { [:] },
        site: String? = nil,
        url: String? = nil,
        visitorObjects: Bool = false,
        tapMoveMax: Double = 10
    ) throws {
        if site != nil, url == nil { throw CollectorOptionsError.siteWithoutUrl }
        for case (let name, .number(let value)) in extra where !value.isFinite { throw CollectorOptionsError.notFinite(name) }
        self.endpoint = try endpoint.map(readAddress)
        self.extra = extra
        self.headers = headers
        self.site = site
        self.url = try url.map(readAddress)
        self.visitorObjects = visitorObjects
        self.tapMoveMax = tapMoveMax
    }
}

private func readAddress(_ text: String) throws -> URL {
    guard let url = URL(string: text), ["https", "http"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw CollectorOptionsError.notAnAddress(text)
    }
    return url
}

/// The phases of a touch.
public enum CollectorTouch: Sendable {
    /// The first finger was put down.
    case down

    /// A finger was moved.
    case move

    /// Another finger was put down.
    case more

    /// The last finger was lifted.
    case up

    /// The touch was taken away from the app.
    case cancel
}

/// Measures the sessions of an app and hands them to its own server, which holds the API key. Only with a site does the app also
/// call Assay. Every function may be called from any thread and returns at once.
public final class AssayCollector: @unchecked Sendable {
    private let lock = Lock()
    private let options: CollectorOptions
    private let host: CollectorHost
    private let tracker: SessionTracker
    private let reporter: Reporter?
    private let attestor: Attestor?
    private let runId: Int64
    private var sequence = 0
    private var sent: SessionSignals?
    private var screenName: String?

    /// Where the finger was put down; nil: it can no longer become a tap.
    private var touched: (x: Double, y: Double)?

    public init(_ options: CollectorOptions, host: CollectorHost = CollectorHost()) {
        self.options = options
        self.host = host
        let (lock, tracker) = (lock, SessionTracker(nowMs: host.nowMs))
        self.tracker = tracker
        runId = host.nowMs()
        reporter = options.endpoint.map { Reporter(lock: lock, host: host, endpoint: $0, headers: options.headers) }
        if let site = options.site, let url = options.url, !options.visitorObjects {
            attestor = Attestor(lock: lock, host: host, tracker: tracker, site: site, base: url)
        } else {
            attestor = nil
        }
        if options.visitorObjects { try? host.storage?.write(nil, to: visitsKey) }
        tracker.countVisit = { [weak self] in self?.countVisit() }
        tracker.onEnd = { [weak self] in self?.reportEnd() }
        tracker.onBegin = { [weak self] in self?.noteBegin() }
    }

    /// The app has come to the foreground.
    public func onForeground() {
        lock.hold {
            tracker.show()
            reporter?.flush()
            attestor?.retry()
            attestor?.resume()
        }
    }

    /// The app has left the foreground: what was measured is sent.
    public func onBackground() {
        lock.hold {
            if !tracker.isInView { return }
            send()
            tracker.hide()
        }
    }

    /// A screen was opened. The same name as the last one is the same screen; names are neither stored nor sent.
    public func screen(_ name: String? = nil) {
        lock.hold {
            if name != nil, name == screenName { return }
            screenName = name
            tracker.screen()
        }
    }

    /// Input that is neither a touch nor a key, such as that of a game controller.
    public func onActivity() {
        lock.hold { tracker.act() }
    }

    /// A tap, or another choice, that `onTouch` has not seen.
    public func onTap() {
        lock.hold { tracker.tap() }
    }

    /// A key, of a keyboard or on the screen.
    public func onKey() {
        lock.hold { tracker.key() }
    }

    /// A touch. One finger that is lifted where it was put down is a tap; everything else is activity.
    public func onTouch(_ touch: CollectorTouch, x: Double, y: Double) {
        lock.hold {
            let from = touched
            switch touch {
            case .down:
                touched = (x, y)
            case .move:
                if let from, hypot(x - from.x, y - from.y) > options.tapMoveMax { touched = nil }
            case .more, .cancel:
                touched = nil
            case .up:
                touched = nil
                if from != nil { return tracker.tap() }
            }
            tracker.act()
        }
    }

    /// The screen's main list is scrolled to `offset`, shows `visible` of its `content`, in a window of that height.
    public func onScroll(offset: Double, visible: Double, content: Double, window: Double) {
        lock.hold { tracker.scroll(scrollShareOf(offset: offset, visible: visible, content: content, window: window)) }
    }

    /// The signals so far.
    public func read() -> SessionSignals {
        lock.hold { tracker.measure().totals.signals }
    }

    /// Brings the token of the attested session up to date and calls `then` with it, after 2 seconds at most, on a queue of the
    /// collector. Nil without a site, before Assay's first answer, and if the visitor objects.
    public func token(_ then: @escaping @Sendable (String?) -> Void) {
        renewToken(msMax: tokenMsMax) { then(self.lock.hold { self.tokenNow }) }
    }

    /// Sends the signals to the endpoint, unless they have not changed since they were last sent. A new token comes first.
    public func send() {
        lock.hold {
            let report = addReport()
            let number = tracker.session.number
            renewToken(msMax: reportMsMax) {
                self.lock.hold {
                    if number == self.tracker.session.number { report?.token = self.tokenNow }
                    self.reporter?.flush()
                }
            }
        }
    }

    /// Sends what was not sent, once.
    public func stop() {
        lock.hold {
            if tracker.isInView { _ = addReport() }
            tracker.hide()
            attestor?.stop()
            reporter?.flush()
            reporter?.pause()
        }
    }

    private var tokenNow: String? {
        let token = tracker.session.attested.token
        return attestor == nil || token.isEmpty ? nil : token
    }

    /// Calls `then` once, on another thread: when the token is up to date, or after the time.
    private func renewToken(msMax: Int64, then: @escaping @Sendable () -> Void) {
        let once = Once(then)
        guard let attestor else {
            _ = host.scheduler.after(0) { once.run() }
            return
        }
        let scheduler = host.scheduler
        let cancel = scheduler.after(msMax) { once.run() }
        attestor.beat {
            cancel()
            _ = scheduler.after(0) { once.run() }
        }
    }

    /// Adds the signals to what waits for being sent, if they have changed, and returns what was added.
    private func addReport() -> Waiting? {
        let signals = read()
        guard let reporter, signals != sent, signals.pageViews > 0 else { return nil }
        sent = signals
        sequence += 1
        let report = Report(extra: options.extra, signals: signals, sequence: sequence, token: tokenNow)
        let waiting = Waiting(session: "\(runId).\(tracker.session.number)", report: report)
        reporter.put(waiting)
        return waiting
    }

    private func reportEnd() {
        if tracker.isInView, addReport() != nil { reporter?.flush() }
    }

    private func noteBegin() {
        sent = nil
        attestor?.resume()
    }

    private func countVisit() -> Bool? {
        guard let storage = host.storage, !options.visitorObjects else { return nil }
        guard let kept = try? storage.read(visitsKey) ?? "" else { return nil }
        let visits = Int(kept) ?? 0
        try? storage.write(String(min(max(visits, 0), visitsMax - 1) + 1), to: visitsKey)
        return visits > 0
    }
}
