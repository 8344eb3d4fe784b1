// Plays the corpus and a few scenes with the compiled collector, through its public interface only. Reads lines of JSON, and
// answers each with one.
import AssayCollector
import Dispatch
import Foundation

struct Event: Decodable {
    let at_ms: Int64
    let kind: String
    let offset: Double?
    let visible: Double?
    let content: Double?
    let window: Double?
}

struct Command: Decodable {
    let `do`: String
    let start_ms: Int64?
    let visits: Int?
    let events: [Event]?
    let read_at_ms: Int64?
    let replies: [String]?
    let status: Int?
    let retry_after: String?
    let endpoint: String?
    let site: String?
    let url: String?
}

/// A value that several threads change.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func change<Result>(_ work: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return work(&value)
    }

    var now: Value { change { $0 } }
}

final class FakeStorage: CollectorStorage {
    let kept: Shared<[String: String]>

    init(_ kept: [String: String] = [:]) { self.kept = Shared(kept) }

    func read(_ key: String) -> String? { kept.now[key] }
    func write(_ text: String?, to key: String) { kept.change { $0[key] = text } }
}

struct StorageError: Error {}

struct BrokenStorage: CollectorStorage {
    func read(_ key: String) throws -> String? { throw StorageError() }
    func write(_ text: String?, to key: String) throws { throw StorageError() }
}

/// Remembers what is due.
final class FakeScheduler: CollectorScheduler {
    private struct Task: Sendable {
        let id: Int
        let delayMs: Int64
        let work: @Sendable () -> Void
    }

    private let tasks = Shared<[Task]>([])
    private let made = Shared(0)

    /// How long each of them waits.
    var waits: [Int64] { tasks.now.map(\.delayMs) }

    func after(_ delayMs: Int64, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let id = made.change { made in
            made += 1
            return made
        }
        tasks.change { $0.append(Task(id: id, delayMs: delayMs, work: work)) }
        return { [tasks] in tasks.change { $0.removeAll { $0.id == id } } }
    }

    /// Runs what is due at once; with `isLater`, after the first of what waits.
    func run(isLater: Bool = false) {
        var isAny = isLater
        while true {
            let next: Task? = tasks.change { tasks in
                tasks.firstIndex { isAny || $0.delayMs == 0 }.map { tasks.remove(at: $0) }
            }
            guard let next else { return }
            isAny = false
            next.work()
        }
    }
}

struct FakeTransport: CollectorTransport {
    let answer: @Sendable (URL, String) -> CollectorAnswer?

    func post(_ url: URL, body: Data, headers: [String: String], then: @escaping @Sendable (CollectorAnswer?) -> Void) {
        then(answer(url, String(decoding: body, as: UTF8.self)))
    }
}

let endpoint = "https://shop.example/signals"
let assay = "https://assay.example/c/v1/"

func quote(_ text: String) -> String {
    String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
}

func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

/// One case of sessions.json.
func playCase(_ command: Command) throws -> String {
    let startMs = command.start_ms!
    let nowMs = Shared(startMs)
    let scheduler = FakeScheduler()
    let requests = Shared<[String]>([])
    let transport = FakeTransport { url, body in
        let count = requests.change { requests in
            requests.append("{\"url\":\(quote(url.absoluteString)),\"body\":\(body)}")
            return requests.count
        }
        let reply = "{\"token\":\"token-\(count)\",\"next_ms\":0,\"more\":[1,{\"a\":\"\\u00e9\"}]}"
        return CollectorAnswer(status: url.absoluteString == endpoint ? 204 : 200, body: Data(reply.utf8))
    }
    let storage = command.visits.map { FakeStorage(["assay.visits": String($0)]) }
    let options = try CollectorOptions(endpoint: endpoint, site: "site_4fKq2ZpX8mNwR7bTcY1s", url: assay)
    let host = CollectorHost(nowMs: { nowMs.now }, storage: storage, transport: transport, scheduler: scheduler, random: { 0.5 })
    let collector = AssayCollector(options, host: host)
    for event in command.events! {
        nowMs.change { $0 = startMs + event.at_ms }
        switch event.kind {
        case "show": collector.onForeground()
        case "hide": collector.onBackground()
        case "activity": collector.onActivity()
        case "tap": collector.onTap()
        case "key": collector.onKey()
        case "screen": collector.screen()
        case "scroll":
            collector.onScroll(offset: event.offset!, visible: event.visible!, content: event.content!, window: event.window!)
        default: fatalError("an unknown event: \(event.kind)")
        }
        scheduler.run()
    }
    nowMs.change { $0 = startMs + command.read_at_ms! }
    let signals = collector.read().json
    for _ in 1...2 {
        collector.token { _ in }
        scheduler.run()
    }
    return "{\"signals\":\(signals),\"requests\":\(list(requests.now))}"
}

