import Domain
import HTTP
import JSON

/// The resource `/v2/verification/management/phone-numbers/{action}`. Source: contract 6.1.
extension Prelude {
  static func listNumbers(_ call: Call) throws -> Response {
    let list = try call.numberList
    try call.refuseWithoutManagement()
    let entries = try list.entries(in: call.sandbox)
    return call.bareAnswer { NumberListBody(entries: entries).write(to: &$0) }
  }

  static func addNumber(_ call: Call) throws -> Response {
    try call.changeNumber { list, number in try list.add(number, in: call.sandbox) }
  }

  static func removeNumber(_ call: Call) throws -> Response {
    try call.changeNumber { list, number in try list.remove(number, in: call.sandbox) }
  }
}

extension Prelude.Call {
  /// Live access is granted on request; a knob takes it away. Source: contract 6.
  func refuseWithoutManagement() throws(Prelude.Problem) {
    guard knobs.management else {
      throw Prelude.Problem(.forbidden).because("the knob management is off")
    }
  }

  /// Changes the list of the path by the number of the body.
  fileprivate func changeNumber(
    _ change: (Prelude.NumberList, PhoneNumber) throws -> Void
  ) throws -> Response {
    let list = try numberList
    let text = try request.json.string("phone_number")
    try refuseWithoutManagement()
    let number = try number(text, of: "phone_number")
    try change(list, number)
    return bareAnswer { Prelude.NumberBody(number: number).write(to: &$0) }
  }

  /// The list that the path names; the word `sandbox` is none.
  fileprivate var numberList: Prelude.NumberList {
    get throws(Prelude.Problem) {
      let word = request[parameter: "action"]
      if let list = Prelude.NumberList(rawValue: word) { return list }
      guard word == "sandbox" else {
        throw Prelude.Problem(.notFound, "the lists are allow and block, there is no \(word)")
      }
      throw Prelude.Problem.wrongMethod(allowed: [.get, .put])
    }
  }
}
