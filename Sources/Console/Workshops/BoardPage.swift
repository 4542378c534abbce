import Control
import Markup

/// The trainer's board: where the room is, and a tile for each participant, or a table of participants by
/// tasks.
struct BoardPage: Page {
  private let workshop: Workshop
  private let storyTitle: String
  private let joinURL: String
  private let view: BoardView
  private let board: Board
  private let changeCount: Int

  var title: String { workshop.name }

  init(_ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes) throws {
    let name = request[parameter: "workshop"]
    let workshops = sandboxes.workshops
    guard let workshop = try workshops[name] else {
      throw try NotFound(workshop: name, request, sandbox)
    }
    self.workshop = workshop
    storyTitle = try sandboxes.seeds.stories[workshop.story]?.title ?? workshop.story
    joinURL = "\(sandboxes.addresses.publicURL ?? request.origin)/join"
    view = BoardView(try request.query)
    board = try Board(of: workshop, workshops)
    changeCount = workshops.changeCount
  }

  private var url: String { "/console/workshops/\(workshop.name)" }

  /// The stream has what changes. The script fetches the page of a large room, which takes the server
  /// milliseconds, only when there are other participants.
  var stream: Stream? {
    Stream(url: view.url("\(url)/stream"), position: String(changeCount), pause: 800)
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("board-head")) {
      div {
        h1 {
          workshop.name
          span(.class("dim")) { " \(storyTitle), \(workshop.flavour)" }
        }
        p(.class("join")) {
          "Join at "
          strong { joinURL }
          " with the phrase on your card"
        }
      }
      div(.class("actions")) {
        a(.class("button"), .href(view.other.url(url))) { view.other.title }
        a(.class("button"), .href("\(url)/cards")) { "Cards" }
        a(.class("button"), .href("/control/workshops/\(workshop.name)/results.csv")) { "Results" }
        controls.html
      }
    }
    // No form: a browser would send one when Enter is pressed in a field.
    div(.id("board")) {
      board.summary
      div(.class("selection")) {
        label {
          input(.type("checkbox"), .init("data-select", "all"))
          " Select all"
        }
        p(.id("selection"), .class("dim"), .init(flag: "data-kept")) {
          "Actions are for all \(board.room.participants.count) participants."
        }
      }
      board.state(workshop)
      if board.room.participants.isEmpty {
        p(.class("empty")) { "Nobody is in this workshop. Add participants under More." }
      } else {
        switch view {
        case .tiles: tiles
        case .table: table
        }
      }
      p(.id("board-status"), .class("toast"), .init("role", "status"), .init(flag: "data-kept"))
    }
  }

  private var controls: BoardControls { BoardControls(workshop) }

  private var tiles: HTML {
    // A large room gets smaller tiles.
    let density =
      switch board.room.participants.count {
      case ...12: "few"
      case ...20: "some several"
      case ...30: "some"
      default: "many"
      }
    return div(.id("tiles"), .class("tiles \(density)")) { for tile in board.tiles { tile.html } }
  }

  private var table: HTML {
    div(
      .class("table"), .init("tabindex", "0"), .init("role", "region"),
      .label("Board: participants and their tasks")
    ) {
      Markup.table(.class("board")) {
        thead {
          tr {
            th(.init("scope", "col")) { "Participant" }
            for (number, task) in zip(1..., workshop.tasks) {
              th(.init("scope", "col")) { "\(number). \(task.title)" }
            }
            th(.init("scope", "col")) { "Last active" }
          }
        }
        tbody { for row in board.rows { row.html } }
      }
    }
  }
}

/// How a board shows participants. It is part of the page's address.
enum BoardView: String {
  case tiles
  case table

  init(_ query: Form) { self = query["view"].flatMap(BoardView.init) ?? .tiles }

  var other: BoardView { self == .tiles ? .table : .tiles }

  /// The name of the link that leads to it.
  var title: String { self == .tiles ? "Tiles" : "Table" }

  func url(_ page: String) -> String { self == .tiles ? page : "\(page)?view=\(rawValue)" }
}

/// What a board shows at one time.
struct Board {
  let room: Room
  private let tasks: [StoryTask]
  /// By the position of the participant.
  private let failures: [Int: [ParticipantFailure]]

  init(of workshop: Workshop, _ workshops: Workshops) throws {
    let room = try workshops.room(of: workshop)
    self.room = room
    tasks = workshop.tasks
    failures = Dictionary(
      uniqueKeysWithValues: room.participants.map { ($0.position, workshops.failures(of: $0)) })
  }

  /// Those of all participants, or of some, who is stuck first.
  var tiles: [BoardTile] { tiles { _ in true } }

  func tiles(at positions: [Int]) -> [BoardTile] { tiles { positions.contains($0.position) } }

  private func tiles(_ isWanted: (Participant) -> Bool) -> [BoardTile] {
    room.participants.filter(isWanted).map { BoardTile($0, tasks, at: room.now) }
      .sorted { $0.rank < $1.rank }
  }

  var rows: [BoardRow] { room.participants.map { BoardRow($0, at: room.now) } }

  func rows(at positions: [Int]) -> [BoardRow] {
    room.participants.filter { positions.contains($0.position) }.map { BoardRow($0, at: room.now) }
  }

  var summary: HTML { BoardSummary(room, tasks).html }

  /// What is broken on purpose, and the trainer's notes: each once, with those whom it is for.
  func state(_ workshop: Workshop) -> HTML {
    BoardState(room, failures, url: "/control/workshops/\(workshop.name)").html
  }
}
