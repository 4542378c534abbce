import Basics
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
    ("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"), ("apns-priority", "10"), ("apns-push-type", "alert"),
    ("apns-topic", "com.example.app"),
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
    let claims = #"{"iss":"\#(team)","iat":\#(sandbox.clock.now.unixSeconds - age)}"#
    let own = try Key.own(in: sandbox)
    let header = JSONWriter.object {
      $0.member("alg", "ES256")
      $0.member("kid", keyID)
    }
    return JSONWebToken.sign(
      Array(claims.utf8), header: header, es256Key: privateKey ?? own?.privateKey ?? "") ?? ""
  }

  /// Sends a normal alert under one of Apple's hosts.
  func send(
    _ payload: String = #"{"aps":{"alert":"Sign in?"}}"#, authorization: String? = nil
  ) throws -> Exchange {
    var fields: Headers = ["Host": "api.push.apple.com"]
    let authorization = authorization ?? "bearer \(ownToken)"
    if !authorization.isEmpty { fields.add("authorization", authorization) }
    for (name, value) in Self.alertHeaders { fields.add(name, value) }
    return try world.send(
      Request(.post, Target("/3/device/\(Self.deviceToken)"), headers: fields, body: Array(payload.utf8)))
  }
}
