import ProviderKit

extension PreludeProvider {
  /// Allow and block lists, sender IDs and test numbers. Source: contract 6.
  static var managementRoutes: [Route<Sandbox>] {
    [
      .get(
        "/v2/verification/management/phone-numbers/sandbox", as: "listTestNumbers",
        authenticated(listTestNumbers)),
      withBody(.put, "/v2/verification/management/phone-numbers/sandbox", as: "putTestNumber", putTestNumber),
      .delete(
        "/v2/verification/management/phone-numbers/sandbox/{number}", as: "deleteTestNumber",
        authenticated(deleteTestNumber)),
      .get(
        "/v2/verification/management/phone-numbers/{action}", as: "listNumbers", authenticated(listNumbers)),
      withBody(.post, "/v2/verification/management/phone-numbers/{action}", as: "addNumber", addNumber),
      withBody(
        .delete, "/v2/verification/management/phone-numbers/{action}", as: "removeNumber", removeNumber),
      .get("/v2/verification/management/sender-id", as: "listSenderIDs", authenticated(listSenderIDs)),
      withBody(.post, "/v2/verification/management/sender-id", as: "submitSenderID", submitSenderID),
    ]
  }
}
