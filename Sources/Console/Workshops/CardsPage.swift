import Control
import Markup
import ProviderKit
import QRCode

/// A card for each participant, to print on A4.
struct CardsPage: Page {
  private let workshop: Workshop
  private let participants: [Participant]
  private let card: (Participant) throws -> Card
  /// The address that phones and laptops use.
  private let base: String
  private let isOnlyLocal: Bool

  private struct Card {
    let participant: Participant
    /// Under the names of the page Connect.
    let variables: [ProviderVariable]
  }

  var title: String { "\(workshop.name): cards" }

  init(
    _ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes, providers: [any Provider.Type],
    tokens: AccessTokens?
  ) throws {
    let name = request[parameter: "workshop"]
    guard let workshop = try sandboxes.workshops[name] else {
      throw try NotFound(workshop: name, request, sandbox)
    }
    self.workshop = workshop
    let publicURL = sandboxes.addresses.publicURL
    base = publicURL ?? request.origin
    isOnlyLocal = publicURL == nil && Authority(request.host)?.isLoopback ?? false
    let provider = providers.first { $0.name == workshop.flavour }
    participants = try sandboxes.workshops.participants(of: workshop)
    card = { participant in
      guard let own = sandboxes[participant.sandboxName] else {
        return Card(participant: participant, variables: [])
      }
      let address = SandboxAddress(of: own, for: request, tokens)
      let credentials = try provider.map { try ProviderVariable.all(of: $0, in: own, at: address.url) }
      return Card(participant: participant, variables: address.variables + (credentials ?? []))
    }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("no-print")) {
      h1 { "\(workshop.name): cards" }
      p {
        a(.href("/console/workshops/\(workshop.name)")) { "Back to the board" }
        " Print this page on A4 and cut it: six cards on a sheet."
      }
      if isOnlyLocal {
        p(.class("why")) {
          "The cards show \(base), which only this machine can open. Open this page by the address that participants "
          "use, or start the server with "
          span(.class("option")) { "--public-url" }
          "."
        }
      }
    }
    ul(.class("cards")) { HTML.gap }
  }

  func gaps(_ layout: Layout) -> [GapFilling] { [filling(participants) { html(of: try card($0)) }] }

  private func html(of card: Card) -> HTML {
    let phrase = card.participant.phrase
    let link = "\(base)/join?phrase=\(phrase)"
    return li(.class("join-card")) {
      div {
        h2 { card.participant.name }
        dl {
          dt { "Join \(workshop.name) at" }
          dd(.class("url")) { "\(base)/join" }
          dt { "with the phrase" }
          dd(.class("phrase")) { phrase }
        }
      }
      if let code = QRCode(link) { QRCodeImage(code, label: "QR code: \(link)").html }
      dl(.class("credentials")) {
        for variable in card.variables { line(of: variable) }
      }
    }
  }

  private func line(of variable: ProviderVariable) -> HTML {
    div {
      dt { variable.name }
      dd { variable.value }
    }
  }
}
