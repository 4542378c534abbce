import Basics
import Database
package import Domain
import HTTP
import JSON

/// The part of a sandbox that a file about one verification has, for other people. It has no secrets:
///
/// - Credentials, signing keys and private keys of devices are left out. So is the random seed of a server
///   with tokens, from which it makes credentials. A sandbox that is made from the part gets its own.
/// - Requests, webhooks and the secret fields of records are masked.
/// - It has the rows of one verification and of its phone, and the settings of one provider.
package struct SharedPart {
  let provider: String
  private let destination: String
  /// Of all its records.
  private let ordinals: Set<Int>
  /// Texts of which the records of its provider have one.
  private let ids: [ByteSearch]
  /// Masked, in their order.
  let exchanges: [Journal.Exchange]
  private let masking: Masks
  private let secretNames: SecretNames
  /// The secrets of credentials, wherever else they are.
  private let secrets: Replacements
  let now: Timestamp
  /// True if nobody may know the random seed.
  package var hasSecretSeed = true
  /// The ids of its provider's accounts: a new sandbox has others in their place.
  let accounts: [String]

  /// How texts are masked.
  package struct Masks {
    let url: (String) -> String
    let body: ([UInt8]) -> String

    package init(url: @escaping (String) -> String, body: @escaping ([UInt8]) -> String) {
      (self.url, self.body) = (url, body)
    }
  }

  package init(
    of sandbox: Sandbox, providers: [String], provider: String, destination: String, ordinals: Set<Int>,
    ids: [String], exchanges: [Journal.Exchange], masking: Masks
  ) throws {
    (self.provider, self.destination) = (provider, destination)
    // Work that is about no record, such as deleting old history, has 0.
    self.ordinals = ordinals.union([0])
    self.ids = (ids + [destination]).map { ByteSearch(for: $0) }
    self.masking = masking
    self.exchanges = exchanges.enumerated().map { place, exchange in
      var numbered = exchange
      numbered.ordinal = place + 1
      return numbered
    }
    secretNames = sandbox.secretNames(of: provider)
    now = sandbox.clock.now
    let credentials = try providers.map { provider in
      (provider, try sandbox.accounts.all(of: provider))
    }
    let own = credentials.first { $0.0 == provider }?.1 ?? []
    accounts = own.filter { $0.name == $0.account && $0.name.utf8.count >= Self.shortestName }.map(\.name)
    let parts = credentials.flatMap(\.1).flatMap { Self.parts(of: $0.secret) }
    secrets = Replacements(parts.map { ($0, Self.sameShape($0)) })
  }

  /// Some accounts have several secrets in one text. A key in PEM is one.
  private static func parts(of secret: String) -> [String] {
    let parts =
      secret.hasPrefix("-----") ? [secret] : secret.split { " ,;\n".contains($0) }.map(String.init)
    return parts.filter { $0.utf8.count >= shortestName }
  }

  /// Of a sandbox that gets one of its own, and other ids and codes with it.
  static let ownSeed: Int64 = 0

  /// A shorter text may be a part of others.
  static let shortestName = 8

  // MARK: Rows

  /// Which rows of a table it has.
  private enum Choice {
    case none
    case all
    /// Those with an ordinal of its records in this column.
    case records(String)
    /// Those with its phone number in this column.
    case phone(String)
    /// Those of its provider.
    case provider
  }

  private static let choices: [String: Choice] = [
    "credentials": .none, "signing_keys": .none, "quotas": .none, "retired_tokens": .none,
    "push_attempts": .none, "gateways": .all, "rules": .all, "records": .provider,
    "subscribers": .phone("number"), "scenario_hits": .phone("number"), "devices": .phone("holder"),
    "verifications": .records("ordinal"), "steps": .records("verification"), "messages": .records("ordinal"),
    "calls": .records("ordinal"), "events": .records("ordinal"), "agenda": .records("subject"),
    "webhooks": .records("ordinal"), "webhook_attempts": .records("webhook"),
    "silent_sessions": .records("ordinal"), "pushes": .records("ordinal"), "challenges": .records("ordinal"),
  ]

  /// True if it decides about a table. Rows of others are left out.
  static func knows(_ table: String) -> Bool { choices[table] != nil }

  /// The row as the part has it; nil if it does not.
  func row(_ row: [ColumnValue], of table: Table) -> [ColumnValue]? {
    let values = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row))
    switch Self.choices[table.name] ?? .none {
    case .none: return nil
    case .all: break
    case .records where values["kind"]?.text == "sendWebhook": return nil
    case .records(let column):
      guard let ordinal = values[column]?.integer, ordinals.contains(Int(ordinal)) else { return nil }
    case .phone(let column): guard values[column]?.text == destination else { return nil }
    case .provider:
      guard values["provider"]?.text == provider, let text = values["record"]?.text, isNamed(in: text, values)
      else { return nil }
    }
    return withoutSecrets(
      zip(table.columns, row).map { shared($1, $0.name, of: table.name, values) })
  }

  /// The row without what credentials have as secrets.
  func withoutSecrets(_ row: [ColumnValue]) -> [ColumnValue] { secrets.applied(to: row) }

  /// Records of the verification, and of what apps set up, such as a service: those have no ordinal of their
  /// own time.
  private func isNamed(in record: String, _ values: [String: ColumnValue]) -> Bool {
    let (bytes, key) = (Array(record.utf8), Array((values["key"]?.text ?? "").utf8))
    if ids.contains(where: { $0.isFound(in: bytes) || $0.isFound(in: key) }) { return true }
    return bytes.count <= Self.settingBytes && !Self.numberStart.isFound(in: bytes)
  }

  /// Of a phone number in JSON.
  private static let numberStart = ByteSearch(for: "\"+")

  /// The most of a record that is about nobody.
  private static let settingBytes = 4 << 10

  private func shared(
    _ value: ColumnValue, _ column: String, of table: String, _ row: [String: ColumnValue]
  ) -> ColumnValue {
    switch (table, column) {
    case ("devices", "private_key"): return .null
    case ("webhooks", "ready_at"), ("webhooks", "next_at"), ("webhooks", "fields"): return .null
    // Another server would send it to the receiver of this one.
    case ("webhooks", "state") where value.text == "pending": return .text("dropped")
    case ("webhooks", "why") where row["state"]?.text == "pending":
      return .text("not sent: it was waiting when the file was made")
    case ("webhooks", "url"), ("webhooks", "destination"):
      return value.text.map { .text(masking.url($0)) } ?? value
    case ("webhooks", "body"): return .null
    case ("webhook_attempts", "answer"):
      return value.text.map { .text(masking.body(Array($0.utf8))) } ?? value
    case ("records", "record"):
      guard let text = value.text, let json = try? JSON(parsing: Array(text.utf8)) else { return value }
      let masked = masked(json)
      return masked == json ? value : .text(String(decoding: masked.encoded(), as: UTF8.self))
    default: return value
    }
  }

  /// Values of secret fields become others of the same shape, which every reader of the record accepts.
  private func masked(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      .object(
        members.map { member in
          if case .string(let text) = member.value, secretNames.contains(member.name) {
            return .init(name: member.name, value: .string(Self.sameShape(text)))
          }
          return .init(name: member.name, value: masked(member.value))
        })
    case .array(let items): .array(items.map(masked))
    case .string(let text) where Self.scheme.isFound(in: Array(text.utf8)): .string(masking.url(text))
    default: json
    }
  }

  /// Of a URL, whose query may have a secret.
  private static let scheme = ByteSearch(for: "://")

  static func sameShape(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar {
          case "0"..."9": "2"
          case "A"..."Z": "A"
          case "a"..."z": "a"
          default: scalar
          }
        }))
  }

  /// The value of the sandbox's own row: its clock stands still at the moment of the file.
  func sandboxValue(_ value: ColumnValue, of column: String) -> ColumnValue {
    switch column {
    case "entropy_seed" where !hasSecretSeed: value
    case "entropy_seed", "first_entropy_seed": .integer(Self.ownSeed)
    case "clock", "first_clock": .text("frozen")
    case "clock_value", "first_clock_value": .integer(now.milliseconds)
    default: value
    }
  }
}

