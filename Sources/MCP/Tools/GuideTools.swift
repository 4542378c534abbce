import Control
import Guides
import JSON

/// What there is to read: many clients show agents no resources.
extension ToolMaker {
  private static let page = FieldType<String>.oneOf(Guide.all.map { $0.path.lowercased() })

  var guideTools: [Tool] {
    [
      Tool(
        "read_guide", "Read a page of the documentation", .reads,
        """
        Read a page of the documentation: how an app uses a provider in the sandbox and what is emulated (such as \
        providers/twilio), numbers with built-in behaviour (carrier), failures, webhooks, and recipes for tests in a \
        language (such as recipes/python).
        """, [.init("page", Self.page.schema, "The name of the page.", .required)]
      ) { arguments, _ in
        let name = try arguments.value("page", Self.page)
        return .now(.text(200, Guide.named(name)?.text ?? ""))
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
        fixed: [("operation", "list")]),
    ]
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
