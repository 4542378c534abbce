import Testing

@testable import JSON

@Suite("Properties of records")
struct PropertyTests {
  private struct Inner: Equatable {
    var names = ["a"]
    var size: UInt8 = 1
  }

  private struct Record: Equatable {
    var isOn = false
    var text: String?
    var inner = Inner()
    var count = 3 {
      didSet { changes += 1 }
    }
    var changes = 0
    var double: Int {
      get { count * 2 }
      set { count = newValue / 2 }
    }
  }

  @Test("stored properties are read and set, and nothing beside them")
  func stored() {
    var record = Record()
    Property(\Record.text).set("some text that needs memory of its own", in: &record)
    Property(\Record.isOn).set(true, in: &record)
    Property(\Record.inner.names).set(["b", "c"], in: &record)
    Property(\Record.inner.size).set(9, in: &record)

    var expected = Record(isOn: true, text: "some text that needs memory of its own")
    expected.inner = Inner(names: ["b", "c"], size: 9)
    #expect(record == expected)
    #expect(Property(\Record.inner).value(in: record) == expected.inner)
    #expect(Property(\Record.text).value(in: record) == expected.text)
    Property(\Record.text).set(nil, in: &record)
    #expect(record.text == nil && Property(\Record.text).value(in: record) == nil)
  }

  @Test("computed and observed properties run their code")
  func computed() {
    var record = Record()
    Property(\Record.double).set(20, in: &record)
    Property(\Record.count).set(11, in: &record)
    #expect(record.count == 11 && record.changes == 2 && Property(\Record.double).value(in: record) == 22)
  }
}