/// Without a connection: what waits, for how long, and what the next run sends.
func playOffline(status: Int, retryAfter: String?) throws -> String {
    let storage = FakeStorage()
    let scheduler = FakeScheduler()
    let nowMs = Shared<Int64>(0)
    let bodies = Shared<[String]>([])
    let failing = FakeTransport { _, body in
        bodies.change { $0.append(body) }
        return status == 0 ? nil : CollectorAnswer(status: status, retryAfter: retryAfter, body: Data("<html>".utf8))
    }
    let options = try CollectorOptions(endpoint: endpoint, extra: ["visit": "v1", "sequence": 7])
    let host = CollectorHost(nowMs: { nowMs.now }, storage: storage, transport: failing, scheduler: scheduler, random: { 1 })
    let collector = AssayCollector(options, host: host)
    collector.screen("Home")
    collector.onForeground()
    scheduler.run()
    nowMs.change { $0 += 5_000 }
    collector.onTap()
    collector.onBackground()
    scheduler.run()
    var waits: [Int64] = []
    for _ in 1...9 {
        waits += scheduler.waits
        scheduler.run(isLater: true)
    }
    let sent = Shared<[String]>([])
    let accepting = FakeTransport { _, body in
        sent.change { $0.append(body) }
        return CollectorAnswer(status: 204)
    }
    let next = CollectorHost(nowMs: { nowMs.now }, storage: storage, transport: accepting, scheduler: scheduler)
    AssayCollector(try CollectorOptions(endpoint: endpoint), host: next).onForeground()
    scheduler.run()
    let kept = list(storage.kept.now.keys.map(quote))
    let distinct = list(Array(Set(bodies.now)))
    return "{\"waits\":\(waits),\"attempts\":\(bodies.now.count),\"bodies\":\(distinct),\"sent\":\(list(sent.now)),\"kept\":\(kept)}"
}

/// Taps of several threads, while others read and send. The clock gives way to another thread whenever it is asked.
func playThreads() throws -> String {
    let ticks = Shared<Int64>(0)
    let clock: @Sendable () -> Int64 = {
        let now = ticks.change { ticks in
            ticks += 1
            return ticks
        }
        sched_yield()
        return now
    }
    let accepting = FakeTransport { _, _ in CollectorAnswer(status: 204) }
    let collector = AssayCollector(try CollectorOptions(endpoint: endpoint), host: CollectorHost(nowMs: clock, transport: accepting))
    collector.onForeground()
    let shownMs = ticks.now
    collector.screen()
    let group = DispatchGroup()
    for nth in 0..<8 {
        group.enter()
        Thread.detachNewThread {
            if nth < 6 {
                for _ in 0..<20_000 { collector.onTap() }
            } else {
                for _ in 0..<500 {
                    _ = collector.read()
                    collector.send()
                }
            }
            group.leave()
        }
    }
    group.wait()
    let signals = collector.read()
    let passedMs = ticks.now - shownMs
    collector.stop()
    return "{\"signals\":\(signals.json),\"passed_ms\":\(passedMs)}"
}

func playTouches() throws -> String {
    let scenes: [[(CollectorTouch, Double)]] = [
        [(.down, 0), (.move, 9), (.up, 9)],
        [(.down, 0), (.move, 11), (.move, 0), (.up, 0)],
        [(.down, 0), (.more, 0), (.up, 0)],
        [(.down, 0), (.cancel, 0), (.up, 0)],
    ]
    let counted = try scenes.map { scene in
        let collector = AssayCollector(try CollectorOptions(), host: CollectorHost(scheduler: FakeScheduler()))
        for (touch, x) in scene { collector.onTouch(touch, x: x, y: 0) }
        collector.onScroll(offset: .nan, visible: 700, content: 1_300, window: 800)
        return collector.read().interactionCount
    }
    return "{\"counted\":\(counted)}"
}

