package import ProviderKit

/// How clients of a provider use a sandbox: what the page Connect shows, for programs.
package struct ProviderExamples {
  /// The provider's name as the provider writes it.
  package let title: String
  /// Environment variables, with their values for the sandbox.
  package let variables: [(name: String, value: String)]
  /// Commands for a POSIX shell with an app's first request; nil if the provider's page has none.
  package let first: String?
  /// Commands that check a code, with a placeholder for it; nil if the provider's page has none.
  package let check: String?

  /// `url` is the sandbox's.
  package init(of provider: any Provider.Type, in sandbox: Sandbox, at url: String) throws {
    let variables = try ProviderVariable.all(of: provider, in: sandbox, at: url)
    let values = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
      .merging(["RINGFENCE_URL": url]) { $1 }
    let programs = ProviderPrograms.all.first { $0.provider == provider.name }
    title = ProviderMark.title(of: provider.name)
    self.variables = variables.map { ($0.name, $0.value) }
    first = programs?.programs.first { $0.language == .curl && $0.namesSandbox }?.text(with: values)
    check = programs?.check.flatMap { ShellScript($0.text(with: values)) }.flatMap { script in
      script.with(script.constants.merging(["CODE": CodeCheck.placeholder]) { $1 }).text(for: .sh)
    }
  }
}
