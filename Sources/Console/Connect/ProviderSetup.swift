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

  var provider: String { programs.provider }

  func html(in language: ProgramLanguage) -> HTML {
    let own = programs.programs.filter { $0.language == language }
    return section(.class("card"), .id("setup-\(provider)")) {
      h2 { programs.title }
      if !variables.isEmpty { CopyableCode(ShellExports(variables).text).html }
      if own.isEmpty {
        p(.class("help")) { "No program in \(language.title). There are some in \(otherLanguages)." }
      }
      for (place, program) in own.enumerated() {
        // The first that reaches this sandbox is open.
        html(of: program, isOpen: place == 0 && program.namesSandbox)
      }
    }
  }

  private var otherLanguages: String {
    let present = Set(programs.programs.map(\.language))
    return ProgramLanguage.allCases.filter(present.contains).map(\.title).joined(separator: ", ")
  }

  private func html(of program: ProviderPrograms.Program, isOpen: Bool) -> HTML {
    let values = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
      .merging(["RINGFENCE_URL": url]) { $1 }
    return details(.class("program"), .init(flag: "open", isOpen)) {
      summary {
        strong { program.language.title }
        span(.class("reach")) { " \(program.reach)" }
      }
      CopyableCode(program.text(with: values)).html
    }
  }
}

/// Lines for a shell that set variables.
struct ShellExports {
  let text: String

  init(_ variables: [ProviderVariable]) {
    text = variables.map { "export \($0.name)=\($0.value.shellQuoted)" }.joined(separator: "\n")
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