/// A visitor who objects, storage that fails, and options that are refused.
func playRefusals() throws -> String {
    let scheduler = FakeScheduler()
    let storage = FakeStorage(["assay.visits": "3"])
    let urls = Shared<[String]>([])
    let warnings = Shared<[String]>([])
    let transport = FakeTransport { url, _ in
        urls.change { $0.append(url.absoluteString) }
        return CollectorAnswer(status: 404)
    }
    let base = "https://assay.example/c/v1"
    let objecting = AssayCollector(
        try CollectorOptions(endpoint: endpoint, site: "site_x", url: base, visitorObjects: true),
        host: CollectorHost(nowMs: { 0 }, storage: storage, transport: transport, scheduler: scheduler)
    )
    let refused = AssayCollector(
        try CollectorOptions(site: "site_x", url: base),
        host: CollectorHost(nowMs: { 0 }, storage: BrokenStorage(), transport: transport, scheduler: scheduler, random: { 0 }) { warning in
            warnings.change { $0.append(warning) }
        }
    )
    for collector in [objecting, refused] {
        collector.onForeground()
        collector.screen()
        collector.onTap()
        collector.onBackground()
        scheduler.run()
        collector.onForeground()
        scheduler.run()
    }
    let wrong: [() throws -> CollectorOptions] = [
        { try CollectorOptions(site: "site_x") },
        { try CollectorOptions(endpoint: "/signals") },
        { try CollectorOptions(extra: ["share": .number(.nan)]) },
    ]
    let thrown = wrong.map { make -> String in
        do {
            _ = try make()
            return "none"
        } catch {
            return "\(error)"
        }
    }
    let returning = objecting.read().returnVisitor.map { "\($0)" } ?? "null"
    return """
    {"kept":\(storage.kept.now.count),"returning":\(returning),"urls":\(list(urls.now.map(quote))),\
    "warnings":\(warnings.now.count),"thrown":\(list(thrown.map(quote)))}
    """
}

/// What Assay answers to the start of a session, and how long the collector then waits.
func playReplies(_ replies: [String]) throws -> String {
    let waits = try replies.map { reply in
        let scheduler = FakeScheduler()
        let transport = FakeTransport { _, _ in CollectorAnswer(status: 200, body: Data(reply.utf8)) }
        let options = try CollectorOptions(site: "site_x", url: assay)
        let host = CollectorHost(nowMs: { 0 }, transport: transport, scheduler: scheduler, random: { 1 })
        let collector = AssayCollector(options, host: host)
        collector.onForeground()
        scheduler.run()
        return scheduler.waits
    }
    return "{\"waits\":\(waits)}"
}

/// By the machine's clock, threads and network.
func startLive(_ command: Command) throws -> (AssayCollector, String) {
    let extra: [String: ExtraValue] = ["visit": "v\"1\\ é😀\n", "nth": 1, "share": 0.1, "is_test": true]
    let options = try CollectorOptions(
        endpoint: command.endpoint,
        extra: extra,
        headers: { ["Authorization": "Bearer x"] },
        site: command.site,
        url: command.url
    )
    let warn: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    let collector = AssayCollector(options, host: CollectorHost(storage: FakeStorage(["assay.visits": "2"]), warn: warn))
    collector.onForeground()
    collector.screen("Home")
    if command.site != nil {
        let token = Shared<String?>(nil)
        let deadlineMs = CollectorHost.monotonicMs() + 30_000
        while token.now == nil, CollectorHost.monotonicMs() < deadlineMs {
            let asked = DispatchSemaphore(value: 0)
            collector.token { renewed in
                token.change { $0 = renewed }
                asked.signal()
            }
            guard asked.wait(timeout: .now() + 10) == .success else { fatalError("no token, and no word about it") }
        }
        Thread.sleep(forTimeInterval: 3.3)
    }
    collector.onTouch(.down, x: 5, y: 5)
    collector.onTouch(.up, x: 5, y: 5)
    collector.onKey()
    collector.onScroll(offset: 300, visible: 700, content: 1_300, window: 800)
    let signals = collector.read().json
    collector.onBackground()
    return (collector, signals)
}

/// What the transport makes of an address.
func playRequest(_ command: Command) -> String {
    let answered = DispatchSemaphore(value: 0)
    let answer = Shared<CollectorAnswer?>(nil)
    let transport = HttpTransport()
    transport.post(URL(string: command.endpoint!)!, body: Data("{}".utf8), headers: [:]) { got in
        answer.change { $0 = got }
        answered.signal()
    }
    guard answered.wait(timeout: .now() + 20) == .success else { fatalError("the transport has not called back") }
    guard let got = answer.now else { return "{\"status\":0}" }
    return "{\"status\":\(got.status),\"retry_after\":\(got.retryAfter.map(quote) ?? "null"),\"bytes\":\(got.body.count)}"
}

let live = Shared<AssayCollector?>(nil)

func answer(_ command: Command) throws -> String {
    switch command.do {
    case "case": return try playCase(command)
    case "offline": return try playOffline(status: command.status!, retryAfter: command.retry_after)
    case "threads": return try playThreads()
    case "touches": return try playTouches()
    case "refusals": return try playRefusals()
    case "replies": return try playReplies(command.replies!)
    case "request": return playRequest(command)
    case "live":
        let (collector, signals) = try startLive(command)
        live.change { $0 = collector }
        return signals
    case "stop":
        live.now?.stop()
        live.change { $0 = nil }
        return "{}"
    default: fatalError("an unknown scene: \(command.do)")
    }
}

while let line = readLine() {
    let reply = try answer(JSONDecoder().decode(Command.self, from: Data(line.utf8)))
    FileHandle.standardOutput.write(Data("\(reply)\n".utf8))
}
