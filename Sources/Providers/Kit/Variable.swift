/// An environment variable in which a vendor's SDKs, or their documentation, look for something.
package struct Variable: Sendable {
  /// What the variable holds.
  package enum Content: Sendable {
    /// A credential, by the name that the control API has for it.
    case credential(String)
    /// The path of a file that holds a credential.
    case fileOf(credential: String)
    /// Scheme and authority of where the vendor's routes are.
    case baseURL
    /// The path of a PEM file with the authorities to trust.
    case authorities
  }

  /// The variable's name, such as `TWILIO_AUTH_TOKEN`.
  package let name: String
  /// What it holds.
  package let content: Content

  /// A variable that holds this.
  package init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}
