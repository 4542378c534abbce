package import JSON

/// How secrets appear in exports and logs. A seed with this value leaves the secret unchanged.
package let maskedSecret = "********"

/// A provider's part of a sandbox that seeds, exports and new sandboxes have.
package protocol Seeded: SendableMetatype {
  /// The member of a seed with the part.
  static var name: String { get }
  static var seed: SeedForm { get }
  /// Creates the credentials of a new sandbox, except those that its seeds have.
  static func createCredentials(in sandbox: Sandbox) throws
  /// A sandbox's credentials, by their names in the control API.
  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)]
}

/// The members of a provider's part of a seed. Others are errors.
package struct SeedForm {
  private let title: String
  private let members: [SeedMember]

  /// `title`: the provider's name as it writes it.
  package init(_ title: String, _ members: [SeedMember]) {
    self.title = title
    self.members = members
  }

  package var schema: ObjectSchema {
    ObjectSchema(
      "\(title)Seed", "\(title)\(title.hasSuffix("s") ? "'" : "'s") part of a seed.", members.map(\.shape))
  }

  /// Adds the steps that load the part.
  package func load(_ part: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    for member in members { try member.load(part, sandbox, &steps) }
  }

  /// The sandbox's present state, secrets masked.
  package func export(from sandbox: Sandbox) throws -> JSON {
    .object(
      try members.compactMap { member in
        try member.export(sandbox).map { JSON.Member(name: member.name, value: $0) }
      })
  }
}

/// One member of a provider's part of a seed: its description, from which documents follow, and what is
/// loaded and exported.
package struct SeedMember {
  let name: String
  private let makeShape: () -> ObjectSchema.Member
  /// Adds the steps that load the member of an object.
  let load: (Fields, Sandbox, inout Steps) throws -> Void
  /// Nil is left out.
  let export: (Sandbox) throws -> JSON?

  /// The general form. Schemas are only made when a document needs them.
  package init(
    _ name: String, _ schema: @autoclosure @escaping () -> JSONSchema,
    _ summary: @autoclosure @escaping () -> String,
    load: @escaping (Fields, Sandbox, inout Steps) throws -> Void,
    export: @escaping (Sandbox) throws -> JSON?
  ) {
    self.name = name
    makeShape = { ObjectSchema.Member(name, schema(), summary()) }
    self.load = load
    self.export = export
  }

  var shape: ObjectSchema.Member { makeShape() }

  /// The same, but an empty list is not exported.
  package var unlessEmpty: SeedMember {
    SeedMember(name, shape.schema, shape.summary, load: load) { sandbox in
      try export(sandbox).flatMap { $0 == .array([]) ? nil : $0 }
    }
  }

  package static func object(
    _ name: String, _ schema: @autoclosure @escaping () -> ObjectSchema,
    _ summary: @autoclosure @escaping () -> String, load: @escaping (Fields, Sandbox) throws -> Void,
    export: @escaping (Sandbox) throws -> JSON?
  ) -> SeedMember {
    SeedMember(name, .object(schema()), summary()) { part, sandbox, steps in
      if let fields = try part.optionalObject(name) { steps.add { try load(fields, sandbox) } }
    } export: {
      try export($0)
    }
  }

  /// A list of objects. `load` gets one of them. No two of them have equal members of the `key`; by default,
  /// the first required one.
  package static func list(
    _ name: String, of schema: @autoclosure @escaping () -> ObjectSchema, _ summary: String,
    key: [String] = [], load: @escaping (Fields, Sandbox) throws -> Void,
    export: @escaping (Sandbox) throws -> [JSON]
  ) -> SeedMember {
    list(
      name, of: schema(), summary, key: key, reader: { sandbox in { try load($0, sandbox) } }, export: export)
  }

  /// Records of a schema that are loaded in their own way. Members that are as in `usual` are not exported.
  package static func records<Record>(
    _ name: String, _ schema: @autoclosure @escaping () -> Schema<Record>, _ summary: String,
    key: [String] = [], omitting usual: Record? = nil, load: @escaping (Fields, Sandbox) throws -> Void,
    all: @escaping (Sandbox) throws -> [Record]
  ) -> SeedMember {
    list(name, of: schema().object, summary, key: key, load: load) { sandbox in
      try all(sandbox).map { schema().json($0, omitting: usual) }
    }
  }

  /// Records of a schema. `empty` has the members that one of a seed leaves out.
  package static func records<Record>(
    _ name: String, _ schema: @autoclosure @escaping () -> Schema<Record>, _ summary: String,
    from empty: @escaping (Sandbox) -> Record, omitting usual: Record? = nil,
    save: @escaping (Record) -> (Sandbox) throws -> Void, all: @escaping (Sandbox) throws -> [Record]
  ) -> SeedMember {
    list(name, of: schema().object, summary, key: []) { sandbox in
      let empty = empty(sandbox)
      return { fields in
        var record = empty
        try schema().merge(fields, into: &record)
        try save(record)(sandbox)
      }
    } export: { sandbox in
      try all(sandbox).map { schema().json($0, omitting: usual) }
    }
  }

  private static func list(
    _ name: String, of schema: @autoclosure @escaping () -> ObjectSchema, _ summary: String,
    key: [String], reader: @escaping (Sandbox) -> (Fields) throws -> Void,
    export: @escaping (Sandbox) throws -> [JSON]
  ) -> SeedMember {
    SeedMember(name, .array(.object(schema()), maxItems: SandboxLimits.records), summary) {
      part, sandbox, steps in
      let records = try part.optionalObjects(name, atMost: SandboxLimits.records) ?? []
      let read = reader(sandbox)
      guard records.count > 1 else { return steps.add(inParts: records, of: 1, read) }
      let required = schema().members.filter { $0.presence == .required }.map(\.name)
      let names = key.isEmpty ? Array(required.prefix(1)) : key
      var known: Set<[UInt8]> = []
      steps.add(inParts: records, of: 1) { record in
        try read(record)
        let values = try names.compactMap { try record.optionalJSON($0) }
        guard let last = names.last, values.count == names.count,
          !known.insert(JSON.array(values).encoded()).inserted
        else { return }
        throw record.mismatch(last, expected: "one that no other record of this list has")
      }
    } export: {
      .array(try export($0))
    }
  }
}
