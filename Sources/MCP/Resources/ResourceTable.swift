import Console
import Control
import Guides
import ProviderKit

/// All resources: what an agent can read without a tool.
struct ResourceTable {
  fileprivate struct Resource {
    let uri: String
    let name: String
    let title: String
    let description: String
    let type: String
    let read: (ControlCalls) -> Reply

    var listing: [UInt8] { ResourceTable.entry("uri", uri, name, title, description, type) }
  }

  private let resources: [Resource]
  /// The entries of `resources/list`, and of `resources/templates/list`.
  let listing: [[UInt8]]
  let templates: [[UInt8]]

  private static let json = "application/json"
  private static let journal = (
    title: "Requests and answers",
    description: "The newest requests that providers got in a sandbox, with their answers, secrets masked."
  )

  init(providers: [any Provider.Type]) {
    resources =
      [
        .operation(
          "journal", "journal", Self.journal.title, Self.journal.description,
          "/control/journal?order=newest&limit=50"),
        .operation(
          "operations", "operations", "The control API",
          "The operations of the control API; ringfence://operations/NAME describes one.",
          "/control/openapi.json?operation=list"),
        .operation(
          "failures", "failures", "Failures",
          "All failures that fail knows, and the request that produces each.",
          "/control/failures"),
        .guide(
          "guides/agents", "agents", "Recipes for agents", "What to do in which order.", "agents"),
        .guide(
          "guides/carrier", "carrier", "The mobile network",
          "Numbers with built-in behaviour, messages, calls and silent verification.", "carrier"),
      ]
      + providers.flatMap { provider -> [Resource] in
        [
          .guide(
            "providers/\(provider.name)/guide", "\(provider.name)-guide", "Guide: \(provider.name)",
            "How apps use \(provider.name) in the sandbox, with programs, and what is emulated.",
            provider.name),
          .operation(
            "providers/\(provider.name)/errors", "\(provider.name)-errors", "Errors of \(provider.name)",
            "All errors of \(provider.name), and commands that produce each.",
            "/control/errors?provider=\(provider.name)"),
        ]
      }
    listing = resources.map(\.listing)
    templates = [
      Self.entry(
        "uriTemplate", "\(Self.scheme)sandboxes/{sandbox}/journal", "journal-of-sandbox", Self.journal.title,
        Self.journal.description, Self.json),
      Self.entry(
        "uriTemplate", "\(Self.operations){operation}", "operation", "An operation of the control API",
        "The OpenAPI document of one operation.", Self.json),
    ]
  }

  private static let scheme = "ringfence://"

  private static let operations = uri("operations/")

  /// The resource that describes an operation.
  private static func described(_ uri: String) -> Resource? {
    guard uri.hasPrefix(operations) else { return nil }
    let name = uri.dropFirst(operations.count)
    let target = "/control/openapi.json?operation=\(PercentCoding.encode(String(name)))"
    return .operation("operations/\(name)", "", "", "", target)
  }

  fileprivate static func uri(_ path: String) -> String { scheme + path }

  static let carrierGuide = uri("guides/carrier")

  static func guide(of provider: String) -> String { "\(scheme)providers/\(provider)/guide" }

  func read(_ params: Fields, _ calls: ControlCalls) throws(RPCError) -> Reply {
    let uri = try RPCError.reading { () throws(FieldError) in try params.string("uri") }
    let (place, calls) = try Self.split(uri, calls)
    guard let resource = resources.first(where: { $0.uri == place }) ?? Self.described(place) else {
      let meant = nearest(to: place).map { "; did you mean \($0)?" } ?? ""
      throw Self.notFound(uri, "there is no resource \(uri)\(meant)")
    }
    return resource.read(calls).map { response in
      let response = response.forAgents
      guard response.isSuccess else {
        let text = ToolResult(response).text
        let error: RPCError =
          switch response.status {
          case 404: Self.notFound(uri, text)
          case let status where status.code < 500: RPCError(.invalidParams, text)
          default: RPCError(.internalError, text)
          }
        return .json(response.status, error.object)
      }
      return .json(200) { json in
        json.array("contents", [response]) { json, response in
          json.value(object: { json in
            json.member("uri", uri)
            json.member("mimeType", resource.type)
            json.member("text", String(decoding: response.body, as: UTF8.self))
          })
        }
      }
    }
  }

  private static func notFound(_ uri: String, _ text: String) -> RPCError {
    RPCError(.resourceNotFound, text, data: .object([.init("uri", uri)]))
  }

  /// `ringfence://providers/acme/guide` for `ringfence://guides/acme`, too.
  private func nearest(to uri: String) -> String? {
    let last = uri.split(separator: "/").last ?? ""
    return resources.first { $0.name == "\(last)-guide" }?.uri ?? resources.map(\.uri).nearest(to: uri)
  }

  /// The resource of a URI that may name a sandbox, and the calls to that sandbox.
  private static func split(_ uri: String, _ calls: ControlCalls) throws(RPCError) -> (String, ControlCalls) {
    let prefix = "\(scheme)sandboxes/"
    guard uri.hasPrefix(prefix) else { return (uri, calls) }
    let rest = uri.dropFirst(prefix.count)
    let name = rest.prefix { $0 != "/" }
    return try RPCError.reading { () throws(FieldError) in
      ("\(scheme)\(rest.dropFirst(name.count + 1))", try calls.named(String(name)))
    }
  }

  fileprivate static func entry(
    _ kind: String, _ uri: String, _ name: String, _ title: String, _ description: String, _ type: String
  ) -> [UInt8] {
    JSONWriter.object { json in
      json.member(named: kind, uri)
      json.member("name", name)
      json.member("title", title)
      json.member("description", description)
      json.member("mimeType", type)
    }
  }
}

extension ResourceTable.Resource {
  /// What an operation of the control API answers.
  fileprivate static func operation(
    _ path: String, _ name: String, _ title: String, _ description: String, _ target: String
  ) -> ResourceTable.Resource {
    .init(
      uri: ResourceTable.uri(path), name: name, title: title, description: description,
      type: "application/json"
    ) { $0.send(.get, target) }
  }

  fileprivate static func guide(
    _ path: String, _ name: String, _ title: String, _ description: String, _ guide: String
  ) -> ResourceTable.Resource {
    .init(
      uri: ResourceTable.uri(path), name: name, title: title, description: description, type: "text/markdown"
    ) { _ in .now(.text(200, Guide.named(guide)?.text ?? "There is no guide.")) }
  }
}
