import Foundation

/// The service asks for longer ones; this only keeps a wrong answer from causing a flood.
private let nextMsMin: Int64 = 1_000

/// Time alone is no reason to report earlier than due, unless it is at least this much.
private let newsMsMin: Int64 = 1_000

/// Has the service attest the session: the app reports what it measured, and gets a sealed token back.
final class Attestor: @unchecked Sendable {
    private let lock: Lock
    private let host: CollectorHost
    private let tracker: SessionTracker
    private let site: String

    /// Base address of `start` and `beat`.
    private let base: URL
    private var isRunning = false
    private var isStopped = false
    private var cancelNext: () -> Void = {}
    private var waiters: [@Sendable () -> Void] = []

    init(lock: Lock, host: CollectorHost, tracker: SessionTracker, site: String, base: URL) {
        self.lock = lock
        self.host = host
        self.tracker = tracker
        self.site = site
        self.base = base
    }

    /// Arranges the next request. To be called when the app is shown or its session is another one.
    func resume() {
        lock.hold {
            cancelNext()
            if isStopped || !tracker.isInView { return }
            let dueMs = tracker.measure().attested.dueMs
            let nowMs = host.nowMs()
            let waitMs = dueMs <= nowMs || dueMs > nowMs + waitMsMax ? 0 : dueMs - nowMs
            cancelNext = host.scheduler.after(waitMs) { [weak self] in self?.beat {} }
        }
    }

    /// Starts attestation, or brings its token up to date, and then calls `then`. Joins a request under way.
    func beat(_ then: @escaping @Sendable () -> Void) {
        lock.hold {
            if isRunning {
                waiters.append(then)
                return
            }
            if isStopped || !tracker.isInView { return then() }
            let session = tracker.measure()
            let counts = session.totals.counts
            let asked = session.attested
            let hasNews = isNews(counts, asked.covered)
            let nowMs = host.nowMs()
            // Nobody is there any more: activity begins a new session.
            if session.totals.isOver(at: nowMs), asked.token.isEmpty || !hasNews { return then() }
            let isEarly = asked.dueMs > nowMs && asked.dueMs <= nowMs + waitMsMax
            if isEarly, asked.failures > 0 || !hasNews {
                resume()
                return then()
            }
            isRunning = true
            waiters.append(then)
            // Not here: requests are never made while the lock is held.
            _ = host.scheduler.after(0) { self.ask(asked, counts) }
        }
    }

    private func ask(_ asked: Attested, _ counts: Counts) {
        let isFirst = asked.token.isEmpty
        let url = base.appendingPathComponent(isFirst ? "start" : "beat")
        let beat = isFirst ? Beat(site: site) : Beat(token: asked.token, d: counts.since(asked.covered))
        host.transport.post(url, body: Data(writeJson(beat).utf8), headers: jsonHeaders) { answer in
            let waiting: [@Sendable () -> Void] = self.lock.hold {
                self.note(answer, to: asked, counts: counts, url: url)
                self.isRunning = false
                self.resume()
                defer { self.waiters = [] }
                return self.waiters
            }
            for each in waiting { each() }
        }
    }

    private func note(_ answer: CollectorAnswer?, to asked: Attested, counts: Counts, url: URL) {
        let session = tracker.measure()
        // A new session has begun.
        if session.attested.token != asked.token { return }
        let reply = answer.flatMap { Reply.read($0.body) }
        let status = answer?.status ?? 0
        let nowMs = host.nowMs()
        if (200...299).contains(status), let token = reply?.token, !token.isEmpty {
            let nextMs = Int64(min(max(reply?.nextMs ?? 0, 0), Double(waitMsMax)))
            let covered = asked.token.isEmpty ? asked.covered : counts
            session.attested = Attested(token: token, covered: covered, dueMs: nowMs + max(nextMsMin, nextMs))
        } else if (400...499).contains(status), status != 408, status != 429 {
            // What was counted so far stays out of the next token, but for the screen that is open.
            var covered = session.totals.counts
            covered.pages = max(0, covered.pages - 1)
            session.attested = Attested(covered: covered)
            isStopped = asked.token.isEmpty || reply?.error != "session_token_expired"
            if status == 403 || status == 404 {
                host.warn("Assay answered \(status) to \(url.absoluteString). Check the site's id and the address.")
            }
        } else {
            let failures = session.attested.failures
            let waitMs = waitAfter(failures: failures, random: host.random(), retryAfter: answer?.retryAfter)
            session.attested.dueMs = nowMs + waitMs
            session.attested.failures = failures + 1
        }
    }

    /// Whether there is more to report than a moment in view.
    private func isNews(_ now: Counts, _ covered: Counts) -> Bool {
        let news = now.since(covered)
        return news.viewMs >= newsMsMin || news.clicks + news.keys + news.pages > 0 || news.scroll != covered.scroll
    }

    /// Ends the wait after failures.
    func retry() {
        lock.hold {
            let session = tracker.measure()
            if session.attested.failures > 0 { session.attested.dueMs = .min }
        }
    }

    func stop() {
        lock.hold {
            isStopped = true
            cancelNext()
        }
    }
}
