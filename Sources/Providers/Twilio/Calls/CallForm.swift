import ProviderKit

/// The form of a creation, each parameter valid by itself.
struct CallForm {
  let to: String
  let from: String
  let document: Address?
  let twiml: String?
  let fallback: Address?
  let statusCallback: Address?
  let statusEvents: [CallEvent]
  let ringTime: Duration
  let sendDigits: String?
  let detectsMachines: Bool

  /// The errors come in the order of the provider's.
  init(_ form: Form) throws {
    form.declare(Self.parameters)
    guard let to = form.text("To") else { throw APIError(code: 21201) }
    let url = form.text("Url")
    // Not read beside a URL, which wins.
    let twiml = url == nil ? form.text("Twiml") : nil
    if url == nil, twiml == nil {
      guard form.text("ApplicationSid") == nil else {
        throw APIError(code: 21218).because("applications are not emulated: use Url or Twiml")
      }
      throw APIError(code: 21205)
    }
    guard let from = form.text("From") else { throw APIError(code: 21213) }
    (self.to, self.from, self.twiml) = (to, from, twiml)
    if let twiml, twiml.count > Self.maxTwiml {
      throw APIError.invalidParameter("Twiml", expected: "at most \(Self.maxTwiml) characters")
    }
    document = try form.document("Url", "Method")
    fallback = try form.document("FallbackUrl", "FallbackMethod")
    ringTime = .seconds(try form.number("Timeout", 1...600) ?? 60)
    sendDigits = form.text("SendDigits")
    if let digits = sendDigits, digits.utf8.count > 32 || !digits.allSatisfy({ Self.digits.contains($0) }) {
      throw APIError.invalidParameter("SendDigits", expected: "up to 32 of 0-9, A-D, #, * and w")
    }
    detectsMachines = try form.optionalWord("MachineDetection", of: MachineDetection.self) != nil
    statusEvents = try Self.events(form)
    statusCallback = try form.address("StatusCallback", "StatusCallbackMethod") {
      APIError.call(21609, to: $0)
    }
  }

  private enum MachineDetection: String, CaseIterable {
    case start = "Enable"
    case end = "DetectMessageEnd"
  }

  /// Repeated, or in one value with spaces between.
  private static func events(_ form: Form) throws(APIError) -> [CallEvent] {
    var events: [CallEvent] = []
    for word in form.all("StatusCallbackEvent").flatMap({ $0.split(separator: " ") }) {
      guard let event = CallEvent(rawValue: String(word)) else {
        throw .invalidParameter("StatusCallbackEvent", expected: "one of \(CallEvent.words)")
      }
      if !events.contains(event) { events.append(event) }
    }
    return events.isEmpty ? [.completed] : events
  }

  /// Those of the table in the contract that have an effect. `Twiml` is not among them: beside a URL it has
  /// none.
  private static let parameters = [
    "To", "From", "Url", "Method", "FallbackUrl", "FallbackMethod", "StatusCallback",
    "StatusCallbackMethod", "StatusCallbackEvent", "Timeout", "SendDigits", "MachineDetection",
    "ApplicationSid",
  ]
  static let maxTwiml = 4000
  private static let digits = "0123456789ABCD#*wW"
}

extension Form {
  /// The address of a document.
  func document(_ name: String, _ method: String) throws -> Address? {
    try address(name, method) {
      APIError(code: 21205, message: "Url is not a valid URL: \($0)")
        .because("\(name): expected an http or https URL; found \($0.quoted)")
    }
  }

  fileprivate func address(
    _ name: String, _ method: String, error: (String) -> APIError
  ) throws -> Address? {
    let word = try optionalWord(method, of: Address.Method.self) ?? .post
    guard let url = text(name) else { return nil }
    guard Twimlet.document(at: url) != nil || AbsoluteURL(url) != nil else { throw error(url) }
    return Address(url: url, method: word)
  }
}
