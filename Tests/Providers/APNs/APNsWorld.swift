import Domain
import HTTP
import JSON
import ProviderKit
import Support

@testable import APNs

/// A sandbox whose back end signs with the key of `Seeds/default`, or with another one.
struct APNsWorld {
  static let team = "RINGFENCE1"
  static let keyID = "SANDBOXKEY"
  static let deviceToken = String(repeating: "0a", count: 32)
  /// The headers of a normal alert.
  static let alertHeaders = [
    "apns-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b", "apns-topic": "com.example.app",
    "apns-push-type": "alert",
    "apns-priority": "10",
  ]

  let world: TestSandbox
  var sandbox: Sandbox { world.sandbox }
  /// The token of a back end that signs one and keeps it.
  private(set) var ownToken = ""

  init(isOpen: Bool = false) throws {
    world = try TestSandbox(of: APNsProvider.self) { $0.acceptsUnknownAccounts = isOpen }
    ownToken = try providerToken()
  }

  /// A provider token that was issued so many seconds ago.
  func providerToken(
    team: String = Self.team, keyID: String = Self.keyID, age: Int = 0, signedBy privateKey: String? = nil
  ) throws -> String {
    try providerToken(
      claims: #"{"iss":"\#(team)","iat":\#(sandbox.clock.now.unixSeconds - age)}"#, keyID: keyID,
      signedBy: privateKey)
  }

  func providerToken(
    claims: String, keyID: String = Self.keyID, signedBy privateKey: String? = nil
  ) throws -> String {
    let own = try Key.own(in: sandbox)
    let header = JSONWriter.object {
      $0.member("alg", "ES256")
      $0.member("kid", keyID)
    }
    return JSONWebToken.sign(
      Array(claims.utf8), header: header, es256Key: privateKey ?? own?.privateKey ?? "") ?? ""
  }

  /// Sends a notification under one of Apple's hosts. `headers` replace those of a normal alert; an empty
  /// value removes one.
  func send(
    _ payload: String = #"{"aps":{"alert":"Sign in?"}}"#, to token: String = Self.deviceToken,
    headers: [String: String] = [:], authorization: String? = nil, method: HTTP.Method = .post,
    path: String? = nil, host: String = "api.push.apple.com"
  ) throws -> Exchange {
    var fields: Headers = ["Host": host]
    let authorization = authorization ?? "bearer \(ownToken)"
    if !authorization.isEmpty { fields.add("authorization", authorization) }
    let all = Self.alertHeaders.merging(headers) { $1 }
    for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty { fields.add(name, value) }
    return try world.send(
      Request(method, Target(path ?? "/3/device/\(token)"), headers: fields, body: Array(payload.utf8)))
  }

  /// Registers an app on an iPhone without a number.
  func device(_ members: String) throws {
    let body = #"{"provider":"apns","platform":"ios","app":"com.example.app:1.0.0",\#(members)}"#
    _ = try world.send(.json(.post, "/control/devices", body))
  }

  /// The pushes in the control API.
  func pushes() throws -> String { try world.send(.to("/control/pushes")).answer }
}
