import Domain
import HTTP
import JSON
import ProviderKit

/// What speaks against a target. Source: contract 8 and 16.1; the lists and what the account has told weigh
/// as the sandbox has it.
struct Prediction {
  /// The vendor's words for it; empty: nothing does.
  let riskFactors: [String]

  /// What is known of a target. Listed numbers are what their list says, whatever else is known.
  init(of target: Target, in call: Call) throws {
    guard let number = target.number else {
      riskFactors = []
      return
    }
    switch try NumberList.holding(number, in: call.sandbox) {
    case .block: riskFactors = ["custom_policy"]
    case .allow: riskFactors = []
    case nil:
      let reputation = try Reputation.of(number, in: call.sandbox)
      riskFactors =
        try call.predictedFactors(of: number)
        + (reputation.isDoubtful ? ["account_risk_profile"] : [])
        + (reputation.convertsPoorly ? ["poor_conversion_history"] : [])
    }
  }
}

/// A prediction as it is answered. Source: contract 8.
struct PredictionBody {
  let id: String
  let prediction: Prediction

  /// The members but for the request's id.
  func write(to json: inout JSONWriter) {
    let factors = prediction.riskFactors
    json.member("id", id)
    json.member("prediction", factors.isEmpty ? "legitimate" : "suspicious")
    if !factors.isEmpty { json.member("risk_factors", factors) }
  }
}

extension Call {
  /// What the vendor's table, a seed or a header says of a number, in the words that the setting chooses.
  func predictedFactors(of number: PhoneNumber) throws -> [String] {
    let outcome = try outcome(of: number)
    guard settings.riskFactors == "previous", !outcome.predictedFactors.isEmpty else {
      return outcome.predictedFactors
    }
    return outcome.blockReason?.formerRiskFactors ?? []
  }
}
