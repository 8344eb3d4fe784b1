import Dispatch
import Foundation

/// Keeps a few short texts on the device, such as in UserDefaults. May be called from several threads.
public protocol CollectorStorage: Sendable {
    /// The text under `key`; nil if there is none.
    func read(_ key: String) throws -> String?

    /// Keeps `text` under `key`; nil deletes it.
    func write(_ text: String?, to key: String) throws
}

/// An answer to a request.
public struct CollectorAnswer: Sendable {
    /// The HTTP status.
    public let status: Int

    /// The header Retry-After; nil if there is none.
    public let retryAfter: String?

    /// The body, as far as it is of use.
    public let body: Data

    public init(status: Int, retryAfter: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Makes requests.
public protocol CollectorTransport: Sendable {
    /// Posts `body` to `url`, and calls `then` once, from any thread: with the answer, or nil if there was none. Must not block.
    func post(_ url: URL, body: Data, headers: [String: String], then: @escaping @Sendable (CollectorAnswer?) -> Void)
}

/// Runs what is due.
public protocol CollectorScheduler: Sendable {
    /// Runs `work` once, later than this call has returned, after `delayMs`. Returns what cancels it.
    func after(_ delayMs: Int64, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// What the collector runs on.
public struct CollectorHost: Sendable {
    /// Milliseconds since some moment.
    public var nowMs: @Sendable () -> Int64

    /// Where to keep a count of sessions and unsent reports; nil: `return_visitor` is left out.
    public var storage: CollectorStorage?

    /// Makes the requests.
    public var transport: CollectorTransport

    /// Runs them.
    public var scheduler: CollectorScheduler

    /// 0 to 1.
    public var random: @Sendable () -> Double

    /// Tells the developer.
    public var warn: @Sendable (String) -> Void

    /// The default clock cannot be set back, and goes on while the device sleeps.
    public init(
        nowMs: @escaping @Sendable () -> Int64 = { CollectorHost.monotonicMs() },
        storage: CollectorStorage? = nil,
        transport: CollectorTransport = HttpTransport(),
        scheduler: CollectorScheduler = QueueScheduler(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.nowMs = nowMs
        self.storage = storage
        self.transport = transport
        self.scheduler = scheduler
        self.random = random
        self.warn = warn
    }
    /// Milliseconds of CLOCK_MONOTONIC, which Apple documents to go on while the device sleeps.
    public static func monotonicMs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A scheduler with a serial queue.
public final class QueueScheduler: CollectorScheduler {
    private let queue = DispatchQueue(label: "dev.assay.collector")

    public init() {}

    public func after(_ delayMs: Int64, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let task = Once(work)
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delayMs))) { task.run() }
        return { task.cancel() }
    }
}

/// Work that is run at most once, and not after it was cancelled.
final class Once: @unchecked Sendable {
    private let lock = Lock()
    private var work: (@Sendable () -> Void)?

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    func run() { take()?() }
    func cancel() { _ = take() }

    private func take() -> (@Sendable () -> Void)? {
        lock.hold {
            defer { work = nil }
            return work
        }
    }
}

/// Held while the state of a collector is read or changed, and never during a request.
final class Lock: @unchecked Sendable {
    private let lock = NSRecursiveLock()

    func hold<Result>(_ work: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work()
    }
}
