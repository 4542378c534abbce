import Control
import Markup

/// `GET /console/workshops/{workshop}/stream`: what changes on an open board.
///
/// ```
/// id: 17                                           id: 18
/// event: parts                                     event: change
/// data: "<section class=\"clock\" id=\"clock\"…"     data: {}
/// ```
/// `parts` is HTML: the time, the summary, and the tiles or rows that have changed. The script puts each
/// element in the place of the one with its id. After `change` it fetches the page: there are other
/// participants, or the page is of an earlier start of the server. An id is the board's cursor, so a page
/// that comes back gets what it missed.
struct BoardStream {
  private let sandboxes: Sandboxes

  init(_ sandboxes: Sandboxes) { self.sandboxes = sandboxes }

  func reply(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let name = request[parameter: "workshop"]
    guard try sandboxes.workshops[name] != nil else { throw try NotFound(workshop: name, request, sandbox) }
    let view = BoardView(try request.query)
    return try BoardEvent.stream(to: request, of: name, sandboxes.workshops) { workshop, known in
      switch sandboxes.workshops.update(of: workshop, after: known) {
      case .nothing: nil
      case .rows(let positions): try parts(of: workshop, at: positions, in: view)
      case .everything: .change
      }
    }
  }

  private func parts(of workshop: Workshop, at positions: [Int], in view: BoardView) throws -> BoardEvent {
    let board = try Board(of: workshop, sandboxes.workshops)
    let parts = HTML {
      ClockSection(sandboxes.defaultSandbox, control: nil).html
      board.summary
      board.state(workshop)
      switch view {
      case .tiles: for tile in board.tiles(at: positions) { tile.html }
      case .table: table { tbody { for row in board.rows(at: positions) { row.html } } }
      }
    }
    return BoardEvent(name: "parts", data: JSON.string(parts.description).encoded())
  }
}
