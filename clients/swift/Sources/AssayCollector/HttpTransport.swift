import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let version = "0.1.0"
private let timeoutSeconds = 10.0
private let answerBytesMax = 65_536

/// A transport with the platform's own HTTP client: no cookies, no cache, no redirects, ten seconds, and the first 64 KiB.
public final class HttpTransport: CollectorTransport {
    private let requests = Requests()
    private let session: URLSession

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeoutSeconds
        configuration.timeoutIntervalForResource = timeoutSeconds
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: requests, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public func post(_ url: URL, body: Data, headers: [String: String], then: @escaping @Sendable (CollectorAnswer?) -> Void) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("assay-swift/\(version)", forHTTPHeaderField: "User-Agent")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: request)
        requests.add(task.taskIdentifier, then)
        task.resume()
    }
}

/// The requests under way.
private final class Requests: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Waiting {
        let then: @Sendable (CollectorAnswer?) -> Void
        var body = Data()
    }

    private let lock = Lock()
    private var waiting: [Int: Waiting] = [:]

    func add(_ id: Int, _ then: @escaping @Sendable (CollectorAnswer?) -> Void) {
        lock.hold { waiting[id] = Waiting(then: then) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isEnough: Bool = lock.hold {
            let room = answerBytesMax - (waiting[dataTask.taskIdentifier]?.body.count ?? answerBytesMax)
            waiting[dataTask.taskIdentifier]?.body.append(data.prefix(room))
            return data.count >= room
        }
        if isEnough {
            finish(dataTask, error: nil)
            dataTask.cancel()
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        finish(task, error: error)
    }

    private func finish(_ task: URLSessionTask, error: Error?) {
        guard let done = lock.hold({ waiting.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard error == nil, let response = task.response as? HTTPURLResponse else { return done.then(nil) }
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After")
        done.then(CollectorAnswer(status: response.statusCode, retryAfter: retryAfter, body: done.body))
    }
}
