import Domain
import HTTP
import JSON
import ProviderKit

extension Call {
  /// The answer that shows a verification: as it was sent, with `code_entered` empty, or as it stands.
  /// Source: contract 7.1, 7.2 and 7.4.
  func answer(_ shown: LegacyVerification, isNew: Bool) throws -> Response {
    let record = shown.record
    let status = try self.status(of: shown)
    let facts = try isNew ? VerifyFacts(of: shown, self) : nil
    return answer { json in
      json.member("reference_id", shown.reference)
      json.member("sub_resource", record.subResource)
      json.noErrors()
      writeStatus(status.code, at: status.at, to: &json)
      json.object("verify") { json in
        json.member("code_state", record.verdict.rawValue)
        json.member("code_entered", isNew ? "" : record.entered ?? "")
      }
      if let callerID = record.callerID {
        json.object("voice") { $0.member("caller_id", callerID) }
      }
      if let forwarding = record.forwarding {
        json.object("call_forwarding") { forwarding.write(to: &$0) }
      }
      if let simSwap = record.simSwap { json.object("sim_swap") { simSwap.write(to: &$0) } }
      facts?.write(to: &json)
    }
  }

  /// How far the sending has come. A verdict on a code changes nothing about it. Source: contract 7.4.
  private func status(of shown: LegacyVerification) throws -> (code: Int, at: Timestamp) {
    if let outcome = shown.record.outcome { return (outcome, shown.verification.updatedAt) }
    guard let message = try shown.message(in: sandbox) else { return (599, sandbox.clock.now) }
    let step = try Course(of: message, in: sandbox).step(at: sandbox.clock.now)
    return (step.code, step.at)
  }
}
