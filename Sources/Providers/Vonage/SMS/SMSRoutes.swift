import ProviderKit

let balancePath = "/account/get-balance"

extension VonageProvider {
  /// Their paths are short, so they are limited to the provider's hosts. Source: `senders.md` 5.
  static var smsRoutes: [Route<Sandbox>] {
    let routes: [Route<Sandbox>] = [
      .get("/sms/{format}", as: "sendTextByGet", legacy(by: SMSCaller.account, sendText)),
      .post("/sms/{format}", as: "sendText", legacy(by: SMSCaller.account, sendText)),
      .get(
        "/sc/us/2fa/{format}", as: "sendShortCodeTextByGet",
        legacy(by: SMSCaller.account, sendShortCodeText)),
      .post("/sc/us/2fa/{format}", as: "sendShortCodeText", legacy(by: SMSCaller.account, sendShortCodeText)),
      .get("/account/get-balance", as: "fetchBalance", authenticated(by: [.basic, .fields], fetchBalance)),
      .post(
        "/conversions/sms", as: "reportConversion", authenticated(by: [.basic, .fields], reportConversion)),
    ]
    return routes.map { $0.hostBound }
  }
}
