import Domain
import HTTP
import Markup

/// The error for a page of a workshop that was deleted, or never was.
struct UnknownWorkshop: ResponseError {
  let response: Response
  var why: String? { nil }

  init(_ name: String, _ request: Request, _ sandbox: Sandbox) throws {
    response = try Layout(request, sandbox).response(404, UnknownWorkshopPage(name: name))
  }
}

private struct UnknownWorkshopPage: Page {
  let name: String

  var title: String { "There is no workshop \(name)." }

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    p { "Maybe it was deleted, with its sandboxes and its results." }
    p { a(.href("/console/workshops")) { "Workshops" } }
  }
}
