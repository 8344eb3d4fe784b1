import Foundation

/// Reports are cumulative: one per session is enough, and nobody is offline for so many sessions.
private let reportsMax = 10

private let unsentKey = "assay.unsent"

/// Waits after failures: a random part of twice the last one.
private let backOffMsMin: Int64 = 2_000
private let backOffMsMax: Int64 = 120_000

/// The longest Retry-After that is respected; a time that is further ahead is a clock that was set back.
let waitMsMax: Int64 = 3_600_000

let jsonHeaders = ["Content-Type": "application/json", "Accept": "application/json"]

/// How long to wait after so many failures in a row, and what the server has asked for.
func waitAfter(failures: Int, random: Double, retryAfter: String?) -> Int64 {
    let doubledMs = min(backOffMsMax, backOffMsMin << min(failures, 10))
    let backOffMs = Int64(Double(doubledMs) * (1 + random) * 0.5)
    let seconds = retryAfter.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    let isNumber = !seconds.isEmpty && seconds.utf8.allSatisfy { (48...57).contains($0) }
    // A number that does not fit is more than an hour, too.
    let retryAfterMs = isNumber ? min(Int64(seconds) ?? waitMsMax, waitMsMax / 1_000) * 1_000 : 0
    return max(backOffMs, retryAfterMs)
}

/// A report of one session, which a newer one of the same session replaces. The collector's lock guards it.
final class Waiting: @unchecked Sendable {
    let session: String
    private var report: Report?
    private let stored: String

    init(session: String, report: Report) {
        self.session = session
        self.report = report
        stored = ""
    }

    /// A report that an earlier run has left.
    init?(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, isJsonObject(String(parts[1])) else { return nil }
        session = String(parts[0])
        stored = String(parts[1])
    }

    var token: String? {
        get { report?.token }
        set { report?.token = newValue }
    }

    var body: String { report.map { writeJson($0) } ?? stored }
}

/// Hands reports to the app's own server, in order, and tries again while there is no connection.
final class Reporter: @unchecked Sendable {
    private let lock: Lock
    private let host: CollectorHost
    private let endpoint: URL
    private let headers: @Sendable () -> [String: String]
    private var waiting: [Waiting]
    private var underWay: Waiting?
    private var failures = 0
    private var isPaused = false
    private var cancelNext: () -> Void = {}

    init(lock: Lock, host: CollectorHost, endpoint: URL, headers: @escaping @Sendable () -> [String: String]) {
        self.lock = lock
        self.host = host
        self.endpoint = endpoint
        self.headers = headers
        let unsent = (try? host.storage?.read(unsentKey)) ?? ""
        waiting = unsent.split(separator: "\n").compactMap { Waiting(line: $0) }.suffix(reportsMax)
    }

    /// Adds a report, to be sent with the next `flush`.
    func put(_ added: Waiting) {
        lock.hold {
            let others = waiting.filter { $0 === underWay || $0.session != added.session }
            waiting = (others + [added]).suffix(reportsMax)
            saveUnsent()
        }
    }

    /// Sends what waits, now.
    func flush() {
        lock.hold {
            isPaused = false
            plan(afterMs: 0)
        }
    }

    /// Makes no further attempts until the next `flush`. What is under way goes on.
    func pause() {
        lock.hold { isPaused = true }
    }

    private func plan(afterMs: Int64) {
        cancelNext()
        cancelNext = host.scheduler.after(afterMs) { self.sendFirst() }
    }

    private func sendFirst() {
        let next: (Waiting, String)? = lock.hold {
            guard underWay == nil, let first = waiting.first else { return nil }
            underWay = first
            return (first, first.body)
        }
        guard let (first, body) = next else { return }
        let all = headers().merging(jsonHeaders) { _, ours in ours }
        host.transport.post(endpoint, body: Data(body.utf8), headers: all) { self.note($0, to: ObjectIdentifier(first)) }
    }

    private func note(_ answer: CollectorAnswer?, to asked: ObjectIdentifier) {
        let isDone: Bool = lock.hold {
            guard let first = underWay, ObjectIdentifier(first) == asked else { return false }
            underWay = nil
            let status = answer?.status ?? 0
            if status == 0 || status == 408 || status == 429 || status >= 500 {
                let waitMs = waitAfter(failures: failures, random: host.random(), retryAfter: answer?.retryAfter)
                failures += 1
                if !isPaused { plan(afterMs: waitMs) }
                return false
            }
            // Accepted, or refused for good: the same again would be refused again.
            failures = 0
            waiting.removeAll { $0 === first }
            saveUnsent()
            return true
        }
        if isDone { sendFirst() }
    }

    /// Storage may be full, or fail in whatever way; the collector then works without it.
    private func saveUnsent() {
        let lines = waiting.map { "\($0.session) \($0.body)" }
        try? host.storage?.write(lines.isEmpty ? nil : lines.joined(separator: "\n"), to: unsentKey)
    }
}
