/// An app that has registered itself on a handset: with a key of its own, and a token under which pushes reach it.
package struct Device: Equatable, Sendable {
  /// What the handset runs.
  package enum Platform: String, CaseIterable, Sendable {
    /// Android.
    case android
    /// iOS.
    case ios
  }

  /// How a registration came to its end.
  package enum Ending: String, Sendable {
    /// The same app registered anew.
    case replaced
    /// It was taken off the handset.
    case removed
  }

  /// What is said of an app that registers.
  package struct Draft: Equatable, Sendable {
    /// The provider it registers with.
    package let provider: String
    /// The phone number of its handset, or whatever else its provider knows the person by.
    package let holder: String
    /// The app's own name, such as `com.example.app:1.2.0`.
    package let app: String
    /// The provider's id of what it registers by; empty: the control API registers it.
    package var reference = ""
    /// Where pushes to it go; nil: it gets none.
    package var pushToken: String?
    /// What the handset runs.
    package var platform = Platform.android
    /// The public key of an app that keeps its private one: SubjectPublicKeyInfo in base64. Nil: the core makes a
    /// pair for it.
    package var publicKey: String?
    /// What its token is worth to whoever pushes; nil, before it is registered: what the token's name says.
    package var tokenState: TokenState?
    /// Whether pushes reach it now.
    package var isOnline = true

    /// A registration of an app.
    package init(provider: String, holder: String, app: String) {
      self.provider = provider
      self.holder = holder
      self.app = app
    }
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// What was said of it, its public key included.
  package internal(set) var draft: Draft
  /// The private key, PKCS #8 in PEM, where the core keeps it.
  package let privateKey: String?
  /// When it registered.
  package let registeredAt: Timestamp
  /// Whether and how it ended, and when.
  package var end: (ending: Ending, at: Timestamp)? {
    ending.flatMap { ending in endedAt.map { (ending, $0) } }
  }
  var ending: Ending?
  var endedAt: Timestamp?

  /// The public key: SubjectPublicKeyInfo in base64.
  package var publicKey: String { draft.publicKey ?? "" }

  /// What its token is worth to whoever pushes.
  package var tokenState: TokenState { draft.tokenState ?? .ok }
}
