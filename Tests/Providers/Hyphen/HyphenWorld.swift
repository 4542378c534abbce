import Crypto
import Domain
import HTTP
import Hyphen
import JSON
import Support

/// A sandbox with the app and the accounts of `Seeds/default`.
struct HyphenWorld {
  static let user = "mara@example.test"
  static let transaction = String(repeating: "a1", count: 32)

  let world: TestSandbox
  var sandbox: Sandbox { world.sandbox }

  init(isOpen: Bool = false, _ settings: String = "{}") throws {
    world = try TestSandbox(of: HyphenProvider.self) { $0.acceptsUnknownAccounts = isOpen }
    try seed(#"{"settings":\#(settings)}"#)
  }

  /// Loads Hyphen's part of a seed.
  func seed(_ part: String) throws {
    _ = try world.send(.json(.post, "/control/seed", #"{"hyphen":\#(part)}"#))
  }

  func advance(_ span: String) throws {
    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"\#(span)"}"#))
  }

  func call(
    _ method: HTTP.Method, _ path: String, _ body: String = "", token: String? = nil,
    secret: String? = "sbx_app_tern", platform: String? = "Android", host: String = "127.0.0.1:5550"
  ) throws -> Exchange {
    var headers: Headers = ["Host": host]
    if let secret { headers.add("X-Hyphen-App-Secret", secret) }
    if let platform { headers.add("X-Hyphen-SDK-Platform", platform) }
    if let token { headers.add("Authorization", "Bearer \(token)") }
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    return try world.send(Request(method, Target(path), headers: headers, body: Array(body.utf8)))
  }

  /// The members of an answer.
  func fields(of exchange: Exchange) throws -> Fields {
    try Fields(JSON(parsing: Array(exchange.answer.dropFirst(4).utf8)))
  }

  /// Status and code of an error: `400 InvalidRequest`.
  func error(_ exchange: Exchange) throws -> String {
    "\(exchange.answer.prefix(3)) \(try fields(of: exchange).string("code"))"
  }

  /// A new account with one device.
  func signUp(_ phone: Phone, user: String = Self.user) throws -> SignedIn {
    let body = #"{"method":"firebase","token":"sbx-user:\#(user)","userKey":\#(phone.userKey)}"#
    return try SignedIn(phone, fields(of: call(.post, "/auth/v1/signup", body)))
  }

  /// Asks for approval.
  func ask(_ phone: Phone, user: String = Self.user, secret: String = "sbx_app_tern") throws -> Exchange {
    try call(.post, "/auth/v1/signin/2fa", phone.request(user), secret: secret)
  }

  /// Asks for approval with success.
  func request(_ phone: Phone, user: String = Self.user) throws -> Pending {
    let answer = try fields(of: ask(phone, user: user))
    return Pending(
      id: try answer.object("twoFactorAuth").string("id"), token: try answer.string("ephemeralAccessToken"))
  }

  func approve(_ id: String, token: String, transaction: String = Self.transaction) throws -> Exchange {
    try call(.post, "/device/v1/2fa/\(id)/approve", #"{"txId":"\#(transaction)"}"#, token: token)
  }

  func finish(_ request: Pending) throws -> Exchange {
    try call(
      .post, "/auth/v1/signin/2fa/finish", #"{"twoFactorAuthRequestId":"\#(request.id)"}"#,
      token: request.token)
  }

  /// A signed-in device that another one has approved.
  func add(_ phone: Phone, approvedBy old: SignedIn) throws -> SignedIn {
    let request = try request(phone)
    _ = try approve(request.id, token: old.accessToken)
    return try SignedIn(phone, fields(of: finish(request)))
  }

  /// The pushes in the control API.
  func pushes(to token: String) throws -> String {
    try world.send(.to("/control/pushes?token=\(token)")).answer
  }
}

/// A request for approval, as its source knows it.
struct Pending {
  let id: String
  let token: String
}

/// A device that has signed in.
struct SignedIn {
  let phone: Phone
  let accessToken: String
  let refreshToken: String

  init(_ phone: Phone, _ answer: Fields) throws {
    self.phone = phone
    let credentials = try answer.object("credentials")
    accessToken = try credentials.string("accessToken")
    refreshToken = try credentials.string("refreshToken")
  }
}

/// A device with a key that follows from its name.
struct Phone {
  let name: String
  let key: P256PrivateKey

  init(_ name: String) {
    self.name = name
    var number = SHA256.hash(Array(name.utf8))
    number[0] &= 0x7F
    guard let key = P256PrivateKey(number: number) else { preconditionFailure("the number is in range") }
    self.key = key
  }

  var publicKey: String { Hex.encode(key.publicDER.suffix(64)) }
  var token: String { "sbx-fcm-\(name)" }

  var device: String {
    """
    {"publicKey":"\(publicKey)","pushToken":"\(token)","name":"\(name)","osName":"Android","osVersion":"14",\
    "deviceManufacturer":"Nord","deviceModel":"FJ3","lang":"fr-FR","type":"mobile"}
    """
  }

  var userKey: String { #"{"type":"device","publicKey":"\#(publicKey)","device":\#(device)}"# }

  /// The body of a request for approval.
  func request(_ user: String) -> String {
    #"{"request":{"method":"firebase","token":"sbx-user:\#(user)"},"userKey":\#(userKey)}"#
  }

  func sign(_ text: String) -> String { Hex.encode(key.deterministicRawSignature(of: Array(text.utf8))) }
}
