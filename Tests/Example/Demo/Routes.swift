package import ProviderKit

extension DemoProvider {
  package static var routes: [Route<Sandbox>] {
    [
      .post("/codes", as: "sendCode", authenticated(sendCode)),
      .post("/codes/{number}/check", as: "checkCode", authenticated(checkCode)),
      .notEmulated(.delete, "/codes/{number}", as: "cancelCode"),
    ]
  }
}
