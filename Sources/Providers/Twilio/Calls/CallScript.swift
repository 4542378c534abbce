import ProviderKit

/// How far a call has come in the app's documents.
struct CallScript: Equatable, Sendable {
  /// The document that is carried out; nil while the app is asked for one.
  var document: String?
  /// The number of the next verb, counted from 0.
  var place = 0
  /// Where the document came from; nil for one of the request.
  var source: Address?
  /// The webhook that asks for the next document.
  var request: Int?
  /// The address that it asks.
  var requested: Address?
  /// True if that is the fallback.
  var isFallback = false
  /// How many answers in a row led to another address.
  var redirects = 0
  /// How many documents there were.
  var documents = 0
  /// `name=value`, of the app.
  var cookies: [String] = []
  /// The keys that the call waits for.
  var gather: Gather?
  /// The number of the next planned step; earlier ones are void. Those up to `CallCourse.firstStep` are not
  /// the script's.
  var step = CallCourse.firstStep

  static let schema = Schema<CallScript>([
    .optional("document", \.document, .string),
    .required("place", \.place, .count),
    .optional("source", \.source, .address),
    .optional("request", \.request, .ordinal),
    .optional("requested", \.requested, .address),
    .required("isFallback", \.isFallback, .boolean),
    .required("redirects", \.redirects, .count),
    .required("documents", \.documents, .count),
    .field("cookies", \.cookies, .array(of: .string, maxItems: maxCookies), default: []),
    .optional("gather", \.gather, .object(Gather.schema) { Gather() }),
    .required("step", \.step, .count),
  ])

  static let maxCookies = 20
  static let maxRedirects = 5
  static let maxDocuments = 50

  /// Cookies are kept during the call.
  mutating func keep(cookies fields: [String]) {
    for field in fields {
      let cookie = String(field.prefix { $0 != ";" })
      let name = cookie.prefix { $0 != "=" }
      cookies.removeAll { $0.prefix { $0 != "=" } == name }
      if cookie.utf8.count <= 4096, cookies.count < Self.maxCookies { cookies.append(cookie) }
    }
  }

  /// Forgets what the document has begun.
  mutating func leaveDocument() {
    (document, place, gather, request) = (nil, 0, nil, nil)
    step += 1
  }
}

/// The verb `Gather`.
struct Gather: Equatable, Sendable {
  /// Nil: the address of the document.
  var action: String?
  var method = Address.Method.post
  /// Nil: any number.
  var numDigits: Int?
  /// Each ends the input; may be empty.
  var finishKeys = "#"
  var timeout = Duration.seconds(5)
  /// True if no key is an input too.
  var acceptsNone = false
  /// The keys so far.
  var digits = ""
  /// The keys that the person is about to press.
  var planned = ""

  static let schema = Schema<Gather>([
    .optional("action", \.action, .string),
    .required("method", \.method, .word),
    .optional("numDigits", \.numDigits, .count),
    .required("finishKeys", \.finishKeys, .string),
    .required("timeout", \.timeout, .milliseconds),
    .required("acceptsNone", \.acceptsNone, .boolean),
    .required("digits", \.digits, .string),
    .required("planned", \.planned, .string),
  ])

  init() {}

  init(_ verb: XMLElement) {
    action = verb["action"].flatMap { $0.isEmpty ? nil : $0 }
    method = verb["method"].flatMap { Address.Method(rawValue: $0.uppercased()) } ?? .post
    numDigits = verb["numDigits"].flatMap { Int($0) }.flatMap { (1...Self.maxDigits).contains($0) ? $0 : nil }
    finishKeys = verb["finishOnKey"] ?? "#"
    timeout = .seconds(verb["timeout"].flatMap { Int($0) }.map { min(max($0, 0), 600) } ?? 5)
    acceptsNone = verb["actionOnEmptyResult"] == "true"
  }

  private static let maxDigits = 32

  /// What a person presses unless a scenario says more. Nothing for speech.
  static func usualKeys(_ verb: XMLElement) -> String {
    let input = verb["input"]?.split(separator: " ") ?? ["dtmf"]
    return input.contains("dtmf") ? String(repeating: "1", count: Gather(verb).numDigits ?? 1) : ""
  }

  /// Takes keys until the input is complete. Returns nil if it is not, else the key that has ended it, which
  /// is empty without one.
  mutating func press(_ keys: String) -> String? {
    for key in keys {
      if finishKeys.contains(key) { return String(key) }
      digits.append(key)
      if digits.count == numDigits ?? Self.maxDigits { return "" }
    }
    return nil
  }
}
