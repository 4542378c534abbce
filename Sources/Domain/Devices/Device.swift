package import Basics

/// An app that is registered on a handset, with a key and a push token of its own.
package struct Device: Equatable, Sendable {
  package enum Platform: String, CaseIterable, Sendable {
    case android
    case ios
  }

  /// Why a registration ended.
  package enum Ending: String, Sendable {
    /// The same app registered again.
    case replaced
    /// The app was removed from the handset.
    case removed
  }

  /// The data of a registration.
  package struct Draft: Equatable, Sendable {
    package let provider: String
    /// The phone number of the handset, or another id of the person at the provider.
    package let holder: String
    /// The app's own name, such as `com.example.app:1.2.0`.
    package let app: String
    /// The provider's id of the registration; empty for one by the control API.
    package var reference = ""
    /// Nil: the app gets no pushes.
    package var pushToken: String?
    /// The app's token at Apple's gateway; nil on Android. Nil before the registration: the sandbox generates
    /// one.
    package var apnsToken: String?
    package var platform = Platform.android
    /// The public key of an app that keeps its private key: SubjectPublicKeyInfo in base64. Nil: the sandbox
    /// generates a pair.
    package var publicKey: String?
    /// Nil before the registration: the token's name decides.
    package var tokenState: TokenState?
    /// False if the handset is offline.
    package var isOnline = true
    package var handset = HandsetState()

    package init(provider: String, holder: String, app: String) {
      self.provider = provider
      self.holder = holder
      self.app = app
    }

    /// True for either of its tokens.
    package func has(_ token: String) -> Bool { token == pushToken || token == apnsToken }
  }

  package let ordinal: Int
  /// The registration, with its public key.
  package internal(set) var draft: Draft
  /// The private key, PKCS #8 in PEM, where the sandbox generated the pair.
  package internal(set) var privateKey: String?
  package let registeredAt: Timestamp
  /// When the state of its tokens was set.
  package internal(set) var stateSince: Timestamp
  /// Nil while the app is registered.
  package var end: (ending: Ending, at: Timestamp)? {
    ending.flatMap { ending in endedAt.map { (ending, $0) } }
  }
  var ending: Ending?
  var endedAt: Timestamp?

  /// The public key: SubjectPublicKeyInfo in base64.
  package var publicKey: String { draft.publicKey ?? "" }

  /// True for either of its tokens.
  package func has(_ token: String) -> Bool { draft.has(token) }

  package var tokenState: TokenState {
    draft.handset.condition == .appDeleted ? .unregistered : draft.tokenState ?? .ok
  }

  /// True if pushes reach the app now.
  var receivesPushes: Bool { draft.isOnline && draft.handset.condition != .batteryEmpty }

  /// Why the app cannot send an answer now; nil if it can.
  func obstacle(to answer: Challenge.Answer) -> String? {
    draft.handset.obstacle(to: answer) ?? (draft.isOnline ? nil : "the handset is offline")
  }
}
