import ProviderKit

/// `POST /v1/verify/bulk_sms`: one text to many numbers. Source: `senders.md` 8.
func sendBulkSMS(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  let receivers = try BulkReceivers(form.required("recipients"), context)
  let template = try form.required("template")
  let bulk = BulkSMS(
    customer: context.customer,
    text: try form.text("template", upTo: 1600) ?? template,
    sender: try form.text("sender_id", upTo: 20) ?? defaultSender,
    callbackURL: try CallbackURL.chosen(by: form.text("callback_url"), in: context),
    numbers: receivers.valid.map(\.number.phoneNumber.description), ids: receivers.valid.map(\.id))
  let session = try form.text("session_id", upTo: 100)
  try AccountRules(context).checkFunds()
  try bulk.send(at: context.sandbox.nextOrdinal(), after: 0, in: context.sandbox)
  var response = Response.json(200) { json in
    json.null("reference_id")
    json.member("sub_resource", "bulk_sms")
    json.member("errors", [String]())
    json.member("session_id", session)
    context.writeStatus(290, to: &json)
  }
  response.why = receivers.remark
  return response
}

/// `recipients`: pairs of a number and the customer's id for it, separated by commas.
private struct BulkReceivers {
  private(set) var valid: [(number: ParsedNumber, id: String)] = []
  /// What the journal tells about numbers that were read otherwise than written, or get no text.
  private(set) var remark: String?

  private static let limit = 1000
  /// The numbers that a remark names.
  private static let named = 5

  init(_ text: String, _ context: RequestContext) throws {
    let pairs = text.split(separator: ",")
    guard (1...Self.limit).contains(pairs.count) else {
      throw APIError.invalidParameter(
        "recipients", expected: "1 to \(Self.limit) pairs such as 12025550100:a1; found \(pairs.count)")
    }
    var (refusals, hasBlank) = ([String](), false)
    for pair in pairs {
      let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // A plus sign of a form that was not encoded is a blank.
      hasBlank = hasBlank || parts[0].first == " "
      let digits = String(parts[0].first == "+" || parts[0].first == " " ? parts[0].dropFirst() : parts[0])
      guard let number = ParsedNumber(digits, context.settings), !number.hadPlus else {
        let expected = "digits with the country code"
        refusals.append(PhoneNumber.refusal(of: digits, in: "recipients", expected: expected))
        continue
      }
      if let why = try Self.refusal(of: number, context) {
        refusals.append("\(digits) gets no text: \(why)")
      } else {
        valid.append((number, parts.count == 2 ? String(parts[1]) : ""))
      }
    }
    guard !valid.isEmpty else {
      throw APIError.invalidNumber(String(pairs[0].prefix { $0 != ":" }), in: .legacy)
        .because(refusals[0])
    }
    var remarks = Array(refusals.prefix(Self.named))
    if refusals.count > Self.named { remarks.append("and \(refusals.count - Self.named) more numbers") }
    if hasBlank { remarks.append("recipients: a blank before a number was read as +; encode + as %2B") }
    remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
  }

  /// Why a number gets no text; nil if it gets one.
  private static func refusal(of number: ParsedNumber, _ context: RequestContext) throws -> String? {
    try context.sandbox.numbers.refusal(of: number.phoneNumber, provider: TelesignProvider.name)
      ?? AccountRules(context).block(of: number)?.reason
  }
}

/// A text to many numbers, which is sent in pieces.
struct BulkSMS {
  var customer = ""
  var text = ""
  var sender = ""
  var callbackURL: String?
  var numbers: [String] = []
  /// The customer's ids of the numbers.
  var ids: [String] = []

  private static let table = RecordTable(
    "bulk", of: TelesignProvider.name,
    Schema<BulkSMS>([
      .required("customer", \.customer, .string), .required("text", \.text, .string),
      .required("sender", \.sender, .string), .optional("callbackUrl", \.callbackURL, .string),
      .required("numbers", \.numbers, .array(of: .string)), .required("ids", \.ids, .array(of: .string)),
    ])
  ) { BulkSMS() }
  /// Sends the next texts of one that is not sent to all.
  static func goOn(with ordinal: Int, after count: Int, in sandbox: Sandbox) throws {
    try table.find(String(ordinal), in: sandbox)?.send(at: ordinal, after: count, in: sandbox)
  }

  /// Sends the next piece. What is left is stored, and sent before the next request.
  fileprivate func send(at ordinal: Int, after count: Int, in sandbox: Sandbox) throws {
    let end = min(numbers.count, count + Messages.countPerPiece(ofLength: text.utf8.count))
    for place in count..<max(count, end) { try send(numbers[place], ids[place], in: sandbox) }
    guard end < numbers.count else {
      return count > 0 ? try Self.table.delete(String(ordinal), in: sandbox) : ()
    }
    if count == 0 { try Self.table.save(self, as: String(ordinal), ordinal: ordinal, in: sandbox) }
    try sandbox.agenda.schedule(.goOn, on: ordinal, detail: end, at: sandbox.clock.now)
  }

  private func send(_ number: String, _ id: String, in sandbox: Sandbox) throws {
    guard let phoneNumber = PhoneNumber(number) else { return }
    let reference = ReferenceID.text(.message, sandbox.nextOrdinal(), in: sandbox)
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .sms, destination: number,
      sender: sender, text: text, code: nil)
    let settings = try Settings.current(in: sandbox)
    draft.ending = ParsedNumber(String(number.dropFirst()), settings)?.ending?.scenario
    let message = try sandbox.messages.submit(draft, to: sandbox.subscribers[phoneNumber])
    var callback = Callback(.messageDelivery, of: message.ordinal, as: reference, for: customer)
    callback.externalID = id.isEmpty ? nil : id
    let timeline = try DeliveryTimeline(of: message, in: sandbox)
    try callback.schedule(at: timeline.finalEntry?.at, to: callbackURL, in: sandbox)
  }
}
