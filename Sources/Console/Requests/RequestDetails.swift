import Control
import Markup
import ProviderKit

/// A request with its answer, secrets masked, and what helps to understand and repeat it.
struct RequestDetails {
  let masked: MaskedExchange
  /// The provider's page about the error.
  private let documentation: String?
  private let program: RepeatableRequest

  var exchange: Journal.Exchange { masked.exchange }

  init(
    _ exchange: Journal.Exchange, _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]
  ) throws {
    masked = MaskedExchange(exchange, in: sandbox)
    let provider = providers.first { $0.name == exchange.owner }
    documentation =
      exchange.isRefused
      ? exchange.answer.flatMap { provider?.documentation(ofError: $0) } : nil
    let url = sandbox.baseURL(requestOrigin: request.origin)
    let variables = try provider.map { try ProviderVariable.all(of: $0, in: sandbox, at: url) } ?? []
    program = RepeatableRequest(
      masked, at: url, variables,
      insteadOfSignature: try provider.flatMap { provider in
        try provider.credentials(insteadOfSignature: exchange.requestFields, in: sandbox).map {
          ($0, provider.signedFields)
        }
      })
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

  var commandText: String { CurlCommand(program).text }

  var command: HTML { CopyableCode(commandText).html }

  /// Buttons that copy it as a program in some languages.
  var copies: HTML {
    HTML {
      span(.class("seg")) {
        CopyButton(commandText, "as curl").labelled("Copy as curl")
        CopyButton(PythonProgram(program).text, "as Python").labelled("Python")
        CopyButton(NodeProgram(program).text, "as Node").labelled("Node")
      }
    }
  }

  /// In which way the copies differ from the request.
  var copyNote: String? { program.note.map { "Copies have \($0)" } }

  func requestContent(isRaw: Bool = false) -> HTML {
    content(masked.requestHead, masked.requestBody, isRaw: isRaw)
  }

  func answerContent(isRaw: Bool = false) -> HTML {
    content(masked.responseHead, masked.responseBody, isRaw: isRaw)
  }

  private func content(_ fields: [String], _ text: String, isRaw: Bool) -> HTML {
    if isRaw {
      return HTML {
        pre(.class("raw")) { (fields + ["", BodyView.beginning(of: text)]).joined(separator: "\n") }
        BodyView.rest(of: text)
      }
    }
    return HTML {
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
  /// The body of the answer; nil if it is no JSON, or too large for an error.
  fileprivate var answer: JSON? {
    bodySizes.response > BodyView.sizeLimit ? nil : try? JSON(parsing: responseBody)
  }

  fileprivate var requestFields: Headers {
    var fields: Headers = [:]
    for line in String(decoding: requestHead, as: UTF8.self).split(separator: "\r\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      if pair.count == 2 { fields.add(String(pair[0]), String(pair[1].drop { $0 == " " })) }
    }
    return fields
  }
}
