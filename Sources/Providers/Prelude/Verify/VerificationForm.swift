import Domain
import JSON
import ProviderKit

/// The body of a creation, in the order of its schema. Source: contract 3.1.
struct VerificationForm {
  let target: TargetForm
  let signals: SignalsForm
  let correlationID: String?
  let options: OptionsForm

  /// Reads and checks the body: types, then conflicts, then values. Source: contract 11.3.
  init(_ fields: Fields) throws {
    target = try TargetForm(fields)
    signals = try SignalsForm(fields)
    correlationID = try fields.optionalObject("metadata")?.optionalString("correlation_id")
    options = try OptionsForm(fields.optionalObject("options"))
    try options.validate()
    try checkCorrelation(correlationID, at: "metadata.correlation_id")
  }

  /// Refuses what the account may not do. Source: contract 3.2 and 11.3, 6.
  func refuseGated(_ settings: Settings) throws(Problem) {
    if options.customCode != nil, !settings.customCodes {
      throw Problem(.customCodeNotAllowed, param: "options.custom_code")
    }
    if options.forcesChallenge, !settings.forceChallenge {
      throw Problem(
        .forbidden, "challenges are not enabled for the account", param: "options.force_challenge")
    }
    for channel in options.channels ?? [] where !settings.channels.contains(channel) {
      throw Problem(
        .channelNotEnabled, "the channel \(channel) is not enabled in the region", param: "options.channels"
      )
    }
  }
}
