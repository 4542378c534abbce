import Control
import Markup

/// A request in a report: one line, and its content to unfold.
struct ReportedRequest {
  private let masked: MaskedExchange
  private var exchange: Journal.Exchange { masked.exchange }
  private let test: Journal.MarkedTest?

  /// In characters, of each head and each body.
  private static let partLimit = 1500

  init(_ exchange: MaskedExchange, test: Journal.MarkedTest?) {
    masked = exchange
    self.test = test
  }

  func html(withDetails: Bool) -> HTML {
    li(
      .id("request-\(exchange.ordinal)"), .class(exchange.status < 400 ? "ok" : "refused"),
      .init("data-item", String(exchange.ordinal))
    ) {
      if withDetails {
        details {
          summary { line }
          part("Request", masked.requestHead, text(exchange.bodySizes.request) { masked.requestBody })
          part("Answer", masked.responseHead, text(exchange.bodySizes.response) { masked.responseBody })
        }
      } else {
        line
      }
    }
  }

  private var line: HTML {
    HTML {
      time(.init("datetime", exchange.at.iso8601)) { exchange.at.timeOfDay }
      " "
      span(.class("status")) { String(exchange.status) }
      " \(exchange.owner) \(exchange.route ?? "") \(exchange.method) \(exchange.shownTarget.shortened(to: 200))"
      if let why = exchange.why { span(.class("why")) { why.shortened(to: 300) } }
      if !exchange.unread.isEmpty {
        span(.class("why")) {
          "Fields that nobody read: \(exchange.unread.joined(separator: ", ").shortened(to: 200))"
        }
      }
      if let test {
        " "
        span(.class(test.outcome == .failed ? "test failed" : "test")) {
          "\(test.name.shortened(to: 200))\(test.outcome.map { ": \($0.rawValue)" } ?? "")"
        }
      }
    }
  }

  /// Only the size of a large body: masking must read all of it, because a cut could remove the start of a
  /// secret.
  private func text(_ size: Int, _ masked: () -> String) -> String {
    size > 16 * Self.partLimit ? "(\(size) bytes)" : masked()
  }

  private func part(_ name: String, _ fields: [String], _ text: String) -> HTML {
    HTML {
      h3 { name }
      pre {
        fields.joined(separator: "\n").shortened(to: Self.partLimit) + "\n\n"
          + Indentation.indent(text).shortened(to: Self.partLimit)
      }
    }
  }
}

extension String {
  /// At most so many characters, the last one `…` if some are missing.
  func shortened(to limit: Int) -> String {
    unicodeScalars.count <= limit
      ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…"
  }
}
