import JSON

/// The example programs of a provider's page in `Docs/Providers`, from the generated file `Snippets.json`.
struct ProviderPrograms {
  /// One program in one language.
  struct Program {
    let language: ProgramLanguage
    /// How the program reaches the sandbox, and how tests run it: `serve`, `run`, `isolated`, `syntax`.
    private let ways: [String]
    /// `{{NAME}}` stands for the value of a variable of `ringfence env`.
    private let text: String

    init(_ fields: Fields) throws(FieldError) {
      guard let language = ProgramLanguage(fence: try fields.string("language")) else {
        throw fields.mismatch("language", expected: "a language of ProgramLanguage")
      }
      self.language = language
      ways = try fields.strings("ways")
      text = try fields.string("text")
    }

    /// The program with the values of a sandbox; a name without a value stays.
    func text(with values: [String: String]) -> String {
      values.reduce(text) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    /// True if the program itself names the address of the sandbox.
    var namesSandbox: Bool { text.contains("{{RINGFENCE_URL}}") }

    /// How the program reaches the sandbox.
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

  private init(_ fields: Fields) throws(FieldError) {
    provider = try fields.string("provider")
    title = try fields.string("title")
    var programs: [Program] = []
    for program in try fields.objects("programs") { programs.append(try Program(program)) }
    check = programs.first(where: \.isCheck)
    programs.removeAll(where: \.isCheck)
    self.programs = programs.filter(\.namesSandbox) + programs.filter { !$0.namesSandbox }
  }

  /// Those of all pages. Providers with programs in many languages come first.
  static func all() throws -> [ProviderPrograms] { try parsed.get() }

  /// Once, because every page has titles of providers.
  private static let parsed = Result { try parse() }

  private static func parse() throws -> [ProviderPrograms] {
    guard case .array(let pages) = try JSON(parsing: PackageResources.Snippets_json) else { return [] }
    return try pages.map { try ProviderPrograms(Fields($0.encoded())) }
      .sorted { ($0.programs.count, $1.title) > ($1.programs.count, $0.title) }
  }
}
