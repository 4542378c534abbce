import Domain
import JSON
import ProviderKit

/// The methods of a verification in the order in which they are tried. Source: contract 4.3.
struct VerificationPolicy: Equatable {
  /// One method and its time.
  struct Entry: Equatable {
    let method: VerificationMethod
    /// `fallback_time`.
    let seconds: Int
  }

  let entries: [Entry]

  /// What a request asks for; texts alone where it asks for nothing.
  init(_ fields: [Fields]?) throws {
    let asked = try fields?.map(Self.entry) ?? [(.sms, nil)]
    try Self.checkOrder(asked.map(\.method))
    entries = try Self.filled(asked)
  }

  /// Reads what `write` wrote.
  init(kept fields: [Fields]) throws {
    entries = try fields.map { Entry(method: try $0.method(), seconds: try $0.int("fallback_time")) }
  }

  /// Writes the entries as answers have them.
  func write(to json: inout JSONWriter) {
    json.array("verification_policy", entries) { json, entry in
      json.value { json in
        json.member("method", entry.method.rawValue)
        json.member("fallback_time", entry.seconds)
      }
    }
  }

  /// Seconds for all methods together, and the fewest for one.
  private static let (most, least) = (300, 30)

  private static func entry(_ fields: Fields) throws -> (method: VerificationMethod, seconds: Int?) {
    let seconds = try fields.optionalInt("fallback_time")
    if let seconds, seconds < least {
      throw fields.mismatch("fallback_time", expected: "\(least) seconds or more")
    }
    return (try fields.method(), seconds)
  }

  private static func checkOrder(_ methods: [VerificationMethod]) throws {
    guard (1...3).contains(methods.count) else { throw broken("one to three methods") }
    guard Set(methods.map(\.channel)).count == methods.count else { throw broken("each method once") }
    let asking = methods.indices.filter { !methods[$0].channel.carriesCode }
    guard asking.isEmpty || asking == [0] && methods.count > 1 else {
      throw broken(
        "one of silent, push and stamp at most, in the first place, with a method for codes behind it")
    }
  }

  /// The last method has what is left unless its time is given.
  private static func filled(_ asked: [(method: VerificationMethod, seconds: Int?)]) throws -> [Entry] {
    var entries: [Entry] = []
    for (place, entry) in asked.enumerated() {
      let used = entries.reduce(0) { $0 + $1.seconds }
      let rest = place + 1 < asked.count ? entry.method.usualSeconds : most - used
      entries.append(Entry(method: entry.method, seconds: entry.seconds ?? rest))
    }
    guard entries.reduce(0, { $0 + $1.seconds }) <= most, entries.allSatisfy({ $0.seconds >= least }) else {
      throw broken("\(most) seconds for all methods together, \(least) or more for each")
    }
    return entries
  }

  private static func broken(_ expected: String) -> Problem {
    Problem(3110, in: .omnichannel).because("verification_policy: expected \(expected)")
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
