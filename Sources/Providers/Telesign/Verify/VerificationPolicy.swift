import ProviderKit

/// The methods of the Verify API. Source: contract 4.2; 5.5 for `stamp`.
enum VerificationMethod: String, CaseIterable {
  case silent
  case push
  /// A registered app scans a code on a website.
  case stamp
  case sms
  case rcs
  case whatsapp
  case viber
  case email
  case voice

  var channel: Channel {
    switch self {
    case .silent: .silent
    case .push, .stamp: .push
    case .sms: .sms
    case .rcs: .rcs
    case .whatsapp: .whatsapp
    case .viber: .viber
    case .email: .email
    case .voice: .call
    }
  }

  /// Seconds until the next method. Source: contract 4.3.
  var defaultSeconds: Int { self == .email ? 120 : 60 }

  /// `qr` is a synonym of `stamp`, which responses use.
  init?(word: String) { self.init(rawValue: word == "qr" ? "stamp" : word) }
}

/// The methods of a verification, in order. Source: contract 4.3.
struct VerificationPolicy: Equatable {
  struct Entry: Equatable {
    let method: VerificationMethod
    /// `fallback_time`.
    let seconds: Int
  }

  let entries: [Entry]

  /// The policy of a request; nil: SMS only.
  init(_ fields: [Fields]?) throws {
    let requested = try fields?.map(Self.entry) ?? [(.sms, nil)]
    try Self.checkOrder(requested.map(\.method))
    entries = try Self.fillTimes(requested)
  }

  /// Reads what `write` wrote.
  init(stored fields: [Fields]) throws {
    entries = try fields.map { Entry(method: try $0.method(), seconds: try $0.int("fallback_time")) }
  }

  func write(to json: inout JSONWriter) {
    json.array("verification_policy", entries) { json, entry in
      json.value { json in
        json.member("method", entry.method.rawValue)
        json.member("fallback_time", entry.seconds)
      }
    }
  }

  /// In seconds.
  private static let (totalLimit, entryMinimum) = (300, 30)

  private static func entry(_ fields: Fields) throws -> (method: VerificationMethod, seconds: Int?) {
    let seconds = try fields.optionalInt("fallback_time")
    if let seconds, seconds < entryMinimum {
      throw fields.mismatch("fallback_time", expected: "\(entryMinimum) seconds or more")
    }
    // A longer time breaks the total limit by itself. The sum of three times must not overflow.
    return (try fields.method(), seconds.map { min($0, totalLimit + 1) })
  }

  private static func checkOrder(_ methods: [VerificationMethod]) throws {
    guard (1...3).contains(methods.count) else { throw invalid("one to three methods") }
    guard Set(methods.map(\.channel)).count == methods.count else { throw invalid("each method once") }
    let codeless = methods.indices.filter { !methods[$0].channel.carriesCode }
    guard codeless.isEmpty || codeless == [0] && methods.count > 1 else {
      throw invalid("silent, push or stamp in the first place only, followed by a method that sends a code")
    }
  }

  /// Fills in missing times: the last method gets the rest, others their default.
  private static func fillTimes(
    _ requested: [(method: VerificationMethod, seconds: Int?)]
  ) throws -> [Entry] {
    var entries: [Entry] = []
    for (index, entry) in requested.enumerated() {
      let used = entries.reduce(0) { $0 + $1.seconds }
      let isLast = index + 1 == requested.count
      let seconds = entry.seconds ?? (isLast ? totalLimit - used : entry.method.defaultSeconds)
      entries.append(Entry(method: entry.method, seconds: seconds))
    }
    guard entries.reduce(0, { $0 + $1.seconds }) <= totalLimit,
      entries.allSatisfy({ $0.seconds >= entryMinimum })
    else {
      throw invalid("at most \(totalLimit) seconds in total, and \(entryMinimum) or more for each method")
    }
    return entries
  }

  private static func invalid(_ expected: String) -> APIError {
    APIError(3110, in: .omnichannel).because("verification_policy: expected \(expected)")
  }
}

extension Fields {
  fileprivate func method() throws(FieldError) -> VerificationMethod {
    guard let method = VerificationMethod(word: try string("method")) else {
      throw mismatch("method", expected: "one of \(VerificationMethod.words)")
    }
    return method
  }
}
