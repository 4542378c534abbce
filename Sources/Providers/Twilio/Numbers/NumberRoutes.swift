import ProviderKit

extension TwilioProvider {
  static var numberRoutes: [Route<Sandbox>] {
    let numbers: Pattern = "/2010-04-01/Accounts/{account}/IncomingPhoneNumbers.json"
    let number: Pattern = "/2010-04-01/Accounts/{account}/IncomingPhoneNumbers/{number}.json"
    return [
      .get(numbers, as: "listIncomingPhoneNumbers", authenticated(listNumbers)),
      .notEmulated(.post, numbers, as: "createIncomingPhoneNumber"),
      .get(
        "/2010-04-01/Accounts/{account}/IncomingPhoneNumbers/Local.json",
        as: "listLocalNumbers", authenticated { try listNumbers($0, .local) }),
      .get(
        "/2010-04-01/Accounts/{account}/IncomingPhoneNumbers/Mobile.json",
        as: "listMobileNumbers", authenticated { try listNumbers($0, .mobile) }),
      .get(
        "/2010-04-01/Accounts/{account}/IncomingPhoneNumbers/TollFree.json",
        as: "listTollFreeNumbers", authenticated { try listNumbers($0, .tollFree) }),
      .get(number, as: "fetchIncomingPhoneNumber", authenticated(fetchNumber)),
      .post(number, as: "updateIncomingPhoneNumber", authenticated(updateNumber)),
      .notEmulated(.delete, number, as: "deleteIncomingPhoneNumber"),
      .get(
        "/2010-04-01/Accounts/{account}/OutgoingCallerIds.json", as: "listOutgoingCallerIds",
        authenticated(listCallerIDs)),
    ]
  }
}
