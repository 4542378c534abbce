import Domain
import JSON
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

  static let schema = Schema<PushConfig>(
    nil, "The app of a push factor.",
    [
      .required("publicKey", \.publicKey, .string, "SubjectPublicKeyInfo in base64."),
      .required("credential", \.credential, .string, "The key's id in the device's tokens."),
      .required("app", \.app, .string, "The app's id."),
      .required("sdkVersion", \.sdkVersion, .string, "The SDK's version."),
      .required("platform", \.platform, .word, "The service that delivers pushes."),
      .optional("token", \.token, .string, "The push token."),
      .optional("device", \.device, .integer, "The ordinal of the device."),
    ])
}
