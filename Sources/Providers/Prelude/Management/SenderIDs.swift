import ProviderKit

// The resource `/v2/verification/management/sender-id`. Source: contract 6.2.

/// The reasons for rejections are only in the response to the submission.
func listSenderIDs(_ context: RequestContext) throws -> Response {
  try context.settings.requireManagement()
  let senders = try SenderID.all(in: context.sandbox)
  return .json(200) { json in
    json.array("sender_ids", senders) { json, sender in json.value { sender.write(to: &$0) } }
  }
}

func submitSenderID(_ context: RequestContext) throws -> Response {
  let name = try context.request.json.string("sender_id")
  guard SenderID.isValid(name) else {
    throw APIError(
      .invalidSenderID, "sender_id has to be 1 to 11 letters, digits and separators, or a phone number",
      param: "sender_id")
  }
  try context.settings.requireManagement()
  let sender = try SenderID.submit(name, in: context.sandbox)
  return .json(200) { json in
    sender.write(to: &json)
    if let reason = sender.rejectionReason { json.member("reason", reason) }
  }
}

/// A name that messages of the account may come from. Source: contract 6.2.
struct SenderID: StoredRecord {
  enum Status: String, CaseIterable {
    case approved
    case pending
    case rejected
  }

  var name = ""
  var status = Status.approved

  static let schema = Schema<SenderID>(
    nil, "A sender ID.",
    [
      .required(
        "name", \.name,
        .text(
          .string(pattern: "^(?! +$)([A-Za-z0-9 _.&-]{1,11}|[+][1-9][0-9]{6,14})$"),
          expected: "1 to 11 letters, digits and separators, or a phone number", isValid),
        "Up to 11 letters, digits and separators, or a phone number."),
      .field("status", \.status, .word, default: .approved, "Approval status."),
    ])

  fileprivate var rejectionReason: String? {
    status == .rejected ? "the sandbox rejects names that begin with REJECT" : nil
  }

  static func isApproved(_ name: String, in sandbox: Sandbox) throws -> Bool {
    try find(name, in: sandbox)?.status == .approved
  }

  /// A name that was submitted before keeps its status.
  fileprivate static func submit(_ name: String, in sandbox: Sandbox) throws -> SenderID {
    if let known = try find(name, in: sandbox) { return known }
    try table.requireRoom(in: sandbox)
    let sender = SenderID(name: name, status: decision(on: name))
    try sender.save(in: sandbox)
    return sender
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.member("sender_id", name)
    json.member("status", status.rawValue)
  }

  /// True for a phone number, or up to 11 letters, digits and separators that are not all spaces.
  @Sendable
  static func isValid(_ name: String) -> Bool {
    if PhoneNumber(name) != nil { return true }
    return (1...11).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0.isAlphanumeric || " -_.&".utf8.contains($0) }
      && name.utf8.contains { $0 != 0x20 }
  }

  /// The sandbox decides by how the name begins. Source: contract 6.2.
  private static func decision(on name: String) -> Status {
    if name.hasPrefix("REJECT") { return .rejected }
    return name.hasPrefix("OK") ? .approved : .pending
  }

  var key: String { name }
  static let table = RecordTable("sender id", of: PreludeProvider.name, schema) { SenderID() }
}
