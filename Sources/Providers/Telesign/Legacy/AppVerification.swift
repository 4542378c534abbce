import ProviderKit

/// A verification of App Verify. Source: contract 8.
struct AppVerification {
  private(set) var record: LegacyVerification

  init(_ record: LegacyVerification) { self.record = record }

  static func find(_ reference: String, for context: RequestContext) throws -> AppVerification {
    AppVerification(
      try LegacyVerification.find(
        reference, [.appVerification], else: APIError(-40004, in: .legacy), for: context))
  }

  /// The verification that a form names, which must not be finalized yet.
  static func findUnfinalized(_ form: LegacyForm, for context: RequestContext) throws -> AppVerification {
    let found = try find(form.required("reference_id"), for: context)
    guard let statusCode = found.record.details.statusCode else { return found }
    throw APIError(-30014, in: .legacy).about(found.record.reference)
      .because("it was finalized at \(found.record.verification.updatedAt.iso8601) with \(statusCode)")
  }

  /// Completes the verification and stores the status code. After a timeout it cannot succeed.
  mutating func finalize(with status: Int, in sandbox: Sandbox) throws {
    let concluded = try sandbox.verifications.finish(
      record.verification, as: status == 2401 ? .approved : .denied)
    record.details.statusCode = concluded == nil && status == 2401 ? 2402 : status
    try record.saveDetails(in: sandbox)
  }

  /// The response to a query.
  func response(to context: RequestContext) throws -> Response {
    let status = try status(in: context.sandbox)
    return .json(200) { json in
      writeHead(as: record.details.subResource, to: &json)
      context.writeStatus(status.code, at: status.at, to: &json)
    }
  }

  /// The first members of all responses.
  func writeHead(as subResource: String, to json: inout JSONWriter) {
    json.member("reference_id", record.reference)
    json.member("sub_resource", subResource)
    json.member("errors", [String]())
  }

  /// The status that the app has reported; before that, whether the call failed.
  private func status(in sandbox: Sandbox) throws -> (code: Int, at: Timestamp) {
    if let code = record.details.statusCode { return (code, record.verification.updatedAt) }
    guard let message = try record.message(in: sandbox) else {
      return (2400, record.verification.createdAt)
    }
    let entry = try DeliveryTimeline(of: message, in: sandbox).entry(at: sandbox.clock.now)
    switch entry.code {
    case 106, 107: return (2411, entry.at)
    case 130: return (2430, entry.at)
    default: return (2400, message.submittedAt)
    }
  }
}
