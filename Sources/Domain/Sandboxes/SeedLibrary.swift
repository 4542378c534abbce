package import Basics
package import JSON
import Numbers

/// The seeds that can be loaded into sandboxes, and the readers of their sections.
package struct SeedLibrary {
  /// One file of a seed.
  package struct File: Sendable {
    /// For error messages.
    package let name: String
    /// A JSON object like the body of `POST /control/seed`.
    package let bytes: [UInt8]
    /// True for a file of this program: tests compare those with the schema, so that a start need not.
    let isShipped: Bool

    package init(name: String, bytes: [UInt8], isShipped: Bool = false) {
      self.name = name
      self.bytes = bytes
      self.isShipped = isShipped
    }
  }

  package let sections: [any Seeded.Type]
  private let makeForms: Lazy<[(name: String, form: SeedForm)], Never>
  private let makeSchema: Lazy<ObjectSchema, Never>
  private let makeNames: Lazy<[RouteNames], Never>
  let readErrors = ReadErrors()
  let parsedSeeds = ParsedSeeds()
  /// By the name of the seed.
  package var files: [String: [File]]
  /// Stories that were added, by name.
  var addedStories: [String: Story] = [:]
  let shippedStories: ShippedStories
  /// Reads a private key in PEM; nil for other text.
  private var readKey: (String) -> SigningKey?

  /// Without `readKey`, every key is rejected.
  package init(
    sections: [any Seeded.Type], names: @autoclosure @escaping () -> [RouteNames],
    files: [String: [File]], stories: [String: File] = [:],
    readKey: @escaping (String) -> SigningKey? = { _ in nil }
  ) {
    self.sections = sections
    makeNames = Lazy(names)
    makeForms = Lazy { sections.map { ($0.name, $0.seed) } }
    makeSchema = Lazy { SeedSchema.object(sections: sections) }
    self.files = files
    shippedStories = ShippedStories(stories)
    self.readKey = readKey
  }

  /// Uses other signing keys in new sandboxes than the published ones. `file` is a seed with them.
  package mutating func replaceKeys(by file: File, readKey: @escaping (String) -> SigningKey?) {
    files[Sandboxes.defaultName]?[0] = file
    self.readKey = readKey
  }

  /// The form of every seed.
  package var schema: ObjectSchema { makeSchema() }

  /// What faults and scenarios can name.
  package var names: [RouteNames] { makeNames() }

  /// Loads all files of a seed at once.
  package func load(seedNamed name: String, into sandbox: Sandbox) throws {
    let step = load(seedNamed: name) { sandbox }
    while try step() {}
  }

  /// The same as a step that is called again until all is loaded.
  func load(seedNamed name: String, into sandbox: @escaping () -> Sandbox) -> Steps.Step {
    var waiting = files[name]
    var loading: SeedLoading?
    return {
      guard waiting != nil else {
        let known = files.keys.sorted().joined(separator: ", ")
        throw FieldError(path: "$.seeds", expected: "one of \(known)", found: "\"\(name)\"")
      }
      if loading == nil {
        guard let file = waiting?.first else { return false }
        waiting?.removeFirst()
        loading = SeedLoading(file.bytes, of: file, into: sandbox(), library: self)
      }
      if try loading?.runNext() != true { loading = nil }
      return true
    }
  }

  /// Loads one document. Unknown fields are errors, except `$schema`, which is for editors.
  package func load(_ seed: Fields, into sandbox: Sandbox) throws {
    defer { sandbox.isLoadingExport = false }
    var steps = try steps(loading: seed, into: sandbox)
    try steps.runAll()
  }

  /// The same in steps.
  func steps(loading seed: Fields, isShipped: Bool = false, into sandbox: Sandbox) throws -> Steps {
    var steps = Steps()
    _ = try seed.optionalString("$schema")
    let isExport = try seed.optionalBool(Self.exportMark) ?? false
    steps.add { sandbox.isLoadingExport = isExport }
    let subscribers = try seed.optionalObjects("subscribers", atMost: SandboxLimits.subscribers) ?? []
    var numbers: Set<PhoneNumber> = []
    steps.add(inParts: subscribers, of: Self.subscribersPerStep) {
      try load(subscriber: $0, into: sandbox, beside: &numbers)
    }
    let devices = try seed.optionalObjects("devices", atMost: SandboxLimits.devices) ?? []
    steps.add(inParts: devices, of: Self.devicesPerStep) { try load(devices: [$0], into: sandbox) }
    steps.add {
      if !subscribers.isEmpty || !devices.isEmpty { try sandbox.checkLimits() }
      try loadSettings(seed, into: sandbox)
    }
    for (name, form) in makeForms() {
      if let part = try seed.optionalObject(name) { try form.load(part, into: sandbox, &steps) }
    }
    steps.add {
      sandbox.isLoadingExport = false
      if !isShipped { try seed.requireAllRead(of: schema) }
    }
    return steps
  }

  /// The member that tells exports from other seeds.
  static let exportMark = "isExport"

  private static let subscribersPerStep = 50
  /// Each needs a key pair.
  private static let devicesPerStep = 10

  /// `numbers`: those of the records before it. A record that was read for another sandbox is valid.
  private func load(
    subscriber fields: Fields, into sandbox: Sandbox, beside numbers: inout Set<PhoneNumber>
  ) throws {
    let known = fields.made as? SeededRecord
    if let known, known.isValid(in: sandbox), try sandbox.subscribers.insert(known.text, of: known.number) {
      return
    }
    guard let number = PhoneNumber(try fields.string("number")) else {
      throw fields.mismatch("number", expected: PhoneNumber.expected)
    }
    guard numbers.insert(number).inserted else {
      throw fields.mismatch("number", expected: "a number that no other record of this seed has")
    }
    let isNew = try sandbox.subscribers.recorded(number) == nil
    var subscriber = try sandbox.subscribers[number]
    // Exactly the start, also where the clock runs while the sandbox is made.
    let present = sandbox.isLoadingOwnSeeds ? sandbox.startedAt : sandbox.clock.now
    try merge(fields, into: &subscriber, at: present)
    let text = try sandbox.subscribers.keep(subscriber)
    if isNew, sandbox.isLoadingOwnSeeds {
      fields.made = SeededRecord(text, of: number.description, since: sandbox.startedAt, before: known)
    }
  }

  private func loadSettings(_ seed: Fields, into sandbox: Sandbox) throws {
    for kind in RuleKinds.all { try load(kind, of: seed, into: sandbox) }
    if seed.names.contains(NumberPlan.key) {
      try sandbox.numbers.replace(prefixes: NumberPlan.prefixes(in: seed))
    }
    if let inbox = try seed.optionalObject(OwnCodes.key) { try OwnCodes.load(inbox, into: sandbox) }
    if let keys = try seed.optionalObject("keys") { try load(keys: keys, into: sandbox) }
  }

  /// Changes a subscriber as a record says, and validates its names. Relative times are counted back from
  /// `present`.
  package func merge(
    _ fields: Fields, into subscriber: inout Subscriber, at present: Timestamp
  ) throws(FieldError) {
    try subscriber.merge(fields, at: present)
    let scenarios = try fields.optionalObjects(Scenario.listName, atMost: RuleLimits.perList)
    _ = try rules(Scenario.self, from: scenarios ?? [])
    if let consent = try fields.optionalObject("consent") { try names.validate(consent: consent) }
  }

  /// Reads rules of one kind.
  func rules<Content: Rule>(_ kind: Content.Type, from list: [Fields]) throws(FieldError) -> [Content] {
    var rules: [Content] = []
    for fields in list {
      let rule = try Content(fields)
      try rule.validate(against: names, at: fields.path)
      rules.append(rule)
    }
    return rules
  }

  /// The same for the list of a sandbox.
  package func rules<Content: Rule>(
    _ kind: Content.Type, from list: [Fields], for sandbox: Sandbox
  ) throws -> [Content] {
    let rules = try rules(kind, from: list)
    for (fields, rule) in zip(list, rules) { try rule.validate(in: sandbox, at: fields.path) }
    return rules
  }

  private func load<Content: Rule>(_ kind: Content.Type, of seed: Fields, into sandbox: Sandbox) throws {
    guard let list = try seed.optionalObjects(Content.listName, atMost: RuleLimits.perList) else { return }
    try Content.rules(of: sandbox).replace(with: rules(kind, from: list, for: sandbox))
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
          path: "$.keys.\(purpose.rawValue)", expected: "a private RSA key of 2048 to 4096 bits, in PEM",
          found: "another text")
      }
      try sandbox.keys.save(key, for: purpose)
    }
  }

  /// A seed with a sandbox's present state, secrets masked.
  package func export(from sandbox: Sandbox) throws -> JSON {
    var bytes: [UInt8] = []
    let pieces = exportPieces(from: sandbox)
    while let piece = try pieces() { bytes += piece }
    return try JSON(parsing: bytes, limits: .seed)
  }

  /// The same as text in pieces, for a client that reads slowly: first the subscribers, a hundred at a time,
  /// then the settings, then each provider's section. Each piece has the state when it is read. Nil after the
  /// last one.
  package func exportPieces(from sandbox: Sandbox) -> () throws -> [UInt8]? {
    // Nil when all subscribers are written.
    var lastNumber: String? = ""
    var parts =
      [{ try settings(of: sandbox) }]
      + sections.map { section in
        { [.init(name: section.name, value: try section.seed.export(from: sandbox))] }
      }
    parts.reverse()
    var closing = "]"
    return {
      guard let last = lastNumber else {
        guard let part = parts.popLast() else { return nil }
        // Without the braces of its object.
        let members = try JSON.object(part()).encoded().dropFirst().dropLast()
        defer { closing = "" }
        return Array("\(closing),".utf8) + members + (parts.isEmpty ? [UInt8(ascii: "}")] : [])
      }
      let page = try sandbox.subscribers.page(after: last, limit: 100)
      lastNumber = page.last?.number.description
      let subscribers = page.map { sandbox.subscribers.export($0).encoded() }.joined(separator: [
        UInt8(ascii: ",")
      ])
      let start =
        last.isEmpty ? #"{"\#(Self.exportMark)":true,"subscribers":["# : page.isEmpty ? "" : ","
      return Array(start.utf8) + subscribers
    }
  }

  /// The members between `subscribers` and those of the providers.
  private func settings(of sandbox: Sandbox) throws -> [JSON.Member] {
    let rules = try RuleKinds.all.map { try member(of: $0, in: sandbox) }
    return [.init(name: "devices", value: .array(try devices(of: sandbox)))] + rules + [
      .init(
        name: NumberPlan.key, value: .array(try sandbox.numbers.prefixes.map { NumberPrefix.schema.json($0) })
      ),
      .init(name: OwnCodes.key, value: OwnCodes.schema.json(try OwnCodes.settings(in: sandbox))),
      .init(name: "keys", value: .object(try keys(of: sandbox))),
    ]
  }

  private func member<Content: Rule>(of kind: Content.Type, in sandbox: Sandbox) throws -> JSON.Member {
    let rules = try Content.rules(of: sandbox).all.map { Content.schema.json($0.rule) }
    return .init(name: Content.listName, value: .array(rules))
  }
}