/// Texts that are replaced by others, wherever they are in a row.
struct Replacements {
  private let pairs: [(old: ByteSearch, new: [UInt8])]

  init(_ pairs: [(old: String, new: String)]) {
    self.pairs = pairs.map { (ByteSearch(for: $0.old), Array($0.new.utf8)) }
  }

  func applied(to row: [ColumnValue]) -> [ColumnValue] {
    row.map { value in
      switch value {
      case .text(let text):
        changed(Array(text.utf8)).map { .text(String(decoding: $0, as: UTF8.self)) } ?? value
      case .blob(let bytes): changed(bytes).map { .blob($0) } ?? value
      case .null, .integer: value
      }
    }
  }

  /// Nil without a change.
  private func changed(_ bytes: [UInt8]) -> [UInt8]? {
    var changed: [UInt8]?
    for (old, new) in pairs { changed = old.replaced(by: new, in: changed ?? bytes) ?? changed }
    return changed
  }
}

extension ByteSearch {
  /// The text with another value in each place; nil if it has none.
  fileprivate func replaced(by other: [UInt8], in text: [UInt8]) -> [UInt8]? {
    guard var found = place(in: text, from: 0), !found.isEmpty else { return nil }
    var changed: [UInt8] = []
    var end = 0
    while true {
      changed += text[end..<found.lowerBound]
      changed += other
      end = found.upperBound
      guard let next = place(in: text, from: end) else { return changed + text[end...] }
      found = next
    }
  }
}

extension Replacements {
  /// In all, of all providers.
  private static let limit = 16

  /// The account ids of a part, by provider, with those that a new sandbox has in their place.
  init(of accounts: Fields, in sandbox: Sandbox) throws {
    var pairs: [(old: String, new: String)] = []
    for provider in accounts.names {
      let olds = try accounts.strings(provider)
      let news = try sandbox.accounts.all(of: provider).filter { $0.name == $0.account }.map(\.name)
      for (number, old) in olds.enumerated() where old.utf8.count < SharedPart.shortestName {
        throw FieldError(
          path: "\(accounts.path).\(provider)[\(number)]",
          expected: "an id of at least \(SharedPart.shortestName) characters", found: "\"\(old)\"")
      }
      pairs += zip(olds, news).map { (old: $0, new: $1) }
    }
    guard pairs.count <= Self.limit else {
      throw FieldError(path: accounts.path, expected: "at most \(Self.limit) ids", found: "\(pairs.count)")
    }
    self.init(pairs)
  }
}
