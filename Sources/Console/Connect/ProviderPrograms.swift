import Guides

/// The example programs of a provider's page in `Docs/Providers`: those that tests run, and those of SDKs
/// that are not available.
struct ProviderPrograms {
  struct Program {
    let language: ProgramLanguage
    /// How the program reaches the sandbox, and how tests run it: `serve`, `run`, `isolated`, `syntax`.
    private let ways: [String]
    /// `{{NAME}}` stands for the value of a variable of `ringfence env`.
    private let text: String

    /// `values` are those in the page, which are replaced. Nil if only readers of the page need the program.
    fileprivate init?(_ program: Guide.Program, _ values: [(name: String, value: String)]) {
      guard let language = ProgramLanguage(fence: program.language),
        !program.ways.isEmpty || language == .csharp
      else { return nil }
      self.language = language
      ways = program.ways
      text = values.reduce(program.text) { $0.replacing($1.value, with: "{{\($1.name)}}") }
    }

    /// The program with the values of a sandbox; a name without a value stays.
    func text(with values: [String: String]) -> String {
      values.reduce(text) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    /// True if the program itself names the address of the sandbox.
    var namesSandbox: Bool { text.contains("{{RINGFENCE_URL}}") }

    var reach: String {
      let means =
        namesSandbox
        ? "with the address of this sandbox"
        : "unchanged, under ringfence run" + (ways.contains("run") ? "" : " --isolated")
      return isWithSDK ? "with its SDK, \(means)" : means
    }

    /// True for the SDKs that the project cannot run: tests check the syntax of such a program only.
    private var isWithSDK: Bool { ways == ["syntax"] }

    /// True for a program that checks a code which another one has sent.
    fileprivate var isCheck: Bool { ways == ["check"] }
  }

  let provider: String
  /// The provider's name as the provider writes it.
  let title: String
  /// Those that name the address of the sandbox come first.
  let programs: [Program]
  /// The one that checks a code; nil if the provider's page has none.
  let check: Program?

  private init(_ page: Guide) {
    provider = page.name.lowercased()
    title = page.name
    let credentials = page.values.filter { !$0.value.hasPrefix("http") }
    // One value can begin with another.
    let values = (credentials + [("RINGFENCE_URL", "http://127.0.0.1:5550")])
      .sorted { $0.value.count > $1.value.count }
    var programs = page.programs.compactMap { Program($0, values) }
    check = programs.first(where: \.isCheck)
    programs.removeAll(where: \.isCheck)
    self.programs = programs.filter(\.namesSandbox) + programs.filter { !$0.namesSandbox }
  }

  /// Those of all pages. Providers with programs in many languages come first.
  static let all = Guide.providers.map(ProviderPrograms.init)
    .sorted { ($0.programs.count, $1.title) > ($1.programs.count, $0.title) }
}
