import JSON

/// An error with the commands that produce it in a sandbox.
package struct ErrorPage: Sendable {
  package let error: DocumentedError
  /// Nil if a request has to be signed by a device.
  package let commands: String?
}

extension SeedLibrary {
  /// The errors of one provider, or of all; with a code, those with this code. Each call returns some of
  /// them, nil after the last ones. Throws for unknown names. `base` is the sandbox's URL.
  package func documentedErrors(
    of provider: String?, code: String?, in sandbox: Sandbox, at base: String
  ) throws -> () throws -> [ErrorPage]? {
    try names.validate(provider: provider, code: code)
    var providers = names.filter { provider == nil || provider == $0.provider }[...]
    var script = CheckScript(base: base, credentials: [:])
    var errors: ArraySlice<DocumentedError> = []
    return {
      if errors.isEmpty {
        guard let next = providers.popFirst() else { return nil }
        let credentials = try sections.first { $0.name == next.provider }?.credentials(of: sandbox) ?? []
        script = CheckScript(
          base: base,
          credentials: Dictionary(credentials.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        errors = try documentedErrors(of: next).filter { code == nil || code == $0.row.code }[...]
        return []
      }
      return errors.popFirst().map { [ErrorPage(error: $0, commands: script.text(of: $0))] }
    }
  }

  /// The errors of a provider whose texts have a word.
  package func documentedErrors(of provider: String, about word: String) throws -> [DocumentedError] {
    guard let names = names.first(where: { $0.provider == provider }) else { return [] }
    return try documentedErrors(of: names).filter { $0.row.text.contains(word) }
  }

  /// Read once, because they never change.
  private func documentedErrors(of names: RouteNames) throws -> [DocumentedError] {
    if let known = readErrors.byProvider[names.provider] { return known }
    let errors = try names.documentedErrors()
    readErrors.byProvider[names.provider] = errors
    return errors
  }
}

/// The errors of those providers for which somebody has asked. A class, because the library is a value.
final class ReadErrors {
  fileprivate var byProvider: [String: [DocumentedError]] = [:]
}
