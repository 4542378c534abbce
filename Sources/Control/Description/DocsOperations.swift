package import Guides

/// The documentation that is built into the program, for programs and for people without a browser.
extension ControlAPI {
  var docsOperations: [Operation] {
    [
      Operation(
        .get("/control/docs", as: "listPages") { _, _ in Self.pages.response(Guide.all) },
        access: .participant, "List the pages of the documentation.", .json(Self.pages)),
      Operation(
        .get("/control/docs/{page}.md", as: "fetchPage", fetchPage), access: .participant,
        "Get a page of the documentation.", path: [Parameter.pageName], .file("text/markdown")),
      Operation(
        .get("/control/docs/{folder}/{page}.md", as: "fetchPageInFolder", fetchPage), access: .participant,
        "Get a page about a provider, or a recipe.", path: [Parameter.folder, Parameter.pageName],
        .file("text/markdown")),
    ]
  }

  private static let pages = Schema<[Guide]>.list(
    "pages",
    Schema<Guide>(
      "Page", "A page of the documentation.",
      [
        .readOnly("name", .string, "Its name.") { $0.path },
        .readOnly("title", .string, "Its title.") { $0.title },
        .readOnly("path", .string, "Where it is.") { $0.address },
      ]), "The pages.")

  private func fetchPage(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let name = ["folder", "page"].compactMap { request.parameters.value($0) }.joined(separator: "/")
    guard let guide = Guide.named(name) else {
      throw ControlProblem.notFound("page \(Guide.unknown(name))")
    }
    return Response(
      200, headers: ["Content-Type": "text/markdown; charset=utf-8"], body: Array(guide.text.utf8))
  }
}

extension Guide {
  /// Its path in the control API.
  package var address: String { "/control/docs/\(path).md" }
}

extension Parameter {
  fileprivate static let folder = ObjectSchema.Member(
    "folder", .words(["Providers", "Recipes"]), "The folder of the page.", .required)
  fileprivate static let pageName = ObjectSchema.Member("page", .string(), "The name of the page.", .required)
}
