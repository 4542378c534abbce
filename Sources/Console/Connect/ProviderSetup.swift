import Domain
import Markup
import ProviderKit

/// The setup of one provider's clients: its variables, and a program in each language.
struct ProviderSetup {
  private let programs: ProviderPrograms
  private let variables: [ProviderVariable]
  private let url: String

  init(
    _ programs: ProviderPrograms, of provider: any Provider.Type, in sandbox: Sandbox, at url: String
  ) throws {
    self.programs = programs
    self.url = url
    variables = try ProviderVariable.all(of: provider, in: sandbox, at: url)
  }

  var html: HTML {
    section(.class("card"), .id("setup-\(programs.provider)")) {
      h2 { programs.title }
      if !variables.isEmpty {
        CopyableCode(variables.map { "export \($0.name)=\($0.value.shellQuoted)" }.joined(separator: "\n"))
          .html
      }
      for program in programs.programs { html(of: program) }
    }
  }

  private func html(of program: ProviderPrograms.Program) -> HTML {
    let values = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
      .merging(["RINGFENCE_URL": url]) { $1 }
    return details(.class("program")) {
      summary {
        strong { program.languageName }
        span(.class("reach")) { " \(program.reach)" }
      }
      CopyableCode(program.text(with: values)).html
    }
  }
}

/// An environment variable with its value for one sandbox.
struct ProviderVariable {
  let name: String
  let value: String

  /// Those that `ringfence env` prints, except the paths of files, which it writes.
  static func all(
    of provider: any Provider.Type, in sandbox: Sandbox, at url: String
  ) throws -> [ProviderVariable] {
    let credentials = try provider.credentials(of: sandbox)
    return provider.variables.filter { !$0.isForExamples }.compactMap { variable in
      switch variable.content {
      case .baseURL: ProviderVariable(name: variable.name, value: url)
      case .credential(let name):
        credentials.first { $0.name == name }.map { ProviderVariable(name: variable.name, value: $0.value) }
      case .fileOf, .authorities, .phoneNumber: nil
      }
    }
  }
}

extension ProviderPrograms.Program {
  /// The language as people write it.
  fileprivate var languageName: String {
    switch language {
    case "sh": "Shell"
    case "js": "Node"
    case "php": "PHP"
    case "csharp": "C#"
    default: language.prefix(1).uppercased() + language.dropFirst()
    }
  }

  /// How the program reaches the sandbox.
  fileprivate var reach: String {
    if namesSandbox { return "with the address of this sandbox" }
    return ways == ["isolated"]
      ? "unchanged, under ringfence run --isolated" : "unchanged, with the variables and the proxy above"
  }
}
