import Foundation

/// A value of `CollectorOptions.extra`. Literals are values; for others write `.text(visit.id)`.
public enum ExtraValue: Equatable, Sendable {
    case text(String)
    case whole(Int)
    case number(Double)
    case flag(Bool)
}

extension ExtraValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .whole(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension ExtraValue: Encodable {
    public func encode(to encoder: Encoder) throws {
        var field = encoder.singleValueContainer()
        switch self {
        case .text(let value): try field.encode(value)
        case .whole(let value): try field.encode(value)
        case .number(let value): try field.encode(value)
        case .flag(let value): try field.encode(value)
        }
    }
}

/// What the app's own server gets.
struct Report: Encodable {
    let extra: [String: ExtraValue]
    let signals: SessionSignals
    let sequence: Int
    var token: String?

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { return nil }
    }

    func encode(to encoder: Encoder) throws {
        var fields = encoder.container(keyedBy: Name.self)
        // The collector's own fields win.
        for (name, value) in extra where !["session_data", "sequence", "session_token"].contains(name) {
            try fields.encode(value, forKey: Name(name))
        }
        try fields.encode(signals, forKey: Name("session_data"))
        try fields.encode(sequence, forKey: Name("sequence"))
        try fields.encodeIfPresent(token, forKey: Name("session_token"))
    }
}

/// What Assay gets. Without a token it starts a session of the site.
struct Beat: Encodable {
    var site: String?
    var token: String?
    var d: Counts?
}

/// What Assay answers. A field of another type is taken for absent.
struct Reply: Decodable {
    var token: String?
    var nextMs: Double?
    var error: String?

    private enum CodingKeys: String, CodingKey {
        case token
        case nextMs = "next_ms"
        case error
    }

    init(from decoder: Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        token = try? fields.decodeIfPresent(String.self, forKey: .token)
        nextMs = try? fields.decodeIfPresent(Double.self, forKey: .nextMs)
        error = try? fields.decodeIfPresent(String.self, forKey: .error)
    }

    /// Nil if the text is not an object.
    static func read(_ body: Data) -> Reply? {
        try? JSONDecoder().decode(Reply.self, from: body)
    }
}

/// One line. Nothing that is written here can fail: options with numbers that JSON does not know are refused.
func writeJson<Value: Encodable>(_ value: Value) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
}

func isJsonObject(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any]
}
