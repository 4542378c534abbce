import ProviderKit

/// A page on which a subscriber gives or refuses consent, and what became of it. Source: contract 13.
struct ConsentCapture: StoredRecord, Equatable {
  var id = ""
  var clientID = ""
  var number: PhoneNumber?
  var scopes: [String] = []
  /// With its prefix `dpv:`.
  var purpose = ""
  /// Where the browser goes at the end; nil: nowhere.
  var callback: String?
  var createdAt = Timestamp.earliest
  var isOpened = false
  var isFinished = false

  private static let schema = Schema<ConsentCapture>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .optional("number", \.number, .phoneNumber),
    .required("scopes", \.scopes, .array(of: .string)),
    .required("purpose", \.purpose, .string),
    .optional("callback", \.callback, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .required("opened", \.isOpened, .boolean),
    .required("finished", \.isFinished, .boolean),
  ])

  var key: String { id }
  static let table = RecordTable("consent capture", of: CAMARAProvider.name, schema) {
    ConsentCapture()
  }

  /// Of one client, subscriber and purpose; older ones are deleted.
  static let limit = 20
  private static let lifetime = Duration.seconds(600)

  var group: String { "\(clientID) \(number?.description ?? "") \(purpose)" }

  mutating func create(in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    id = sandbox.tokenEntropy.identifier("consent capture", ordinal)
    createdAt = sandbox.clock.now
    try Self.table.add(self, as: id, group: group, ordinal: ordinal, keeping: Self.limit, in: sandbox)
  }

  func isExpired(at time: Timestamp) -> Bool { time >= createdAt + Self.lifetime }

  /// The number of pages in the last 24 hours for the same client, number and purpose.
  func recent(in sandbox: Sandbox) throws -> Int {
    let start = sandbox.clock.now - .seconds(86_400)
    return try Self.table.list(group: group, in: sandbox).count { $0.record.createdAt > start }
  }

  /// True if the person has opened such a page and not decided yet.
  func isRequested(in sandbox: Sandbox) throws -> Bool {
    let now = sandbox.clock.now
    return try Self.table.list(group: group, in: sandbox).contains {
      $0.record.isOpened && !$0.record.isFinished && !$0.record.isExpired(at: now)
    }
  }

  /// The end of the page, with the `state` with which it was opened.
  fileprivate func end(_ result: String, _ state: String?) -> Response {
    guard let callback else {
      return OperatorPage.message(200, "Thank you", "You can close this page.")
    }
    let state = state.map { [("state", $0)] } ?? []
    return AuthorizationRequest.redirect(to: callback, [("capture_result", result)] + state)
  }
}

/// `GET /consent-info/capture/{capture}`
func showCapture(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let state = try request.query["state"]
  guard var capture = try ConsentCapture.find(request[parameter: "capture"], in: sandbox), !capture.isFinished
  else { return OperatorPage.unknownSession }
  guard !capture.isExpired(at: sandbox.clock.now) else { return capture.end("timeout", state) }
  if !capture.isOpened {
    capture.isOpened = true
    try capture.save(in: sandbox)
  }
  let query = state.map { "?state=\(PercentCoding.encode($0))" } ?? ""
  return OperatorPage.consent(
    of: capture.clientID, to: capture.scopes, for: capture.purpose,
    path: request.prefix + request.target.path + query, canChoose: capture.scopes.count > 1)
}

/// `POST /consent-info/capture/{capture}`: the person has pressed a button. The page of several scopes has a
/// box for each.
func decideCapture(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let state = try request.query["state"]
  guard var capture = try ConsentCapture.find(request[parameter: "capture"], in: sandbox),
    !capture.isFinished,
    let number = capture.number
  else { return OperatorPage.unknownSession }
  guard !capture.isExpired(at: sandbox.clock.now) else { return capture.end("timeout", state) }
  let decision = try request.form["decision"]
  guard decision == "allow" || decision == "deny" else {
    throw APIError.invalid("decision", expected: "allow or deny")
  }
  let chosen = try request.form.all("scope")
  if let unknown = chosen.first(where: { !capture.scopes.contains($0) }) {
    throw APIError.invalid(
      "scope", expected: "one of \(capture.scopes.joined(separator: ", ")); found \(unknown)")
  }
  capture.isFinished = true
  try capture.save(in: sandbox)
  let granted = decision == "deny" ? [] : capture.scopes.count == 1 ? capture.scopes : chosen
  let isPartial = !granted.isEmpty && !capture.scopes.allSatisfy(granted.contains)
  if isPartial {
    try Permission.noteChoice(
      of: granted, among: capture.scopes, by: number, to: capture.purpose, in: sandbox)
  } else {
    try Permission.note(
      granted.isEmpty ? .denied : .granted, of: number, to: capture.purpose, for: capture.scopes, in: sandbox)
  }
  return capture.end(isPartial ? "partial_grant" : granted.isEmpty ? "denied" : "granted", state)
}
