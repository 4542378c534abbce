import ProviderKit

extension TelesignProvider {
  static var intelligenceRoutes: [Route<Sandbox>] {
    [
      .post("/v1/score/{phone_number}", as: "scoreNumber", authenticated(.intelligence, scoreNumber)),
      .post("/intelligence/phone", as: "assessPhone", authenticated(.intelligence, assessPhone)),
      .post("/intelligence/email", as: "assessEmail", authenticated(.intelligence, assessEmail)),
      .post("/intelligence", as: "assessPhoneInJSON", authenticated(.intelligence, assessUser)),
    ]
  }
}
