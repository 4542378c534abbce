import Domain
import JSON
import Testing

@Suite("Domain · records")
struct ShelfTests {
  let world: World
  let things = RecordStore.Section(provider: "acme", kind: "thing")
  var records: RecordStore { world.sandbox.records }

  init() throws { world = try World() }

  @Test("a record is found under its key")
  func finding() throws {
    try keep("a", #"{"n":1}"#)

    #expect(try records.find("a", in: things)?.record == #"{"n":1}"#)
  }

  @Test("a key of another kind or provider finds nothing")
  func sections() throws {
    try keep("a", "{}")

    #expect(try records.find("a", in: RecordStore.Section(provider: "acme", kind: "other")) == nil)
    #expect(try records.find("a", in: RecordStore.Section(provider: "other", kind: "thing")) == nil)
  }

  @Test("a replaced record keeps its ordinal and its owner")
  func replacing() throws {
    for key in ["a", "b"] { try keep(key, "{}") }

    try keep("a", #"{"n":2}"#, of: "bob")

    #expect(try list().map { "\($0.key) \($0.record)" } == [#"a {"n":2}"#, "b {}"])
    #expect(try records.list(things, of: "bob") == [])
  }

  @Test("a deleted record is gone")
  func forgetting() throws {
    try keep("a", "{}")

    let had = [try records.delete("a", in: things), try records.delete("a", in: things)]

    #expect(had == [true, false])
    #expect(try records.find("a", in: things) == nil)
  }

  @Test("a body is written again for another record, other settings, another account or another address")
  func bodies() {
    final class Object {}
    let (first, second, settings, changed) = (Object(), Object(), Object(), Object())
    var count = 0
    func body(_ record: Object, _ settings: Object, _ account: String, _ baseURL: String) -> [UInt8] {
      records.body(of: record, with: settings, for: account, at: baseURL) {
        count += 1
        return [UInt8(count)]
      }
    }

    #expect(body(first, settings, "AC1", "http://a") == [1])
    #expect(body(first, settings, "AC1", "http://a") == [1])
    #expect(body(second, settings, "AC1", "http://a") == [2])
    #expect(body(second, changed, "AC1", "http://a") == [3])
    #expect(body(second, changed, "AC2", "http://a") == [4])
    #expect(body(second, changed, "AC2", "http://b") == [5])
    #expect(body(first, settings, "AC1", "http://a") == [6])
  }

  @Test("a listed record is decoded once, and again after it was replaced or restored")
  func listed() throws {
    var count = 0
    func texts() throws -> [String] {
      try list().map { item in
        try records.decoded(item, in: things) {
          count += 1
          return $0.record
        }
      }
    }
    for key in ["a", "b"] { try keep(key, "{}") }

    #expect(try texts() == ["{}", "{}"])
    #expect(try texts() == ["{}", "{}"] && count == 2)
    try keep("a", #"{"n":2}"#)
    #expect(try texts() == [#"{"n":2}"#, "{}"] && count == 3)
    try? world.sandbox.atomically {
      try keep("a", #"{"n":3}"#)
      #expect(try texts() == [#"{"n":3}"#, "{}"])
      throw FieldError(path: "$", expected: "an end", found: "none")
    }
    #expect(try texts() == [#"{"n":2}"#, "{}"])
  }

  @Test("the list and the oldest record of an owner follow every change, also after a rollback")
  func followed() throws {
    func texts() throws -> [String] { try records.all(things, of: "ann") { $0.record }.map(\.record) }
    func oldest() throws -> String? { try records.oldest(things, of: "ann")?.record }
    #expect(try texts() == [] && oldest() == nil)
    let early = world.sandbox.nextOrdinal()
    for key in ["a", "b"] { try keep(key, key) }

    #expect(try texts() == ["a", "b"] && oldest() == "a")
    try keep("a", "changed")
    #expect(try texts() == ["changed", "b"] && oldest() == "changed")
    try? world.sandbox.atomically {
      _ = try records.delete("a", in: things)
      #expect(try texts() == ["b"] && oldest() == "b")
      throw FieldError(path: "$", expected: "an end", found: "none")
    }
    #expect(try texts() == ["changed", "b"] && oldest() == "changed")
    try records.save(RecordStore.Item(ordinal: early, key: "c", record: "first"), of: "ann", in: things)
    #expect(try texts() == ["first", "changed", "b"] && oldest() == "first")
    try records.deleteAll(things, of: "ann")
    #expect(try texts() == [] && oldest() == nil)
  }

  @Test("an owner's records are listed in the order of their creation")
  func owners() throws {
    try keep("b", "{}")
    try keep("x", "{}", of: "bob")
    try keep("a", "{}")

    #expect(try list().map(\.key) == ["b", "a"])
    #expect(try records.all(things).map(\.key) == ["b", "x", "a"])
  }

  @Test("a page starts after its boundary and ends at its limit")
  func pageAfter() throws {
    for key in ["a", "b", "c", "d"] { try keep(key, "{}") }
    let ordinals = try list().map(\.ordinal)

    #expect(try list(.after(ordinals[0]), 2).map(\.key) == ["b", "c"])
    #expect(try list(.after(ordinals[3]), 2).map(\.key) == [])
  }

  @Test("a page before a boundary has the records next to it, oldest first")
  func pageBefore() throws {
    for key in ["a", "b", "c", "d"] { try keep(key, "{}") }
    let ordinals = try list().map(\.ordinal)

    #expect(try list(.before(ordinals[3]), 2).map(\.key) == ["b", "c"])
    #expect(try list(.before(ordinals[0]), 2).map(\.key) == [])
  }

  @Test("a record is decoded again only after it has changed")
  func copies() throws {
    var readings = 0
    func read() throws -> String? {
      try records.read("a", in: things) { item in
        readings += 1
        return item.record
      }?.value
    }

    let absent = try read()
    try keep("a", "1")
    let first = [try read(), try read()]
    try keep("a", "2")
    let second = [try read(), try read()]
    _ = try records.delete("a", in: things)

    #expect(absent == nil)
    #expect(first == ["1", "1"])
    #expect(second == ["2", "2"])
    #expect(try read() == nil)
    #expect(readings == 2)
  }

  @Test("a rolled back record is not cached")
  func copiesAfterRollback() throws {
    try keep("a", "1")
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try keep("a", "2")
        _ = try records.read("a", in: things) { $0.record }
        throw TestError()
      }
    }

    #expect(try records.read("a", in: things) { $0.record }?.value == "1")
  }

  @Test("a record is read after the first one of its kind was saved, and not after that was rolled back")
  func firstRecord() throws {
    func read() throws -> String? { try records.read("a", in: things) { $0.record }?.value }
    #expect(try read() == nil)
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try keep("a", "1")
        #expect(try read() == "1")
        throw TestError()
      }
    }

    #expect(try read() == nil)
    try keep("b", "2")
    #expect(try read() == nil)
    try keep("a", "3")
    #expect(try read() == "3")
  }

