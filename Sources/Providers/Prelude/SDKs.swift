package import ProviderKit

extension PreludeProvider {
  /// Every SDK reads the same variable. Source: contract 1.3.
  package static let sdks = [
    ("python", SDK.Language.python), ("node", .node), ("go", .go), ("java", .java), ("ruby", .ruby),
    ("php", .php), ("csharp", .dotnet),
  ].map { SDK("prelude-\($0)", $1, baseURL: "PRELUDE_BASE_URL=$URL") }
}
