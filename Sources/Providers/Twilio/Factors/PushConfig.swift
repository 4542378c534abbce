import ProviderKit

/// The app of a push factor. Source: contract 9.2.
struct PushConfig: Equatable, Sendable {
  enum Platform: String, CaseIterable, Sendable {
    case apn, fcm
    /// The app gets no pushes, and polls.
    case none
  }

  /// SubjectPublicKeyInfo in base64.
  var publicKey = ""
  /// `credential_sid`: the key's id in the device's tokens. Every factor has its own. Source: contract 11.3.
  var credential = ""
  /// The app's bundle id or package name.
  var app = ""
  var sdkVersion = ""
  var platform = Platform.none
  var token: String?
  /// The ordinal of the device that has the token; nil for an app without pushes.
  var device: Int?

  static let schema = Schema<PushConfig>([
    .required("publicKey", \.publicKey, .string),
    .required("credential", \.credential, .string),
    .required("app", \.app, .string),
    .required("sdkVersion", \.sdkVersion, .string),
    .required("platform", \.platform, .word),
    .optional("token", \.token, .string),
    .optional("device", \.device, .ordinal),
  ])
}
