import JSON

/// An error with the commands that produce it in a sandbox.
package struct ErrorPage: Sendable {
  package let error: DocumentedError
  /// Nil if a request has to be signed by a device.
  package let commands: String?
}

extension SeedLibrary {
  /// The errors of one provider, or of all; with a code, those with this code. Throws for unknown names.
  /// `base` is the sandbox's URL.
  package func documentedErrors(
    of provider: String?, code: String?, in sandbox: Sandbox, at base: String
  ) throws -> [ErrorPage] {
    try names.validate(provider: provider, code: code)
    return try names.filter { provider == nil || provider == $0.provider }.flatMap { names in
      let credentials = try sections.first { $0.name == names.provider }?.credentials(sandbox) ?? []
      let script = ErrorScript(
        base: base,
        credentials: Dictionary(credentials.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
      return try names.documentedErrors().filter { code == nil || code == $0.row.code }.map {
        ErrorPage(error: $0, commands: script.text(of: $0))
      }
    }
  }
}