  @Test("a section that is full has no room")
  func room() throws {
    for key in ["a", "b"] { try keep(key, "{}") }

    try records.requireRoom(in: things, limit: 3)
    #expect(throws: FieldError.self) { try records.requireRoom(in: things, limit: 2) }
  }

  @Test("adding to a history deletes its oldest records, also after deletions and a rollback")
  func histories() throws {
    for key in ["a", "b", "c"] { try add(key) }
    #expect(try list().map(\.key) == ["b", "c"])
    _ = try records.delete("b", in: things)
    try add("d")
    try? world.sandbox.atomically {
      try add("e")
      throw TestError()
    }
    #expect(try list().map(\.key) == ["c", "d"])

    try add("f")

    #expect(try list().map(\.key) == ["d", "f"])
  }

  @Test("another sandbox has its own records")
  func isolation() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    try keep("a", "{}")

    #expect(try other.records.all(things) == [])
  }

  private func add(_ key: String) throws {
    let item = RecordStore.Item(ordinal: world.sandbox.nextOrdinal(), key: key, record: "{}")
    try records.add(item, of: "ann", in: things, keeping: 2)
  }

  private func keep(_ key: String, _ record: String, of owner: String = "ann") throws {
    try records.save(Array(record.utf8), under: key, of: owner, in: things)
  }

  private func list(_ border: PageBoundary = .after(0), _ limit: Int = Int.max) throws -> [RecordStore.Item] {
    try records.list(things, of: "ann", from: border, limit: limit)
  }
}
