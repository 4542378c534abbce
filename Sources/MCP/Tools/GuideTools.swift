import Control
import Domain
import Guides
import JSON
import ProviderKit

/// What there is to read: many clients show agents no resources.
extension ToolMaker {
  /// Its path, or its name alone.
  private static let page = FieldType<Guide>.text(
    .words(paths), expected: "one of \(paths.joined(separator: ", "))",
    meant: { (paths + Guide.all.map { $0.name.lowercased() }).nearest(to: $0) }, parse: { Guide.named($0) },
    format: { $0.path })

  private static let paths = Guide.all.map { $0.path.lowercased() }

  func guideTools(_ providers: [any Provider.Type], _ sandboxes: Sandboxes) -> [Tool] {
    [
      Tool(
        "read_guide", "Read a page of the documentation", .reads,
        """
        Read a page of the documentation, with URL and keys of the sandbox: how an app uses a provider and what is \
        emulated (such as providers/twilio), numbers with built-in behaviour (carrier), failures, webhooks, and recipes \
        for tests in a language (such as recipes/python). Of a long page the beginning, and the names of its sections.
        """,
        [
          .init("page", Self.page.schema, "The name of the page.", .required),
          .init("section", .string(), "A section of the page, by its heading, or all."),
        ]
      ) { arguments, calls in
        let page = try GuidePage(arguments.value("page", Self.page))
        let text = try page.text(of: arguments.optionalString("section"))
        guard let sandbox = sandboxes[calls.sandbox] else { return .now(.text(200, text)) }
        return .now(.text(200, try GuidePage.filled(text, providers, in: sandbox, calls)))
      },
      tool(
        "list_errors", "List the errors of a provider", .reads,
        """
        List the errors of a provider by code, status and text. With a code, say how that error comes about, with \
        commands that produce it in the sandbox.
        """,
        operation: "listErrors", only: ["provider", "code"],
        naming: [
          "provider": provider("The provider.", .required),
          "code": .init("code", .string(), "An error code of the provider, such as 60202. By default all."),
        ], present: { $0.with(Self.shortErrors) }),
      tool(
        "describe_operation", "Describe an operation of the control API", .reads,
        """
        Describe an operation of the control API as an OpenAPI document, for what no tool here does; requests go to \
        baseUrl with the operation's path. By default list the names of all operations.
        """,
        operation: "fetchOpenAPI", only: ["operation"],
        naming: ["operation": .init("operation", .string(), "The operation's name, such as setClock.")],
        adding: [
          .init(
            "contains", .string(), "Without operation: only those with this word.")
        ],
        fixed: [("operation", "list")], shorten: Self.selected),
    ]
  }

  /// The operations of a list that have a word.
  private static func selected(_ answer: JSON, _ arguments: Fields) throws -> JSON {
    guard let word = try arguments.optionalString("contains")?.lowercased() else { return answer }
    if arguments.has("operation") {
      throw FieldError(path: "$.contains", expected: "none with operation", found: .string(word))
    }
    let found = (answer["operations"]?.items ?? []).filter { entry in
      ["name", "path", "summary"].contains { entry[$0]?.text?.lowercased().contains(word) ?? false }
    }
    return .object([.init(name: "operations", value: .array(found))])
  }

  /// How to produce each is only in a list of one code, which some formats have more than once.
  private static func shortErrors(_ answer: JSON) -> JSON {
    let errors = answer["errors"]?.items ?? []
    guard Set(errors.map { $0["code"]?.text }).count > 1 else { return answer }
    return .object([
      .init(
        name: "errors",
        value: .array(
          errors.map { error in present(["code", "status", "text"].map { ($0, error[$0]) }) }))
    ])
  }
}
