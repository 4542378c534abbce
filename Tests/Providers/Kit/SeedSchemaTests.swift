import Catalog
import CatalogSupport
import Domain
import JSON
import ProviderKit
import Support
import Testing

/// The printed schema of a provider's seed, and the code that loads seeds, agree.
@Suite("Providers · seed schemas")
struct SeedSchemaTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  @Test(
    "every member of the schema is accepted with a value, and with null unless it is required",
    arguments: names)
  func members(name: String) throws {
    for place in try places(of: name) {
      #expect(throws: Never.self, "\(place.path)") {
        try load(place.document(adding: place.member.name, place.sample))
      }
      guard place.member.presence != .required else { continue }
      #expect(throws: Never.self, "\(place.path): null") {
        try load(place.document(adding: place.member.name, .null))
      }
    }
  }

  @Test("a misspelt member is rejected with the nearest name", arguments: names)
  func misspelt(name: String) throws {
    for place in try places(of: name) {
      let misspelt = place.member.name + "x"
      let error = #expect(throws: FieldError.self, "\(place.path)") {
        try load(place.document(adding: misspelt, .null))
      }

      #expect(
        error?.description.hasSuffix(#"\#(misspelt): unknown field; did you mean "\#(place.member.name)"?"#)
          == true)
    }
  }

  @Test("the defaults of the schema are those of a new sandbox", arguments: names)
  func defaults(name: String) throws {
    let provider = try #require(catalog.first { $0.name == name })
    let sandbox = try #require(try world.sandboxes.create("ci", .init()))
    let exported = try provider.seed.export(from: sandbox)

    for member in provider.seed.schema.members where member.name == "settings" {
      for setting in member.schema.object?.members ?? [] {
        guard case .defaulted(let value) = setting.presence else { continue }
        #expect(exported["settings"]?[setting.name] == value, "\(setting.name)")
      }
    }
  }

  private static let names = catalog.map { $0.name }

  private func load(_ document: JSON) throws {
    try world.sandboxes.seeds.load(Fields(document), into: world.sandbox)
  }

  private func places(of name: String) throws -> [Place] {
    let provider = try #require(catalog.first { $0.name == name })
    return try Place.all(in: provider.seed.schema, path: name) { .object([.init(name: name, value: $0)]) }
  }
}

/// A member of a schema, and the smallest seed with its object.
private struct Place {
  let path: String
  let member: ObjectSchema.Member
  /// A valid value; null if any value needs more than the schema says.
  let sample: JSON
  private let object: ObjectSchema
  /// A whole seed around the object.
  private let wrap: (JSON) -> JSON

  /// A seed in which the object has its required members and this one, with those that must be there
  /// together.
  func document(adding name: String, _ value: JSON) throws -> JSON {
    var members = try object.members.filter { $0.presence == .required && $0.name != name }.map {
      JSON.Member(name: $0.name, value: try Self.sample(of: $0))
    }
    for case .together(let names) in object.constraints where names.contains(name) && value != .null {
      members += try object.members.filter { names.contains($0.name) && $0.name != name }.map {
        JSON.Member(name: $0.name, value: try Self.sample(of: $0.schema))
      }
    }
    return wrap(.object(members + [.init(name: name, value: value)]))
  }

  static func all(in object: ObjectSchema, path: String, wrap: @escaping (JSON) -> JSON) throws -> [Place] {
    try object.members.flatMap { member in
      let path = "\(path).\(member.name)"
      let place = Place(
        path: path, member: member, sample: try sample(of: member), object: object, wrap: wrap)
      guard let inner = member.schema.object else { return [place] }
      let nested = try all(in: inner, path: path) { value in
        let isArray = if case .array = member.schema { true } else { false }
        return (try? place.document(adding: member.name, isArray ? .array([value]) : value)) ?? .null
      }
      return [place] + nested
    }
  }

  private static func sample(of member: ObjectSchema.Member) throws -> JSON {
    switch (member.presence, member.schema) {
    case (.defaulted(let value), _): value
    // A text without a form can have rules that no schema tells, such as a key in PEM.
    case (.nullable, .string(nil, _, _, _)), (.optional, .string(nil, _, _, _)): .null
    default: try sample(of: member.schema)
    }
  }

  private static func sample(of schema: JSONSchema) throws -> JSON {
    switch schema {
    case .any, .nullable, .map, .reference: .null
    case .boolean: .bool(true)
    case .integer(let minimum, _): .integer(Int64(minimum ?? 0))
    case .number(let minimum, _): .double(minimum ?? 0)
    case .string(let pattern, let least, let most, _):
      .string(try text(pattern, (least ?? 0)...(most ?? .max)))
    case .enumeration(let values): try #require(values.first)
    case .array(let element, let minItems, _, _): .array(minItems == 0 ? [] : [try sample(of: element)])
    case .anyOf(let choices): try sample(of: #require(choices.first))
    case .object(let object):
      .object(
        try object.members.filter { $0.presence == .required }.map {
          .init(name: $0.name, value: try sample(of: $0))
        })
    }
  }

  /// Self-signed, for the subject `UID=a.b`.
  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBFzCBvaADAgECAgEBMAoGCCqGSM49BAMCMBUxEzARBgoJkiaJk/IsZAEBDANh
    LmIwHhcNMjYwMTAxMDAwMDAwWhcNMzYwMTAxMDAwMDAwWjAVMRMwEQYKCZImiZPy
    LGQBAQwDYS5iMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjlM7b6C/e0YluzBm
    fAH7YH75+LioD+9bMAYocDGHsqNz6x294DMYNm0Gn4Om9ZAAU8c2M8sEGyHFXhqG
    wfQAtDAKBggqhkjOPQQDAgNJADBGAiEA6afEZPakILkSlPwXM00b02AONA+/m5uB
    ZU3q+okqF1QCIQCqEvLIHjraJl9Pm43EzqmuAgER8IEFmzhzDotYdUD1sg==
    -----END CERTIFICATE-----
    """

  /// One of some texts that people write into seeds; a new pattern may need another.
  private static func text(_ pattern: String?, _ length: ClosedRange<Int>) throws -> String {
    let digits = "00000000000000000000000000000001"
    let texts = [
      "Acme", "1234", "12345678", "+12025550100", "FR", "https://a.test", "a@b.test", "2026-01-05T10:20:30Z",
      "2026-01-05", "123456789", "im_1", "127.0.0.1",
      "my-own-1", "sdk_1", "RINGFENCE1", certificate, "AC\(digits)", "SK\(digits)", "VA\(digits)",
      "OQ\(digits)",
      "HJ\(digits)", "HX\(digits)", "MG\(digits)",
      "00000000-0000-0000-0000-000000000001",
      "a,b,c,d,e", "Your code: {{code}}", "",
    ]
    let regex = try pattern.map { try Regex($0) }
    return try #require(
      texts.first { text in
        length.contains(text.count) && regex.map { text.firstMatch(of: $0) != nil } ?? true
      }, "no text for \(pattern ?? "")")
  }
}
