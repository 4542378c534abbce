import Domain
import HTTP
import JSON

/// The operators' gateway to mobile data. Source: `carrier.md` 4.5.
extension ControlAPI {
  func fetchGateway(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let settings = try sandbox.gateway.settings
    return .json(
      200,
      JSONWriter.object { json in
        json.member("mode", settings.mode.rawValue)
        json.member("hops", settings.hops)
        json.member("tls", settings.tls)
        json.member("url", try? sandbox.gateway.baseURL(requestOrigin: request.origin))
      })
  }

  func putGateway(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    var settings = try sandbox.gateway.settings
    if let word = try fields.optionalString("mode") {
      guard let mode = Gateway.Settings.Mode(rawValue: word) else {
        let words = Gateway.Settings.Mode.allCases.map(\.rawValue).joined(separator: ", ")
        throw fields.mismatch("mode", expected: "one of \(words)")
      }
      settings.mode = mode
    }
    if let hops = try fields.optionalInt("hops") {
      guard (0...Gateway.Settings.hopLimit).contains(hops) else {
        throw fields.mismatch("hops", expected: "a whole number from 0 to \(Gateway.Settings.hopLimit)")
      }
      settings.hops = hops
    }
    settings.tls = try fields.optionalBool("tls") ?? settings.tls
    _ = try fields.optionalString("url")
    try fields.requireAllRead()
    try sandbox.gateway.set(settings)
    return try fetchGateway(request, sandbox)
  }
}
