import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification/management/phone-numbers/{action}`. Source: contract 6.1.

func listNumbers(_ call: Call) throws -> Response {
  let list = try call.numberList
  try call.refuseWithoutManagement()
  let entries = try list.entries(in: call.sandbox)
  return call.bareAnswer { NumberListBody(entries: entries).write(to: &$0) }
}

func addNumber(_ call: Call) throws -> Response {
  try call.changeNumber { list, number in try list.add(number, in: call.sandbox) }
}

func removeNumber(_ call: Call) throws -> Response {
  try call.changeNumber { list, number in try list.remove(number, in: call.sandbox) }
}

extension Call {
  /// Live access is granted on request; a setting takes it away. Source: contract 6.
  func refuseWithoutManagement() throws(Problem) {
    guard settings.management else {
      throw Problem(.forbidden).because("the setting management is off")
    }
  }

  /// Changes the list of the path by the number of the body.
  fileprivate func changeNumber(
    _ change: (NumberList, PhoneNumber) throws -> Void
  ) throws -> Response {
    let list = try numberList
    let text = try request.json.string("phone_number")
    try refuseWithoutManagement()
    let number = try number(text, of: "phone_number")
    try change(list, number)
    return bareAnswer { NumberBody(number: number).write(to: &$0) }
  }

  /// The list that the path names; the word `sandbox` is none.
  fileprivate var numberList: NumberList {
    get throws(Problem) {
      let word = request[parameter: "action"]
      if let list = NumberList(rawValue: word) { return list }
      guard word == "sandbox" else {
        throw Problem(.notFound, "the lists are allow and block, there is no \(word)")
      }
      throw Problem.wrongMethod(allowed: [.get, .put])
    }
  }
}
