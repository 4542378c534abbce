import ProviderKit

// The resource `/v2/verification/management/phone-numbers/{action}`. Source: contract 6.1.

func listNumbers(_ context: RequestContext) throws -> Response {
  let list = try NumberList.named(by: context.request)
  try context.settings.requireManagement()
  let entries = try list.entries(in: context.sandbox)
  return .json(200) { json in
    json.array("phone_numbers", entries) { json, entry in
      json.value {
        $0.member("phone_number", entry.number)
        $0.member("created_at", entry.createdAt.iso8601Milliseconds)
      }
    }
  }
}

func addNumber(_ context: RequestContext) throws -> Response {
  try changeList(of: context) { list, number in try list.add([number], in: context.sandbox) }
}

func removeNumber(_ context: RequestContext) throws -> Response {
  try changeList(of: context) { list, number in try list.remove(number, in: context.sandbox) }
}

/// Changes the list of the path by the number of the body.
private func changeList(
  of context: RequestContext, _ change: (NumberList, PhoneNumber) throws -> Void
) throws -> Response {
  let list = try NumberList.named(by: context.request)
  let text = try context.request.json.string("phone_number")
  try context.settings.requireManagement()
  let number = try Validation.phoneNumber(text, param: "phone_number", in: context.sandbox)
  try change(list, number)
  return .json(200) { $0.member("phone_number", number.description) }
}

/// One of the account's two lists of numbers. Source: contract 6.1.
enum NumberList: String, CaseIterable {
  /// Numbers that the fraud rules do not apply to.
  case allow
  /// Numbers that nothing is sent to.
  case block

  struct Entry: Sendable {
    /// E.164.
    let number: String
    let createdAt: Timestamp
  }

  /// The list of the path. `sandbox` is not a list but the path of the test numbers.
  static func named(by request: Request) throws(APIError) -> NumberList {
    let word = request[parameter: "action"]
    if let list = NumberList(rawValue: word) { return list }
    guard word == "sandbox" else {
      throw APIError(.notFound, "the lists are allow and block, there is no \(word)")
    }
    throw APIError.wrongMethod(allowed: [.get, .put])
  }

  /// The list that a number is on; the block list if it is on both. Source: contract 6.1.
  static func containing(_ number: PhoneNumber, in sandbox: Sandbox) throws -> NumberList? {
    try [.block, .allow].first { try $0.table.find(number.description, in: sandbox) != nil }
  }

  /// Numbers that are on the list already keep their entries.
  func add(_ numbers: [PhoneNumber], in sandbox: Sandbox) throws {
    let table = table
    let new = try numbers.filter { try table.find($0.description, in: sandbox) == nil }
    try table.requireRoom(for: new.count, in: sandbox, limit: SandboxLimits.numbers)
    for number in new {
      let entry = Entry(number: number.description, createdAt: sandbox.clock.now)
      try table.save(entry, as: entry.number, in: sandbox)
    }
  }

  func remove(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    try table.delete(number.description, in: sandbox)
  }

  /// Oldest first.
  func entries(in sandbox: Sandbox) throws -> [Entry] {
    try table.list(in: sandbox).map(\.record)
  }

  private var table: RecordTable<Entry> { self == .allow ? Self.allowTable : Self.blockTable }
  private static let allowTable = entryTable("allow list")
  private static let blockTable = entryTable("block list")

  private static func entryTable(_ kind: String) -> RecordTable<Entry> {
    RecordTable(kind, of: PreludeProvider.name) { fields in
      Entry(number: try fields.string("number"), createdAt: try fields.timestamp("createdAt"))
    } encode: { entry, json in
      json.member("number", entry.number)
      json.member("createdAt", entry.createdAt.milliseconds)
    }
  }
}
