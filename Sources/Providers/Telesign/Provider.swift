package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Telesign: Verify API with push and silent, SMS, voice and app verification, messaging, PhoneID, Score and
/// Intelligence. Contract: `telesign.md`; the vendor's pages: https://developer.telesign.com
package enum TelesignProvider: Provider {
  /// URL prefix, seed member and tag.
  package static let name = "telesign"
  /// What a bare start loads.
  package static let defaultSeed = PackageResources.Seed_json
  /// No tool has another name for it.
  package static let prefixes: [String] = []
  /// Full-service and self-service accounts, the name of old, Verify API, Score. Source: contract 1.1.
  package static let hosts = [
    "rest-ww.telesign.com", "rest-api.telesign.com", "rest.telesign.com", "verify.telesign.com",
    "detect.telesign.com",
  ]
  /// What the examples of the vendor's SDKs read.
  package static let variables = [
    Variable("TELESIGN_CUSTOMER_ID", .credential("customerId")),
    Variable("TELESIGN_API_KEY", .credential("apiKey")),
  ]

  /// The operations by product, in the order of the contract.
  package static var routes: [Route<Sandbox>] {
    let verifying = verifyRoutes + registrationRoutes + decisionRoutes + silentStepRoutes + legacyPushRoutes
    let single = silentRoutes + legacyRoutes + appVerifyRoutes
    let messaging = messagingRoutes + omnichannelRoutes + voiceRoutes
    return verifying + single + messaging + phoneIDRoutes + intelligenceRoutes + teleBureauRoutes
  }

  /// Says on every answer that it is none of the vendor's own.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox", name)
  }

  /// Its pushes say whose they are. Source: contract 5.4.5
  package static func ownsPushPayload(_ data: Texts) -> Bool { data["provider"] == name }

  /// 5, 10 and 15 seconds after the attempt before, unless it was answered 200 within 5 s. Source: contract 13.1.
  package static var retries: RetrySchedule {
    var retries = RetrySchedule(pauses: [.seconds(5), .seconds(10), .seconds(15)])
    retries.acknowledgements = 200...200
    retries.timeout = .seconds(5)
    return retries
  }

  /// Steps of a verification send what they have to send, and callbacks tell of them.
  package static func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) throws {
    switch notice {
    case .reply, .lost, .abandoned: break
    case .released(let message): try tellNow(of: message, in: sandbox)
    case .stepBegun(let step, let verification): try begin(step, of: verification, in: sandbox)
    case .stepFailed(let step, let verification): try tellFailure(of: step, verification, in: sandbox)
    case .ended(let verification):
      try withdrawQuestion(of: verification, in: sandbox)
      try tellEnd(of: verification, in: sandbox)
    case .answered(let challenge): try recordAnswer(challenge, in: sandbox)
    case .marked(let challenge, let mark): try recordMark(mark, of: challenge, in: sandbox)
    }
  }
}
