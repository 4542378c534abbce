import Domain
import JSON

extension Prelude {
  /// A message that a person has sent to the account. Source: contract 10 and 12.3.
  struct InboundMessage {
    /// `im_…`
    let id: String
    /// Who wrote.
    let from: PhoneNumber
    /// When it came.
    let receivedAt: Timestamp

    /// Reads what a seed says of one: with a time, or as come just now.
    init(_ fields: Fields, at now: Timestamp) throws(FieldError) {
      id = try fields.string("id")
      guard Self.isWellFormed(id) else { throw fields.mismatch("id", expected: "im_ and letters and digits") }
      from = try fields.phoneNumber("from")
      receivedAt = try fields.time("receivedAt") ?? now
    }

    /// Writes it as seeds have it.
    func write(to json: inout JSONWriter) {
      json.member("id", id)
      json.member("from", from.description)
      json.member("receivedAt", receivedAt.iso8601Exact)
    }

    /// Whether a text can name one.
    static func isWellFormed(_ id: String) -> Bool {
      let rest = id.dropFirst(3)
      return id.hasPrefix("im_") && (1...64).contains(rest.utf8.count)
        && rest.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
    }

    /// The one of an id.
    static func find(_ id: String, in sandbox: Sandbox) throws -> InboundMessage? {
      try records.find(id, in: sandbox) { try InboundMessage($0, at: sandbox.clock.now) }
    }

    /// All of them, oldest first.
    static func all(in sandbox: Sandbox) throws -> [InboundMessage] {
      try records.list(in: sandbox) { try InboundMessage($0, at: sandbox.clock.now) }.map(\.record)
    }

    /// Keeps it for a sandbox.
    func keep(in sandbox: Sandbox) throws {
      try Self.records.keep(id, in: sandbox) { write(to: &$0) }
    }

    private static let records = Records("inbound message")
  }
}

extension Fields {
  /// A time of RFC 3339, where there is one.
  func time(_ name: String) throws(FieldError) -> Timestamp? {
    guard let text = try optionalString(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw mismatch(name, expected: "a time of RFC 3339, 2026-01-05T10:20:30Z")
    }
    return time
  }
}
