import Markup
import ProviderKit

/// Where the room is, who is finished and stuck, and how long most have been at their task.
struct BoardSummary {
  private let room: Room
  private let tasks: [StoryTask]

  init(_ room: Room, _ tasks: [StoryTask]) { (self.room, self.tasks) = (room, tasks) }

  var html: HTML {
    section(.id("board-summary"), .class("board-summary"), .label("The room")) {
      div(.class("panel flow")) {
        p(.class("label")) { "Tasks done" }
        bars
        p(.class("below")) { arrivals }
      }
      panel("Finished", String(room.finished), "of \(room.participants.count)")
      stuck
      clock
    }
  }

  private func panel(_ label: String, _ number: String, _ below: String) -> HTML {
    div(.class("panel")) {
      p(.class("label")) { label }
      p(.class("big")) { number }
      p(.class("below")) { below }
    }
  }

  /// One for each number of tasks that are done.
  private var bars: HTML {
    let most = max(1, room.doneCounts.max() ?? 1)
    return ol(.class("bars")) {
      for (done, count) in room.doneCounts.enumerated() {
        li {
          span(.class("count")) { count == 0 ? "" : String(count) }
          bar(height: count * Self.barHeight / most)
          span { done == tasks.count ? "all" : String(done) }
        }
      }
    }
  }

  private static let barHeight = 40

  /// An image, because the policy of our pages allows no style in the document.
  private func bar(height: Int) -> HTML {
    svg(
      .init("viewBox", "0 0 10 \(Self.barHeight)"), .init("preserveAspectRatio", "none"),
      .init("aria-hidden", "true")
    ) {
      svgRectangle(
        .init("y", String(Self.barHeight - height)), .init("width", "10"), .init("height", String(height)))
    }
  }

  private var arrivals: String {
    let (absent, silent) = (room.count(of: .notStarted), room.count(of: .silent))
    let last = room.lastActive.map { "Last active: \($0.name), \($0.at.timeOfDay)." }
    guard absent + silent > 0 else { return last ?? "" }
    return "Not started: \(absent). Joined, but sent nothing: \(silent)."
  }

  private var stuck: HTML {
    let count = room.count(of: .stuck)
    return div(.class(count == 0 ? "panel" : "panel bad")) {
      p(.class("label")) { "Stuck" }
      p(.class("big")) { String(count) }
      p(.class("below")) {
        if let longest = room.longestStuck {
          "longest "
          span(.class("minutes"), .init("data-since", String(longest.since.milliseconds))) {
            "\(max(0, (room.now - longest.since).wholeSeconds / 60)) min"
          }
          ", \(longest.name)"
        } else {
          "nobody"
        }
      }
    }
  }

  private var clock: HTML {
    div(.class("panel")) {
      p(.class("label")) { "Clock of the task" }
      if let (index, since) = room.commonTask {
        let seconds = max(0, (room.now - since).wholeSeconds)
        p(.class("big"), .init("data-elapsed", String(since.milliseconds))) {
          "\(Self.twoDigits(seconds / 60)):\(Self.twoDigits(seconds % 60))"
        }
        p(.class("below")) { "\(index + 1). \(tasks[index].title)" }
      } else {
        p(.class("big")) { "–" }
        p(.class("below")) { room.finished > 0 ? "nobody is at a task" : "nobody has started" }
      }
    }
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

/// What is broken on purpose, and the trainer's notes: each once, with those whom it is for.
struct BoardState {
  private let lines: [Line]
  private let count: Int
  private let url: String

  private enum Kind: Hashable {
    case failure(String, RuleOrigin)
    case note(String)
  }

  private struct Line {
    let kind: Kind
    var names: [String]
  }

  init(_ room: Room, _ failures: [Int: [ParticipantFailure]], url: String) {
    self.url = url
    count = room.participants.count
    var lines: [Line] = []
    func add(_ kind: Kind, _ name: String) {
      if let place = lines.firstIndex(where: { $0.kind == kind }) {
        lines[place].names.append(name)
      } else {
        lines.append(Line(kind: kind, names: [name]))
      }
    }
    for one in room.participants {
      for failure in failures[one.position] ?? [] { add(.failure(failure.effect, failure.origin), one.name) }
      if !one.note.isEmpty { add(.note(one.note), one.name) }
    }
    self.lines = lines
  }

  var html: HTML {
    ul(.id("board-state"), .class("board-state")) { for line in lines { html(of: line) } }
  }

  private func html(of line: Line) -> HTML {
    li {
      switch line.kind {
      case .failure(let effect, let origin):
        span(.class("pill warn")) { origin == .trainer ? "Broken" : "Broken by themselves" }
        " for \(whom(line.names)): \(effect) "
        action("Repair", "fix", "{", line.names, done: "Repaired")
      case .note(let text):
        span(.class("pill")) { "Note" }
        " for \(whom(line.names)): \(text) "
        action("Remove note", "note", #"{"note":"","#, line.names, done: "Note removed")
      }
    }
  }

  /// `begin` is the JSON before the names.
  private func action(
    _ text: String, _ name: String, _ begin: String, _ names: [String], done: String
  ) -> HTML {
    let list = String(decoding: JSON.array(names.map { .string($0) }).encoded(), as: UTF8.self)
    var button = ActionButton(text, post: "\(url)/\(name)", "\(begin)\"participants\":\(list)}")
    button.status = ("board-status", "\(done) for \(whom(names)).")
    return button.html
  }

  private func whom(_ names: [String]) -> String {
    if names.count == count, count > 1 { return "all \(count)" }
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    let rest = names.count - Self.mostNames
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  private static let mostNames = 6
}
