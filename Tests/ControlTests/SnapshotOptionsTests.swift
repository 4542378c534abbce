import CatalogSupport
import Control
import HTTP
import JSON
import Snapshots
import Support
import Testing

/// C4: whatever a sandbox was made with and whatever happened since, its snapshot can be put back.
@Suite("Control · snapshots of sandboxes with options")
struct SnapshotOptionsTests {
  private static let admin: Headers = ["Authorization": "Bearer admin-secret"]
  private let desk: Desk

  init() throws {
    desk = try Desk(tokens: AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32)))
  }

  /// What a sandbox has before it is saved.
  private struct Options: OptionSet {
    let rawValue: UInt64
    static let ttl = Options(rawValue: 1)
    static let messages = Options(rawValue: 1 << 1)
    static let rate = Options(rawValue: 1 << 2)
    static let bytes = Options(rawValue: 1 << 3)
    static let revokedToken = Options(rawValue: 1 << 4)
    static let frozen = Options(rawValue: 1 << 5)
    static let content = Options(rawValue: 1 << 6)
    static let workshop = Options(rawValue: 1 << 7)
  }

  /// What happens between saving and restoring.
  private struct Changes: OptionSet {
    let rawValue: UInt64
    static let revokedToken = Changes(rawValue: 1)
    static let otherTTL = Changes(rawValue: 1 << 1)
    static let otherLimits = Changes(rawValue: 1 << 2)
    static let reset = Changes(rawValue: 1 << 3)
    static let largeSeed = Changes(rawValue: 1 << 4)
    static let deletion = Changes(rawValue: 1 << 5)
  }

  @Test("a sandbox is saved, changed and restored, with any options", arguments: 0..<64 as Range<UInt64>)
  func roundTrip(number: UInt64) throws {
    // The multiplier of Knuth's MMIX spreads the cases over all options and changes.
    let mixed = (number &* 6_364_136_223_846_793_005) >> 32
    let (options, changes) = (Options(rawValue: mixed), Changes(rawValue: mixed >> 8))
    let name = try create(options)
    let first = try token(of: name)
    if options.contains(.revokedToken) { _ = try ask("DELETE /control/sandboxes/\(name)/tokens") }
    if options.contains(.content) { try fill(name) }
    let saved = try snapshot(of: name)

    let isDeleted = try change(name, changes, isParticipant: options.contains(.workshop))
    let before = isDeleted ? nil : try snapshot(of: name)["tables"]?["quotas"]
    let answer = try desk.respond(
      "PUT /control/sandboxes/\(name)/snapshot", String(decoding: saved.encoded(), as: UTF8.self),
      headers: Self.admin)

    #expect(answer.status == (isDeleted ? 201 : 200), "\(String(decoding: answer.body, as: UTF8.self))")
    let restored = try snapshot(of: name)
    let isRevoked = options.contains(.revokedToken) || changes.contains(.revokedToken)
    #expect(try status(first, name) == (isRevoked ? 401 : 200))
    #expect(try status(token(of: name), name) == 200)
    if isDeleted {
      #expect(ttl(in: restored) == ttl(in: saved))
    } else {
      #expect(restored["tables"]?["quotas"] == before, "its limits are the server's")
    }
    if options.contains(.workshop) {
      #expect(try ask("GET /s/\(name)/control/tasks").hasPrefix("200"))
    } else {
      #expect(withoutQuotas(restored) == withoutQuotas(saved))
    }
  }

  @Test("a token that is revoked while a copy of its sandbox is made does not come back")
  func revokedMeanwhile() throws {
    let name = try create([.ttl])
    let old = try token(of: name)
    let seeding = desk.wait("POST /s/\(name)/control/seed", Self.largeSeed, headers: Self.admin)

    #expect(try ask("DELETE /control/sandboxes/\(name)/tokens") == "204")

    #expect(try seeding?.answer()?.status == 200)
    #expect(try status(old, name) == 401)
  }

  /// Returns the name of the sandbox.
  private func create(_ options: Options) throws -> String {
    if options.contains(.workshop) {
      let made = try ask(
        "POST /control/workshops", #"{"name":"class","story":"first-sign-in","participants":1}"#)
      #expect(made.hasPrefix("201"), "\(made)")
      let limits = "{\(ttl(options))\(limits(options))}"
      #expect(try ask("PATCH /control/sandboxes/class-1", limits).hasPrefix("200"))
      return "class-1"
    }
    let clock = options.contains(.frozen) ? #","clock":"2026-02-01T00:00:00Z""# : ""
    let made = try ask(
      "POST /control/sandboxes", "{\(ttl(options))\(limits(options)),\"name\":\"ci\"\(clock)}")
    #expect(made.hasPrefix("201"), "\(made)")
    return "ci"
  }

  private func ttl(_ options: Options) -> String { options.contains(.ttl) ? #""ttl":"1h","# : "" }

  private func limits(_ options: Options) -> String {
    let known: [(Options, String)] = [
      (.messages, #""messages":1000"#), (.rate, #""requestsPerSecond":10000"#),
      (.bytes, #""storedBytes":8388608"#),
    ]
    let members = known.filter { options.contains($0.0) }.map(\.1).joined(separator: ",")
    return #""limits":{\#(members)}"#
  }

  private func fill(_ name: String) throws {
    for (line, body) in [
      ("PUT /s/\(name)/control/subscribers/+12025550199", #"{"code":"4711"}"#),
      ("POST /s/\(name)/things/v1/things", "to=%2B12025550100"),
      ("PUT /s/\(name)/control/faults", #"{"faults":[{"provider":"acme","status":503,"times":2}]}"#),
      ("PUT /s/\(name)/control/gateway", #"{"mode":"strict"}"#),
      ("PUT /s/\(name)/control/entropy", #"{"entropySeed":9}"#),
      ("POST /s/\(name)/control/clock", #"{"advance":"20s"}"#),
    ] {
      #expect(try ask(line, body).hasPrefix("20"), "\(line)")
    }
  }

  /// Returns true if the sandbox is deleted at last.
  private func change(_ name: String, _ changes: Changes, isParticipant: Bool) throws -> Bool {
    let steps: [(Changes, String, String)] = [
      (.otherTTL, "PATCH /control/sandboxes/\(name)", #"{"ttl":"2h"}"#),
      (.otherLimits, "PATCH /control/sandboxes/\(name)", #"{"limits":{"messages":77}}"#),
      (.revokedToken, "DELETE /control/sandboxes/\(name)/tokens", ""),
      (.reset, "POST /control/sandboxes/\(name)/reset", ""),
      (.largeSeed, "POST /s/\(name)/control/seed", Self.largeSeed),
      (.deletion, "DELETE /control/sandboxes/\(name)", ""),
    ]
    for (change, line, body) in steps where changes.contains(change) {
      if change == .deletion, isParticipant { return false }
      #expect(try ask(line, body).hasPrefix("20"), "\(line)")
    }
    return changes.contains(.deletion)
  }

  /// More than is loaded at once, so that the sandbox is copied.
  private static let largeSeed: String = {
    let numbers = (100..<400).map { #"{"number":"+12025550\#($0)","code":"4711"}"# }
    return #"{"subscribers":[\#(numbers.joined(separator: ","))]}"#
  }()

  private func snapshot(of name: String) throws -> JSON {
    try JSON(
      parsing: desk.respond("GET /control/sandboxes/\(name)/snapshot", headers: Self.admin).body,
      limits: .snapshot)
  }

  private func withoutQuotas(_ snapshot: JSON) -> JSON {
    guard case .object(let members) = snapshot else { return snapshot }
    return .object(
      members.map { member in
        guard member.name == "tables", case .object(let tables) = member.value else { return member }
        return JSON.Member(name: member.name, value: .object(tables.filter { $0.name != "quotas" }))
      })
  }

  private func ttl(in snapshot: JSON) -> JSON? {
    guard let quotas = snapshot["tables"]?["quotas"], case .array(let columns) = quotas["columns"],
      case .array(let rows) = quotas["rows"], case .array(let row) = rows.first,
      let place = columns.firstIndex(of: .string("ttl"))
    else { return nil }
    return row[place] == .null ? nil : row[place]
  }

  private func ask(_ line: String, _ body: String = "") throws -> String {
    try desk.ask(line, body, headers: Self.admin)
  }

  private func token(of name: String) throws -> Headers {
    let answer = try desk.respond("POST /control/sandboxes/\(name)/tokens", headers: Self.admin)
    return ["Authorization": "Bearer \(try JSON(parsing: answer.body)["token"]?.text ?? "")"]
  }

  private func status(_ token: Headers, _ name: String) throws -> Int {
    try desk.respond("GET /s/\(name)/control/clock", headers: token).status.code
  }
}
