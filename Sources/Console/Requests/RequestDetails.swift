import Control
import Domain
import HTTP
import JSON
import Markup
import ProviderKit

/// A request with its answer, secrets masked, and what helps to understand and repeat it.
struct RequestDetails {
  let masked: MaskedExchange
  /// The provider's page about the error.
  private let documentation: String?
  private let curl: String

  var exchange: Journal.Exchange { masked.exchange }

  init(
    _ exchange: Journal.Exchange, _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]
  ) throws {
    masked = MaskedExchange(exchange, in: sandbox)
    let provider = providers.first { $0.name == exchange.owner }
    documentation =
      exchange.isRefused
      ? exchange.answer.flatMap { (provider as? any DocumentsErrors.Type)?.documentation(ofError: $0) } : nil
    let url = sandbox.baseURL(requestOrigin: request.origin)
    let variables = try provider.map { try ProviderVariable.all(of: $0, in: sandbox, at: url) } ?? []
    curl = CurlCommand(masked, at: url, variables).text
  }

  /// Terms and definitions: the documentation, and what nobody read.
  var remarks: HTML {
    HTML {
      if let documentation {
        dt { "Documentation" }
        dd { a(.href(documentation), .init("rel", "noreferrer")) { documentation } }
      }
      if !exchange.unread.isEmpty { Fact("Not read", exchange.unread.joined(separator: ", ")).html }
      if !exchange.nearest.isEmpty { Fact("Similar routes", exchange.nearest.joined(separator: ", ")).html }
    }
  }

  var command: HTML {
    details(.class("program")) {
      summary { "As a curl command" }
      CopyableCode(curl).html
    }
  }

  var copyAsCurl: HTML { CopyButton(curl, "as curl").labelled("Copy as curl") }

  var requestContent: HTML { content(masked.requestHead, masked.requestBody) }
  var answerContent: HTML { content(masked.responseHead, masked.responseBody) }

  private func content(_ fields: [String], _ text: String) -> HTML {
    HTML {
      details {
        summary { "\(fields.count) header fields" }
        pre { fields.joined(separator: "\n") }
      }
      BodyView(text, isForm: fields.contains { $0.lowercased().hasPrefix("content-type: application/x-www") })
        .html
    }
  }
}

extension Journal.Exchange {
  /// The body of the answer; nil if it is no JSON.
  fileprivate var answer: JSON? { try? JSON(parsing: responseBody) }
}
