import Crypto
import ProviderKit

/// The parameters of a factor's creation or change. Source: contract 9.2.
struct FactorForm {
  static let parameters = [
    "FriendlyName", "FactorType", "Binding.Alg", "Binding.PublicKey", "Binding.Secret", "Config.AppId",
    "Config.NotificationPlatform", "Config.NotificationToken", "Config.SdkVersion", "Config.TimeStep",
    "Config.Skew", "Config.CodeLength", "Config.Alg", "Metadata", "AuthPayload",
  ]

  let form: Form
  let settings: Settings

  init(_ context: RequestContext) throws {
    form = try context.request.form
    settings = context.settings
    form.declare(Self.parameters)
  }

  /// 1 to 64 characters; nil if it is absent.
  func friendlyName() throws(APIError) -> String? {
    try text("FriendlyName", 1...64)
  }

  /// A type that this operation creates: 60369 for passkeys, which have operations of their own. Source:
  /// contract 12.
  func kind() throws(APIError) -> Factor.Kind {
    guard let text = form.text("FactorType") else { throw .missingParameter("FactorType") }
    guard let kind = Factor.Kind(rawValue: text) else {
      throw .invalidFactorParameter("FactorType", expected: "push or totp")
    }
    guard kind != .passkeys else {
      throw APIError(code: 60369).because("FactorType: expected push or totp; passkeys use /Passkeys/Factors")
    }
    return kind
  }

  /// An object with texts, at most 1,024 characters; nil if it is absent.
  func texts(_ name: String) throws(APIError) -> JSON? {
    try Self.texts(name, in: form)
  }

  static func texts(_ name: String, in form: Form) throws(APIError) -> JSON? {
    guard let text = form.text(name) else { return nil }
    guard text.count <= 1024, let json = try? JSON(parsing: Array(text.utf8)),
      case .object(let members) = json,
      members.allSatisfy({ if case .string = $0.value { true } else { false } })
    else {
      throw .invalidFactorParameter(
        name, expected: "a JSON object with texts as values, at most 1024 characters")
    }
    return json
  }

  /// The app of a new push factor. `credential` and `device` are set when the factor is stored.
  func newPush() throws(APIError) -> PushConfig {
    var push = PushConfig()
    guard form.text("Binding.Alg") ?? "ES256" == "ES256" else {
      throw APIError(code: 60314).because("Binding.Alg: expected ES256")
    }
    guard let key = form.text("Binding.PublicKey"), let der = Base64.decode(key),
      P256PublicKey(der: der) != nil
    else {
      throw APIError(code: 60314).because(
        "Binding.PublicKey: expected the SubjectPublicKeyInfo of a P-256 key in DER and base64")
    }
    push.publicKey = key
    guard let app = try text("Config.AppId", 1...100) else { throw .missingParameter("Config.AppId") }
    push.app = app
    guard form.text("Config.SdkVersion") != nil else { throw .missingParameter("Config.SdkVersion") }
    guard form.text("Config.NotificationPlatform") != nil else {
      throw .missingParameter("Config.NotificationPlatform")
    }
    try change(&push)
    return push
  }

  /// True for a form that says where an app gets its pushes.
  var namesPushToken: Bool {
    form.text("Config.NotificationPlatform") != nil || form.text("Config.NotificationToken") != nil
  }

  /// Sets what the form has of an app.
  func change(_ push: inout PushConfig) throws(APIError) {
    if let version = try text("Config.SdkVersion", 1...64) { push.sdkVersion = version }
    if let word = form.text("Config.NotificationPlatform") {
      guard let platform = PushConfig.Platform(rawValue: word) else {
        throw .invalidFactorParameter("Config.NotificationPlatform", expected: "apn, fcm or none")
      }
      push.platform = platform
    }
    let token = try text("Config.NotificationToken", settings.strictPushTokenLength ? 32...255 : 1...255)
    push.token = push.platform == .none ? nil : token ?? push.token
    guard push.platform == .none || push.token != nil else {
      throw .missingParameter("Config.NotificationToken")
    }
  }

  /// A new TOTP factor's generator, except for a secret that the form does not have.
  func newTOTP(for service: Service) throws(APIError) -> TOTPConfig {
    var totp = TOTPConfig()
    totp.timeStep = service.totpTimeStep ?? totp.timeStep
    totp.skew = service.totpSkew ?? totp.skew
    totp.codeLength = service.totpCodeLength ?? totp.codeLength
    if let secret = form.text("Binding.Secret") {
      guard secret.utf8.count <= 256, let bytes = Base32.decode(secret), !bytes.isEmpty else {
        throw APIError(code: 60314).because("Binding.Secret: expected Base32, at most 256 characters")
      }
      totp.secret = secret
    }
    try change(&totp)
    return totp
  }

  /// Sets what the form has of a generator.
  func change(_ totp: inout TOTPConfig) throws(APIError) {
    let timeStep = try number("Config.TimeStep", TOTPConfig.timeSteps) ?? totp.timeStep
    if timeStep != totp.timeStep { totp.usedCounters = [] }
    totp.timeStep = timeStep
    totp.skew = try number("Config.Skew", TOTPConfig.skews) ?? totp.skew
    totp.codeLength = try number("Config.CodeLength", TOTPConfig.codeLengths) ?? totp.codeLength
    if let word = form.text("Config.Alg") {
      guard let algorithm = TOTPConfig.Algorithm(rawValue: word) else {
        throw .invalidFactorParameter("Config.Alg", expected: "sha1, sha256 or sha512")
      }
      totp.algorithm = algorithm
    }
  }

  private func text(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String? {
    guard let text = form.text(name) else { return nil }
    guard length.contains(text.count) else {
      throw .invalidFactorParameter(
        name, expected: "\(length.lowerBound) to \(length.upperBound) characters")
    }
    return text
  }

  private func number(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = form.text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .invalidFactorParameter(
        name, expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension APIError {
  /// 60300 for a parameter that is absent. Source: contract 20.
  static func missingParameter(_ name: String) -> APIError {
    APIError(code: 60300, message: "Missing required parameter \(name) in the post body")
      .because("\(name): missing")
  }
}
