import Control
import Markup

/// Sends a recorded request again, changed if a person wants that. The script sends only what was changed:
/// all else keeps its bytes, also those that are hidden here.
struct SendAgainForm {
  private static let id = "again"
  private let masked: MaskedExchange
  private let layout: Layout
  /// Nil if it cannot be changed here.
  private let body: String?

  /// Nil for what is no request to a provider: handshakes, and requests of the proxy.
  init?(_ masked: MaskedExchange, _ layout: Layout) {
    let exchange = masked.exchange
    guard exchange.target.hasPrefix("/"), Method(rawValue: exchange.method) != nil, exchange.status != 101
    else { return nil }
    (self.masked, self.layout) = (masked, layout)
    let isText =
      exchange.bodySizes.request <= BodyView.sizeLimit
      && String(validating: exchange.requestBody, as: UTF8.self) != nil
    body = isText ? masked.requestBody : nil
  }

  var button: HTML {
    Markup.button(.type("submit"), .class("primary"), .init("form", Self.id)) { "Send again" }
  }

  var html: HTML {
    form(
      .id(Self.id), .init("data-send", layout.url("/control/requests")), .init(flag: "data-changes"),
      .init("data-like", masked.exchange.id),
      .init("data-next", layout.url("/console/requests/{id}?again=\(masked.exchange.id)"))
    ) {
      p(.class("why"), .init("role", "alert"), .init("data-problem", "form"))
      details(.id("change"), .class("panel change"), .init(flag: "data-kept")) {
        summary { "Change it first" }
        div { fields }
      }
    }
  }

  private var fields: HTML {
    HTML {
      field("Method") {
        input(.name("method"), .value(masked.exchange.method), .init("autocomplete", "off"))
      }
      field("Path and query") {
        input(.name("target"), .value(masked.target), .init("autocomplete", "off"))
      }
      field("Header fields") {
        area(
          "headers", masked.requestHead.joined(separator: "\n"), rows: masked.requestHead.count,
          type: "lines")
      }
      if let body {
        for (name, value) in pairs(of: body) {
          field(name) { input(.init("data-pair", name), .value(value), .init("autocomplete", "off")) }
        }
        field("Body") {
          area("body", body, rows: body.utf8.count / 80 + 2)
        }
      } else {
        p(.class("help")) { "The body is no text, or too large for this page. It is sent as it is." }
      }
      if hidesValues {
        p(.class("help")) { "\(Masking.mark) is a hidden value. Leave it where it is, and it is sent." }
      }
      Markup.button(.type("submit")) { "Send" }
    }
  }

  /// The fields of a form; the script writes what is changed in them into the body. None of another body.
  private func pairs(of body: String) -> [(name: String, value: String)] {
    let isForm = masked.requestHead.contains {
      $0.lowercased().hasPrefix("content-type: application/x-www-form-urlencoded")
    }
    guard isForm, let form = try? Form(parsing: Array(body.utf8)) else { return [] }
    return form.pairs.count <= Self.pairLimit ? form.pairs : []
  }

  private static let pairLimit = 40

  private var hidesValues: Bool {
    ([masked.target, body ?? ""] + masked.requestHead).contains { $0.contains(Masking.mark) }
  }

  private func area(_ name: String, _ text: String, rows: Int, type: String? = nil) -> HTML {
    textArea(
      .name(name), .init("data-type", ifPresent: type), .init("rows", String(min(max(rows, 2), 12))),
      .init("spellcheck", "false")
    ) { text }
  }
}
