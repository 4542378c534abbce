import ProviderKit

extension TelesignProvider {
  static var phoneIDRoutes: [Route<Sandbox>] {
    [
      .post("/v1/phoneid", as: "lookUpNumberInBody", authenticated(.phoneID, lookUpNumberInBody)),
      .post("/v1/phoneid/{phone_number}", as: "lookUpNumber", authenticated(.phoneID, lookUpNumber)),
      .get(
        "/v1/phoneid/standard/{phone_number}", as: "lookUpStandard", authenticated(.phoneID, lookUpStandard)),
      .get("/v1/phoneid/live/{phone_number}", as: "lookUpLive", authenticated(.phoneID, lookUpLive)),
      .get("/v1/phoneid/score/{phone_number}", as: "lookUpScore", authenticated(.phoneID, lookUpScore)),
      .get("/v1/phoneid/contact/{phone_number}", as: "lookUpContact", authenticated(.phoneID, lookUpContact)),
      .get(
        "/v1/phoneid/number_deactivation/{phone_number}", as: "lookUpDeactivation",
        authenticated(.phoneID, lookUpDeactivation)),
    ]
  }
}
