import Domain
import HTTP
import ProviderKit

// SMS, Voice and Smart Verify, and what is asked about their verifications. Source: contract 7.

var legacyRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/verify/sms", as: "createSMSVerification", of: .smsVerify, createSMSVerification),
    route(.post, "/v1/verify/call", as: "createCallVerification", of: .voiceVerify, createCallVerification),
    route(
      .post, "/v1/verify/smart", as: "createSmartVerification", of: .smartVerify, createSmartVerification),
    route(
      .get, "/v1/verify/{reference_id}", as: "fetchVerifyStatus", of: .smsVerify, fetchVerifyStatus),
    route(
      .put, "/v1/verify/completion/{reference_id}", as: "completeVerification", of: .smsVerify,
      completeVerification),
  ]
}

/// `POST /v1/verify/sms`
func createSMSVerification(_ call: Call) throws -> Response {
  let sending = try call.readSMSVerification()
  guard let status = sending.record.simSwap?.blockingStatus else {
    return try call.answer(call.send(sending), isNew: true)
  }
  return try call.answer(call.block(sending, with: status), isNew: true)
}

extension Call {
  /// Reads the form. Source: contract 7.1.
  fileprivate func readSMSVerification() throws -> LegacySending {
    try request.form.declare(Self.accepted)
    let number = try number(required("phone_number"))
    try checkCircumstances()
    var record = LegacyRecord(of: "sms")
    if try flag("sim_swap_check") ?? false {
      record.simSwap = SIMSwapCheck(
        of: try Line(of: number, in: sandbox), at: sandbox.clock.now)
    }
    return LegacySending(
      kind: .smsVerification, channel: .sms, number: number, record: record,
      codeLength: settings.smsCodeLength, code: try ownCode(3...7),
      sender: try text("sender_id", upTo: 20) ?? defaultSender,
      text: LegacyText(
        try text("template", upTo: 1600), language: try field("language"), payment: try payment()),
      callbackURL: try callbackURL())
  }

  /// What is to be paid and to whom: both or neither. Source: contract 7.1.
  private func payment() throws -> (amount: String, payee: String)? {
    switch (try field("transaction_amount"), try field("transaction_payee")) {
    case (nil, nil): nil
    case (let amount?, let payee?): (amount, payee)
    case (nil, _): throw Problem.missing("transaction_amount")
    case (_, nil): throw Problem.missing("transaction_payee")
    }
  }

  /// Parameters that are taken and have no effect here.
  private static let accepted = ["is_primary", "dlt_template_id", "dlt_entity_id", "num_deac_req"]
}
