package import JSON

/// A part of a seed that somebody above the core understands: a provider's.
package struct SeedSection {
  /// The member of the seed that holds it.
  package let name: String
  /// Loads its object into a sandbox.
  package let load: (Fields, Sandbox) throws -> Void
  /// The object that would load the sandbox's present state, secrets masked.
  package let export: (Sandbox) throws -> JSON
  /// Sees to it that a fresh sandbox has what its clients need, such as an account.
  package let provision: (Sandbox) throws -> Void
  /// What clients of a sandbox sign in with, by the names the control API has for it.
  package let credentials: (Sandbox) throws -> [(name: String, value: String)]

  /// A section from its parts.
  package init(
    name: String, load: @escaping (Fields, Sandbox) throws -> Void,
    export: @escaping (Sandbox) throws -> JSON, provision: @escaping (Sandbox) throws -> Void,
    credentials: @escaping (Sandbox) throws -> [(name: String, value: String)]
  ) {
    self.name = name
    self.load = load
    self.export = export
    self.provision = provision
    self.credentials = credentials
  }
}

/// The stories that sandboxes can be loaded with, and who understands which part of them.
package struct SeedLibrary {
  /// One file of a story.
  package struct File: Sendable {
    /// Its name, for error messages.
    package let name: String
    /// A JSON object: the body of `POST /control/seed`, or a part of it.
    package let bytes: [UInt8]

    /// A file from its parts.
    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The parts that providers understand.
  package let sections: [SeedSection]
  /// The files of each story.
  package let stories: [String: [File]]
  /// Reads a private key in PEM; nil for what is none.
  private let readKey: (String) -> SigningKey?

  /// A library of these stories; without a reader of keys, every key is refused.
  package init(
    sections: [SeedSection], stories: [String: [File]],
    readKey: @escaping (String) -> SigningKey? = { _ in nil }
  ) {
    self.sections = sections
    self.stories = stories
    self.readKey = readKey
  }

  /// Loads all files of a story.
  package func load(story: String, into sandbox: Sandbox) throws {
    guard let files = stories[story] else {
      let known = stories.keys.sorted().joined(separator: ", ")
      throw FieldError(path: "$.seeds", expected: "one of \(known)", found: "\"\(story)\"")
    }
    for file in files {
      do {
        try load(Fields(file.bytes), into: sandbox)
      } catch let error as FieldError {
        throw error.inFile(file.name)
      }
    }
  }

  /// Loads one document; members that nobody reads are errors, but for the editors' `$schema`.
  package func load(_ seed: Fields, into sandbox: Sandbox) throws {
    _ = try seed.optionalString("$schema")
    for fields in try seed.optionalObjects("subscribers") ?? [] {
      guard let number = PhoneNumber(try fields.string("number")) else {
        throw fields.mismatch("number", expected: PhoneNumber.expected)
      }
      var subscriber = try sandbox.subscribers[number]
      try merge(fields, into: &subscriber)
      try sandbox.subscribers.keep(subscriber)
    }
    try load(devices: seed.optionalObjects("devices") ?? [], into: sandbox)
    if let scenarios = try seed.optionalObjects("scenarios") {
      try sandbox.scenarios.replace(with: self.scenarios(from: scenarios))
    }
    if let faults = try seed.optionalObjects("faults") {
      try sandbox.faults.replace(with: self.faults(from: faults))
    }
    if let keys = try seed.optionalObject("keys") { try load(keys: keys, into: sandbox) }
    for section in sections {
      if let fields = try seed.optionalObject(section.name) { try section.load(fields, sandbox) }
    }
    try seed.requireAllRead()
  }

  /// Changes a subscriber by what a record says; its own scenarios are read as others are.
  package func merge(_ fields: Fields, into subscriber: inout Subscriber) throws(FieldError) {
    try subscriber.merge(fields)
    _ = try scenarios(from: fields.optionalObjects("scenarios") ?? [])
  }

  /// Reads faults; a provider that nobody knows is a slip, since the fault would never act. The carrier's requests
  /// can go wrong like a provider's.
  package func faults(from list: [Fields]) throws(FieldError) -> [Fault] {
    var faults: [Fault] = []
    for fields in list {
      let fault = try Fault(fields)
      if fault.provider != Self.carrier { try require(fault.provider, in: fields, at: "provider") }
      faults.append(fault)
    }
    return faults
  }

  /// Reads scenarios; a provider that nobody knows is a slip, since the scenario would never act.
  package func scenarios(from list: [Fields]) throws(FieldError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for fields in list {
      let scenario = try Scenario(fields)
      if let match = try fields.optionalObject("match") {
        try require(scenario.provider, in: match, at: "provider")
      }
      scenarios.append(scenario)
    }
    return scenarios
  }

  private func keys(of sandbox: Sandbox) throws -> [JSON.Member] {
    try SigningKeys.Purpose.allCases.filter { try sandbox.keys[$0] != nil }.map {
      .init(name: $0.rawValue, value: .string(maskedSecret))
    }
  }

  private func load(keys fields: Fields, into sandbox: Sandbox) throws {
    for purpose in SigningKeys.Purpose.allCases {
      guard let pem = try fields.optionalString(purpose.rawValue), pem != maskedSecret else { continue }
      guard let key = readKey(pem) else {
        throw FieldError(
          path: "$.keys.\(purpose.rawValue)", expected: "a private RSA key of 2048 bits or more, in PEM",
          found: "something else")
      }
      try sandbox.keys.keep(key, for: purpose)
    }
  }

  /// The name under which the carrier's own routes stand.
  private static let carrier = "carrier"

  private func require(_ provider: String?, in fields: Fields, at name: String) throws(FieldError) {
    guard let provider, !sections.contains(where: { $0.name == provider }) else { return }
    let known = sections.map(\.name).joined(separator: ", ")
    throw fields.mismatch(name, expected: "one of \(known)")
  }

  /// The seed that would bring back a sandbox's present state, secrets masked.
  package func export(from sandbox: Sandbox) throws -> JSON {
    let subscribers = try sandbox.subscribers.all.map { sandbox.subscribers.export($0) }
    let scenarios = try sandbox.scenarios.all.map { Scenario.schema.json($0.rule) }
    let faults = try sandbox.faults.all.map { Fault.schema.json($0.rule) }
    let core: [JSON.Member] = [
      .init(name: "subscribers", value: .array(subscribers)),
      .init(name: "devices", value: .array(try devices(of: sandbox))),
      .init(name: "scenarios", value: .array(scenarios)),
      .init(name: "faults", value: .array(faults)),
      .init(name: "keys", value: .object(try keys(of: sandbox))),
    ]
    return .object(try core + sections.map { .init(name: $0.name, value: try $0.export(sandbox)) })
  }
}

extension Fields {
  /// Refuses members that nobody has asked for: they are slips of whoever wrote them.
  package func requireAllRead() throws(FieldError) {
    if let first = unread.first {
      throw .unknownField(first)
    }
  }
}
