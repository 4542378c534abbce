import Control
import Domain
import HTTP
import Markup
import QRCode

/// A card for each participant, to print on A4.
struct CardsPage: Page {
  private let workshop: Workshop
  private let cards: [Card]
  /// The address that phones and laptops use.
  private let base: String
  private let isOnlyLocal: Bool

  private struct Card {
    let participant: Participant
    let credentials: [(name: String, value: String)]
    /// Opens the control API of the sandbox; nil if the server requires no token.
    let token: String?
  }

  var title: String { "\(workshop.name): cards" }

  init(_ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes, _ tokens: AccessTokens?) throws {
    let name = request[parameter: "workshop"]
    guard let workshop = try sandboxes.workshops[name] else {
      throw try UnknownWorkshop(name, request, sandbox)
    }
    self.workshop = workshop
    let publicURL = sandboxes.addresses.publicURL
    base = publicURL ?? request.origin
    isOnlyLocal = publicURL == nil && Authority(request.host)?.isLoopback ?? false
    let section = sandboxes.seeds.sections.first { $0.name == workshop.flavour }
    cards = try sandboxes.workshops.participants(of: workshop).map { participant in
      let own = sandboxes[participant.sandboxName]
      let credentials = try own.flatMap { try section?.credentials($0) } ?? []
      return Card(
        participant: participant, credentials: credentials,
        token: own.flatMap { tokens?.token(for: $0) })
    }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("no-print")) {
      h1 { "\(workshop.name): cards" }
      p {
        a(.href("/console/workshops/\(workshop.name)")) { "Back to the board" }
        " Print this page on A4 and cut it: eight cards on a sheet."
      }
      if isOnlyLocal {
        p(.class("why")) {
          "The cards show \(base), which only this machine can open. Open this page by the address that participants "
          "use, or start the server with --public-url."
        }
      }
    }
    ul(.class("cards")) { for card in cards { html(of: card) } }
  }

  private func html(of card: Card) -> HTML {
    let phrase = card.participant.phrase
    let link = "\(base)/join?phrase=\(phrase)"
    return li(.class("join-card")) {
      div {
        h2 { card.participant.name }
        dl {
          dt { "Join \(workshop.name) at" }
          dd { "\(base)/join" }
          dt { "with the phrase" }
          dd(.class("phrase")) { phrase }
        }
      }
      if let code = QRCode(link) { QRCodeImage(code, label: "QR code: \(link)").html }
      dl(.class("credentials")) {
        fact("Your address", "\(base)/s/\(card.participant.sandboxName)")
        if let token = card.token { fact("Token for /control", token) }
        for credential in card.credentials { fact(credential.name, credential.value) }
      }
    }
  }

  private func fact(_ name: String, _ value: String) -> HTML {
    div {
      dt { name }
      dd { value }
    }
  }
}
