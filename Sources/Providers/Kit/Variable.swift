/// An environment variable that a provider's SDKs or documentation use.
package struct Variable: Sendable {
  package enum Content: Sendable {
    /// A credential, by its name in the control API.
    case credential(String)
    /// The path of a file with a credential. `type` is the file's extension, which some SDKs look at.
    case fileOf(credential: String, type: String)
    /// Scheme and authority of the provider's API.
    case baseURL
    /// The path of a PEM file with trusted certificate authorities.
    case authorities
    /// A phone number for trying things out, without a plus sign.
    case phoneNumber
  }

  package let name: String
  package let content: Content
  /// True for a common name that only the provider's examples read. `run` sets it for its command, `env` does
  /// not print it: in a shell it could replace another program's variable.
  package let isForExamples: Bool

  package init(_ name: String, _ content: Content, isForExamples: Bool = false) {
    self.name = name
    self.content = content
    self.isForExamples = isForExamples
  }
}
