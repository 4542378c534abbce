import JSON

/// The JSON Schema of seeds: the body of `POST /control/seed`, and `Seeds/schema.json`.
package enum SeedSchema {
  /// The schema of seeds with these providers' sections.
  static func object(sections: [any Seeded.Type]) -> ObjectSchema {
    let sections = sections.map { section in
      let schema = section.seed.schema
      return ObjectSchema.Member(section.name, .object(schema), schema.summary)
    }
    return ObjectSchema("Seed", summary, coreMembers + sections)
  }

  private static let summary =
    "The content of a sandbox: the body of POST /control/seed, and every file in Seeds/<story>/. A member that is null "
    + "is ignored, except for optional members of a subscriber, which null clears. Exports have this form too."

  private static let coreMembers = records + RuleKinds.all.map { $0.listMember } + network

  private static let records: [ObjectSchema.Member] = [
    .init("$schema", .string(), "The URL of this schema, for editors; ignored."),
    .init(
      SeedLibrary.exportMark, .boolean,
      "True in exports: what clients sign in with is left out if another sandbox has it. In other seeds, that is an error."
    ),
    .init(
      "subscribers",
      .array(
        .object(Subscriber.schema.object.requiring("number", as: "SeedSubscriber")),
        maxItems: SandboxLimits.subscribers),
      "Numbers with their records. A record changes the members that it names."),
    .init(
      "devices",
      .array(
        .object(DeviceForm.schema.object.requiring("provider", as: "SeedDevice")),
        maxItems: SandboxLimits.devices),
      "Apps that are registered on handsets. An app replaces one of the same name."),
  ]

  private static let network: [ObjectSchema.Member] = [
    .init(
      NumberPlan.key, .array(.object(NumberPrefix.schema.object), maxItems: NumberPrefix.limit),
      "Phone numbers that are valid in addition to those of the public numbering plan. They replace the present ones."
    ),
    .init(OwnCodes.key, .object(OwnCodes.schema.object), OwnCodes.schema.summary),
    .init(
      "keys", .object(ObjectSchema(nil, "", SigningKeys.Purpose.allCases.map(keyMember))),
      "Private keys. They protect nothing real."),
  ]

  private static func keyMember(_ purpose: SigningKeys.Purpose) -> ObjectSchema.Member {
    let key = "RSA, 2048 to 4096 bits, in PEM without a password; ******** keeps the present key."
    return switch purpose {
    case .webhooks: .init(purpose.rawValue, .string(), "The key that signs webhooks: \(key)")
    case .accounts:
      .init(purpose.rawValue, .string(), "The key of service accounts: \(key)")
    }
  }

  /// `Seeds/schema.json`.
  package static func document(sections: [any Seeded.Type]) -> [UInt8] {
    document("Ringfence seed", object(sections: sections))
  }

  /// `Seeds/story-schema.json`.
  package static var storyDocument: [UInt8] { document("Ringfence story", Story.document) }

  private static func document(_ title: String, _ object: ObjectSchema) -> [UInt8] {
    var named: [ObjectSchema] = []
    for member in object.members { member.schema.collectNamed(into: &named) }
    func reference(_ object: ObjectSchema) -> String? { object.name.map { "#/$defs/\($0)" } }
    let bytes = JSONWriter.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("title", title)
      object.write(to: &json, for: .request, reference: reference)
      json.object("$defs") { json in
        for object in named {
          json.object(named: object.name ?? "") { object.write(to: &$0, for: .request, reference: reference) }
        }
      }
    }
    let tree = (try? JSON(parsing: bytes)) ?? .null
    return Array((lines(of: tree, indentation: "") + "\n").utf8)
  }

  /// JSON with two spaces of indentation; short arrays and objects stay on one line.
  private static func lines(of json: JSON, indentation: String) -> String {
    let compact = String(decoding: json.encoded(), as: UTF8.self)
    let inner = indentation + "  "
    switch json {
    case .array(let items) where compact.utf8.count > 80:
      let parts = items.map { inner + lines(of: $0, indentation: inner) }
      return "[\n\(parts.joined(separator: ",\n"))\n\(indentation)]"
    case .object(let members) where compact.utf8.count > 80:
      let parts = members.map { member in
        let name = String(decoding: JSON.string(member.name).encoded(), as: UTF8.self)
        return "\(inner)\(name): \(lines(of: member.value, indentation: inner))"
      }
      return "{\n\(parts.joined(separator: ",\n"))\n\(indentation)}"
    default: return compact
    }
  }
}
