package import Domain
package import HTTP

/// Telesign: Verify API with push and silent, SMS, voice and app verification, messaging, PhoneID, Score and
/// Intelligence. Contract: `telesign.md`; the vendor's pages: https://developer.telesign.com
package enum Telesign: Provider {
  /// URL prefix, seed member and tag.
  package static let name = "telesign"
  /// No tool has another name for it.
  package static let prefixes: [String] = []
  /// Full-service and self-service accounts, the name of old, Verify API, Score. Source: contract 1.1.
  package static let hosts = [
    "rest-ww.telesign.com", "rest-api.telesign.com", "rest.telesign.com", "verify.telesign.com",
    "detect.telesign.com",
  ]

  /// The operations by product, in the order of the contract.
  package static var routes: [Route<Sandbox>] {
    phoneIDRoutes + intelligenceRoutes + teleBureauRoutes
  }

  /// Says on every answer that it is none of the vendor's own.
  package static func sign(_ headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox", name)
  }

  /// 5, 10 and 15 seconds after the attempt before. Source: contract 13.1.
  package static var retries: RetrySchedule {
    RetrySchedule(pauses: [.seconds(5), .seconds(10), .seconds(15)])
  }

  /// Nothing of what the core reports concerns the products that there are.
  package static func heed(_ notice: Notice, in sandbox: Sandbox) {}

  /// Callbacks come with the products that make them.
  package static func render(_ webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? { nil }
}
