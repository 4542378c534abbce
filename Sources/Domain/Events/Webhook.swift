package import Basics
import JSON

/// One webhook, without its attempts.
///
/// ```
/// enqueue ──> pending ──an attempt is acknowledged───> delivered
///               │ ├──the schedule has no more attempts──> failed
///               │ ├──the destination is not allowed──────> refused
///               │ ├──too many newer ones are pending─────> dropped
///               │ └──a webhook fault loses it────────────> lost
///               └──not acknowledged: pending, until the next attempt
/// ```
package struct Webhook: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case pending
    case delivered
    /// No attempt of the schedule was acknowledged.
    case failed
    /// The destination is not allowed.
    case refused
    /// Too many newer webhooks are pending.
    case dropped
    /// A webhook fault has lost it.
    case lost
  }

  package let ordinal: Int
  package let draft: WebhookDraft
  package let createdAt: Timestamp
  package var state: State
  /// Why it ended without delivery.
  package var why: String?
  /// The time of the schedule's next attempt.
  package var nextAt: Timestamp?
  /// Since when an attempt is due or in progress.
  package var readyAt: Timestamp?
  /// The attempts of the schedule so far; replays do not count.
  package var tries: Int
  /// The request of every attempt; nil until the webhook is due.
  package var request: WebhookRequest?
  /// What is wrong with it on purpose.
  package var fault: InjectedWebhookFault?
  /// The trace of the request that has caused it.
  package var trace: TraceContext?

  /// How much older than the truth its timestamp has to be.
  package var timestampAge: Duration { fault?.fault.timestampAge ?? .zero }

  /// True if its time is in the future, and no attempt was made.
  package var isPlanned: Bool { state == .pending && readyAt == nil && tries == 0 && request == nil }

  /// The id in the control API: `whk_000031`.
  package var id: String { Self.id(of: ordinal) }

  static func id(of ordinal: Int) -> String {
    let digits = String(ordinal)
    return idPrefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  package static let idPrefix = "whk_"

  /// The URL with secrets masked.
  package var shownURL: String { Self.masked(draft.url) }

  /// Masks user information, and query values whose names suggest a secret.
  package static func masked(_ url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    let user = url.utf8[authority].lastIndex(of: UInt8(ascii: "@"))
    let start = user.map { "\(url[..<authority.lowerBound])\(maskedSecret)\(url[$0..<authority.upperBound])" }
    return (start ?? String(url[..<authority.upperBound])) + maskedQuery(url[authority.upperBound...])
  }

  private static func maskedQuery(_ text: Substring) -> String {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return String(text) }
    let pairs = text.utf8[mark...].dropFirst()
      .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let shown = pairs.map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let isSecret = name.count < pair.count && SecretNames.common.contains(query: ArraySlice(name))
      return isSecret ? "\(Substring(name))=\(maskedSecret)" : String(Substring(pair))
    }
    return text[...mark] + shown.joined(separator: "&")
  }

  /// Where a URL names its receiver; nil for other texts. Bytes, as everywhere in this file: to search
  /// through characters takes fifty times as long.
  fileprivate static func authority(of url: String) -> Range<String.Index>? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = url.utf8[colon...]
    guard rest.starts(with: "://".utf8) else { return nil }
    let authority = rest.dropFirst(3).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return authority.startIndex..<authority.endIndex
  }
}

/// A webhook to send; its bytes are made when it is due.
package struct WebhookDraft: Equatable, Sendable {
  package let provider: String
  /// An http or https URL.
  package let url: String
  /// The kind, by the provider's name for it.
  package let kind: String
  /// The ordinal of the verification, message or other subject.
  package let subject: Int
  /// A JSON object from which the provider makes the body.
  package let detail: String

  /// The receiver: scheme and authority of the URL.
  package var destination: String {
    guard let authority = Webhook.authority(of: url) else { return url }
    return url[..<authority.upperBound].lowercased()
  }

  package init(provider: String, url: String, kind: String, subject: Int, detail: String = "{}") {
    self.provider = provider
    self.url = url
    self.kind = kind
    self.subject = subject
    self.detail = detail
  }
}

/// The bytes of every attempt of a webhook.
package struct WebhookRequest: Equatable, Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String

    /// Removes control characters from the value, so that it cannot start another line.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value =
        value.utf8.inMemory { $0.allSatisfy { $0 >= 0x20 } }
        ? value : String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 0x20 }))
    }
  }

  /// All header fields except `Host`, `Content-Length` and `Connection`, which the sender adds.
  package var fields: [Field]
  package let body: [UInt8]
  package let method: Method

  package init(_ method: Method = .post, fields: [Field], body: [UInt8]) {
    self.method = method
    self.fields = fields
    self.body = body
  }

  package func adding(_ more: [Field]) -> WebhookRequest {
    WebhookRequest(method, fields: fields + more, body: body)
  }

  /// The same with the fields of a trace.
  package func traced(_ trace: TraceContext?) -> WebhookRequest {
    trace.map { adding($0.fields) } ?? self
  }

  /// A JSON body with its `Content-Type`, followed by other fields.
  package static func json(_ body: [UInt8], _ fields: Field...) -> WebhookRequest {
    WebhookRequest(fields: [Field("Content-Type", "application/json")] + fields, body: body)
  }

  /// The fields as a database column, one per line. A method other than POST has a line of its own before
  /// them, named as in HTTP/2.
  var column: String {
    (method == .post ? "" : "\(Self.methodName): \(method.rawValue)\n")
      + fields.map { "\($0.name): \($0.value)\n" }.joined()
  }

  private static let methodName = ":method"

  init(column: String, body: [UInt8]) {
    var (method, fields) = (Method.post, [Field]())
    var rest = Array(column.utf8)[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      // The name of a method's line begins with a colon.
      let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? end
      let name = String(decoding: line[..<colon], as: UTF8.self)
      let value = String(decoding: line[colon...].dropFirst(2), as: UTF8.self)
      if name == Self.methodName {
        method = Method(rawValue: value) ?? .post
      } else {
        fields.append(Field(name, value))
      }
      rest = rest[(end + 1)...]
    }
    self.init(method, fields: fields, body: body)
  }
}

/// One attempt to deliver a webhook, with its result.
package struct WebhookAttempt: Equatable, Sendable {
  /// Counted from 1.
  package let number: Int
  /// On the sandbox's clock.
  package let at: Timestamp
  package let result: Result

  package enum Result: Equatable, Sendable {
    /// Rows have the status and the beginning of the body.
    case answered(WebhookAnswer)
    case unanswered(why: String)
    /// There was no connection. Rows have it as `unanswered`.
    case unreachable(why: String)
    /// Nothing was sent, because the destination is not allowed.
    case refused(why: String)

    package static func answered(status: Int, body: String) -> Result {
      .answered(WebhookAnswer(status: status, body: Array(body.utf8)))
    }

    package var answer: WebhookAnswer? {
      if case .answered(let answer) = self { answer } else { nil }
    }

    package var status: Int? { answer?.status }

    /// Why there was no answer.
    package var error: String? {
      switch self {
      case .answered: nil
      case .unanswered(let why), .unreachable(let why), .refused(let why): why
      }
    }

    package var body: String { answer?.excerpt ?? "" }
  }

  package init(number: Int, at: Timestamp, result: Result) {
    self.number = number
    self.at = at
    self.result = result
  }
}
