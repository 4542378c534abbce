import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

/// Entities, factors and challenges of the seeded Service.
extension TwilioWorld {
  static let identity = "user-00000001"
  static let accessTokens = "\(services)/\(service)/AccessTokens"
  static let entities = "\(services)/\(service)/Entities"
  static let entity = "\(entities)/\(identity)"
  static let factors = "\(entity)/Factors"
  static let challenges = "\(entity)/Challenges"
  /// Base32; its code at the start of the clock is `totpCode`.
  static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  /// A key of the contract. Source: contract 19.2
  static let publicKey = """
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWW5aEv82MvoOPVvr59t7s1s8JL8gSaGzJ1QpOO06kbpw+hNLZT7OUeBqNxHqwaDmIUp93jDq569DOmWJ\
    evkT/Q==
    """

  /// A code of `secret`; `steps` from the start of the clock. Written without the code of the provider.
  static func totpCode(_ steps: Int = 0) -> String {
    let counter = 1_767_608_430 / 30 + steps
    let message = (0..<8).reversed().map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
    let hash = HMAC.authenticate(message, key: Array("12345678901234567890".utf8), .sha1)
    let offset = Int(hash[19] & 15)
    let number = (0..<4).reduce(0) { $0 << 8 | Int(hash[offset + $1]) } & 0x7FFF_FFFF
    return String(String(number % 1_000_000 + 1_000_000).dropFirst())
  }

  /// The text of a member, wherever it is first in the answer.
  static func text(_ name: String, in answer: String) throws -> String {
    let start = try #require(answer.firstRange(of: "\"\(name)\":\"")).upperBound
    return String(answer[start...].prefix { $0 != "\"" })
  }

  static func status(_ answer: String) -> Int { Int(answer.prefix(3)) ?? 0 }

  func createTOTP(_ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    try post(
      Self.factors,
      pairs: [("FriendlyName", "Ana"), ("FactorType", "totp"), ("Binding.Secret", Self.secret)]
        + more.map { ($0.key, $0.value) })
  }

  func createPush(
    key: String = publicKey, token: String? = nil, platform: String = "fcm",
    as credentials: Headers = credentials
  ) throws -> Exchange {
    var pairs = [
      ("FriendlyName", "Ana's phone"), ("FactorType", "push"), ("Binding.PublicKey", key),
      ("Config.AppId", "com.example.app"), ("Config.SdkVersion", "3.0.2"),
      ("Config.NotificationPlatform", token == nil ? "none" : platform),
    ]
    if let token { pairs.append(("Config.NotificationToken", token)) }
    return try post(Self.factors, pairs: pairs, as: credentials)
  }

  /// The SID of a verified TOTP factor.
  func verifiedTOTP() throws -> String {
    let sid = try Self.text("sid", in: createTOTP().answer)
    let answer = try post("\(Self.factors)/\(sid)", ["AuthPayload": Self.totpCode()]).answer
    try #require(answer.contains(#""status":"verified""#))
    return sid
  }

  func challenge(_ factor: String, _ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    try post(Self.challenges, pairs: [("FactorSid", factor)] + more.map { ($0.key, $0.value) })
  }
}

/// A phone with a key of its own, as a mobile SDK signs.
struct TestPhone {
  let key: P256PrivateKey
  let twilio: TwilioWorld
  var factor = ""
  var credential = ""

  init(_ number: UInt8, _ twilio: TwilioWorld) throws {
    key = try #require(P256PrivateKey(number: [UInt8](repeating: number, count: 32)))
    self.twilio = twilio
  }

  var publicKey: String { Base64.encode(key.publicDER) }

  /// A phone with a verified factor.
  static func enrolled(_ number: UInt8, _ twilio: TwilioWorld, token: String? = nil) throws -> TestPhone {
    var phone = try TestPhone(number, twilio)
    let answer = try twilio.createPush(key: phone.publicKey, token: token).answer
    phone.factor = try TwilioWorld.text("sid", in: answer)
    phone.credential = try TwilioWorld.text("credential_sid", in: answer)
    let verified = try phone.verify().answer
    try #require(verified.hasPrefix("200") && verified.contains(#""status":"verified""#), "\(verified)")
    return phone
  }

  func verify() throws -> Exchange {
    let payload = Base64.encode(key.signature(of: Array(factor.utf8)))
    return try twilio.post("\(TwilioWorld.factors)/\(factor)", ["AuthPayload": payload], as: signedIn())
  }

  /// The header of the device. Times are seconds after the start of the clock.
  func signedIn(
    from start: Int = 0, to end: Int = 600, sub: String = TwilioWorld.account, kid: String? = nil
  ) -> Headers {
    let header = #"{"cty":"twilio-pba;v=1","kid":"\#(kid ?? credential)","typ":"JWT","alg":"ES256"}"#
    let now = 1_767_608_430
    return Request.basic(
      "token", token(header, #"{"sub":"\#(sub)","exp":\#(now + end),"nbf":\#(now + start)}"#))
  }

  /// An answer to a challenge, over the members of the header Twilio-Verify-Signature-Fields.
  func answer(
    _ status: String, to challenge: String, changing member: String? = nil, leavingOut left: String? = nil
  ) throws -> String {
    let path = "\(TwilioWorld.challenges)/\(challenge)"
    let exchange = try twilio.get(path)
    let body = try JSON(parsing: Array(exchange.answer.dropFirst(4).utf8))
    let names = (exchange.headers["Twilio-Verify-Signature-Fields"] ?? "sid,factor_sid").split(separator: ",")
      .map(String.init)
    let members = names.filter { $0 != "status" && $0 != left }.map { name in
      JSON.Member(name: name, value: name == member ? .string("other") : body[name] ?? .null)
    }
    let claims = JSON.object([.init(name: "status", value: .string(status))] + members.reversed())
    return token(#"{"typ":"JWT","alg":"ES256"}"#, String(decoding: claims.encoded(), as: UTF8.self))
  }

  func respond(_ payload: String, to challenge: String) throws -> Exchange {
    try twilio.post("\(TwilioWorld.challenges)/\(challenge)", ["AuthPayload": payload], as: signedIn())
  }

  func token(_ header: String, _ claims: String) -> String {
    func part(_ bytes: [UInt8]) -> String { Base64.encodeForURL(bytes) }
    let signed = "\(part(Array(header.utf8))).\(part(Array(claims.utf8)))"
    return "\(signed).\(part(key.rawSignature(of: Array(signed.utf8))))"
  }
}
