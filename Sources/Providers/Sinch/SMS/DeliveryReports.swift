import ProviderKit

// Reports on the recipients of batches. Source: `senders.md` 7.

func fetchDeliveryReport(_ context: SMSContext) throws -> Response {
  let batch = try Batch.named(by: context)
  let query = try context.request.query
  let type = query.text("type") ?? "summary"
  guard type == "summary" || type == "full" else {
    throw SMSError(.notFound).because("type: expected summary or full; found \(type)")
  }
  let report = try BatchReport(of: batch, at: context.now, in: context.sandbox)
    .selecting(statuses: query.list("status"), codes: query.list("code"))
  return .json(200) { report.write(isFull: type == "full", to: &$0) }
}

func fetchRecipientReport(_ context: SMSContext) throws -> Response {
  let batch = try Batch.named(by: context)
  let recipient = context.request[parameter: "recipient"]
  guard let digits = MSISDN.digits(of: recipient), let place = batch.to.firstIndex(of: digits),
    let report = try RecipientReport.all(
      of: batch, place..<place + 1, by: context.now, in: context.sandbox
    ).first
  else {
    throw SMSError(.notFound).because("the batch \(batch.id) has no recipient \(recipient)")
  }
  return .json(200, try report.encoded(in: context.sandbox))
}

/// Of all batches, the newest first.
func listDeliveryReports(_ context: SMSContext) throws -> Reply {
  let query = try SMSListQuery(context)
  let form = try context.request.query
  let (statuses, codes) = (form.list("status"), form.list("code"))
  let sandbox = context.sandbox
  var border = Int.max
  var current: (batch: Batch, place: Int)?
  return query.reply("delivery_reports") { () -> [RecipientReport]? in
    if let (batch, place) = current, place < batch.to.count {
      let end = place + SMSListQuery.recipientsPerPiece
      current = (batch, end)
      return try RecipientReport.all(of: batch, place..<end, by: sandbox.clock.now, in: sandbox).filter {
        query.span.contains($0.change.at)
          && (statuses.isEmpty || statuses.contains($0.change.status.rawValue))
          && (codes.isEmpty || codes.contains(String($0.change.code)))
      }
    }
    guard let (position, batch) = try Batch.table.list(from: .before(border), limit: 1, in: sandbox).last
    else {
      return nil
    }
    border = position
    let isSelected =
      batch.plan == context.plan.id
      && (query.clientReference == nil || query.clientReference == batch.clientReference)
    current = isSelected ? (batch, 0) : nil
    return []
  } encode: {
    try $0.encoded(in: sandbox)
  }
}

/// How many recipients of a batch have which status.
struct BatchReport {
  private struct Line {
    let status: SMSStatus
    let code: Int
    var recipients: [String]
  }

  static let type = "delivery_report_sms"

  private let batch: Batch
  private let total: Int
  private var lines: [Line] = []

  /// One of a batch that was canceled before its sending is empty. Source: `senders.md` 7.
  init(of batch: Batch, at time: Timestamp, in sandbox: Sandbox) throws {
    self.batch = batch
    total = batch.isCanceled ? 0 : batch.to.count
    guard !batch.isCanceled else { return }
    for report in try RecipientReport.all(of: batch, batch.to.indices, by: time, in: sandbox) {
      let (status, code) = (report.change.status, report.change.code)
      if let place = lines.firstIndex(where: { $0.status == status && $0.code == code }) {
        lines[place].recipients.append(report.recipient)
      } else {
        lines.append(Line(status: status, code: code, recipients: [report.recipient]))
      }
    }
  }

  /// Empty lists select all.
  func selecting(statuses: [String], codes: [String]) -> BatchReport {
    var report = self
    report.lines = lines.filter {
      (statuses.isEmpty || statuses.contains($0.status.rawValue))
        && (codes.isEmpty || codes.contains(String($0.code)))
    }
    return report
  }

  func write(isFull: Bool, to json: inout JSONWriter) {
    json.member("type", Self.type)
    json.member("batch_id", batch.id)
    json.array("statuses", lines) { json, line in
      json.value { json in
        json.member("code", line.code)
        json.member("count", line.recipients.count)
        if isFull { json.member("recipients", line.recipients) }
        json.member("status", line.status.rawValue)
      }
    }
    json.member("total_message_count", total)
    if let reference = batch.clientReference { json.member("client_reference", reference) }
  }
}
