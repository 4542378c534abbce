import Markup
import ProviderKit

/// The setup of one provider's clients: its variables, and a program in each language.
struct ProviderSetup {
  private let programs: ProviderPrograms
  private let variables: [ProviderVariable]
  /// Of the names in programs.
  private let values: [String: String]
  private let hosts: [String]
  private let reach: ProviderReach
  private let check: CodeCheck?
  /// Plays an app of the provider.
  let page: ConsolePage?

  init(
    _ programs: ProviderPrograms, of provider: any Provider.Type, in sandbox: Sandbox, at url: String,
    _ reach: ProviderReach
  ) throws {
    self.programs = programs
    self.reach = reach
    hosts = provider.hosts
    page = provider.consolePage
    variables = try ProviderVariable.all(of: provider, in: sandbox, at: url)
    values = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
      .merging(["RINGFENCE_URL": url]) { $1 }
    check = try CodeCheck(programs.check, of: provider.name, in: sandbox, with: values)
  }

  var provider: String { programs.provider }

  func html(in language: ProgramLanguage, _ shell: Shell) -> HTML {
    let own = programs.programs.filter { $0.language == language }
    return section(.class("card"), .id("setup-\(provider)")) {
      h2 { programs.title }
      reach.html(programs.title, hosts: hosts)
      if !variables.isEmpty { CopyableCode(ShellExports(variables, for: shell).text).html }
      if own.isEmpty {
        p(.class("help")) { "No program in \(language.title). There are some in \(otherLanguages)." }
      }
      for (place, program) in own.enumerated() {
        // The first that reaches this sandbox is open.
        html(of: program, shell, isOpen: place == 0 && program.namesSandbox)
      }
      if let check { check.html(in: shell) }
    }
  }

  private var otherLanguages: String {
    let present = Set(programs.programs.map(\.language))
    return ProgramLanguage.allCases.filter(present.contains).map(\.title).joined(separator: ", ")
  }

  private func html(of program: ProviderPrograms.Program, _ shell: Shell, isOpen: Bool) -> HTML {
    let text = program.text(with: values)
    return details(.class("program"), .init(flag: "open", isOpen)) {
      summary {
        strong { program.language.title }
        span(.class("reach")) { " \(program.reach)" }
      }
      if program.language == .curl { ShellCommands([text], for: shell).html } else { CopyableCode(text).html }
    }
  }
}

/// Lines for a shell that set variables.
struct ShellExports {
  let text: String

  init(_ variables: [ProviderVariable], for shell: Shell) {
    text = variables.compactMap { shell.line(setting: $0.name, to: $0.value) }.joined(separator: "\n")
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
