/// Long work in steps of a few milliseconds at most, so that the event loop can answer requests between them.
package struct Steps {
  /// Does a part of the work. Returns true if it has to be called again.
  package typealias Step = () throws -> Bool

  private var steps: [Step] = []

  package init() {}

  package mutating func add(_ step: @escaping () throws -> Void) {
    steps.append {
      try step()
      return false
    }
  }

  /// Adds a step that is called until it returns false.
  package mutating func addRepeated(_ step: @escaping Step) { steps.append(step) }

  /// Adds a step for every `count` items.
  package mutating func add<Item>(
    inParts items: [Item], of count: Int, _ body: @escaping (Item) throws -> Void
  ) {
    addParts(of: items, upTo: count) { for item in $0 { try body(item) } }
  }

  /// Adds a step for every `count` items, which gets them together.
  package mutating func addParts<Item>(
    of items: [Item], upTo count: Int, _ body: @escaping ([Item]) throws -> Void
  ) {
    for start in stride(from: 0, to: items.count, by: count) {
      add { try body(Array(items[start..<min(start + count, items.count)])) }
    }
  }

  /// Runs one step. Returns false after the last one.
  package mutating func runNext() throws -> Bool {
    guard let step = steps.first else { return false }
    if try !step() { steps.removeFirst() }
    return !steps.isEmpty
  }

  package mutating func runAll() throws { while try runNext() {} }
}
