/// The values that a masked text hides, each with its place. A mark in another text stands for one only at
/// the same place: the same path in JSON, or the same name in a form or query, and the same one of its
/// values.
struct HiddenValues {
  private var values: [MarkedValues.Place: (shown: ArraySlice<UInt8>, original: ArraySlice<UInt8>)] = [:]

  /// `shown` is the masked `original`. What follows the first other difference is not restored.
  init(shown: MarkedValues, original: [UInt8]) {
    let original = MarkedValues(original, isJSON: shown.isJSON)
    // How far both texts are equal, apart from the hidden values.
    var (end, originalEnd) = (0, 0)
    for (place, range) in shown.all {
      let start = originalEnd + range.lowerBound - end
      guard start < original.bytes.count,
        shown.bytes[end..<range.lowerBound] == original.bytes[originalEnd..<start]
      else { return }
      (end, originalEnd) = (range.upperBound, original.end(ofValueAt: start))
      values[place] = (shown.bytes[range], original.bytes[start..<originalEnd])
    }
  }

  /// The text with the hidden values in place of those that are still as they were shown.
  func restored(in text: MarkedValues) -> [UInt8] {
    var (restored, end) = ([UInt8](), 0)
    for (place, range) in text.all {
      guard let value = values[place], value.shown == text.bytes[range] else { continue }
      restored += text.bytes[end..<range.lowerBound] + value.original
      end = range.upperBound
    }
    return restored + text.bytes[end...]
  }
}

/// The values with marks in a form, in a query or in JSON, which need not be valid.
struct MarkedValues {
  /// A path in JSON, or a name; and how many values before it have the same.
  struct Place: Hashable {
    let path: [UInt8]
    let number: Int
  }

  let bytes: [UInt8]
  let isJSON: Bool

  /// No request of a provider has more.
  private static let limit = 100
  private static let deepest = 64
  private static let mark = Array(Masking.mark.utf8)

  init(_ bytes: [UInt8], isJSON: Bool) { (self.bytes, self.isJSON) = (bytes, isJSON) }

  /// A body is JSON if it begins like an object or array.
  init(body: [UInt8]) {
    self.init(body, isJSON: body.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false)
  }

  /// In order.
  var all: [(place: Place, range: Range<Int>)] { isJSON ? valuesInJSON : valuesInPairs }

  /// The end of the value that starts at an index, as far as masking would hide it.
  func end(ofValueAt start: Int) -> Int {
    guard isJSON else { return bytes[start...].firstIndex(where: Self.isSeparator) ?? bytes.count }
    var (end, depth) = (start, 0)
    repeat {
      switch bytes[end] {
      case UInt8(ascii: "\""):
        end = self.end(ofStringAt: end)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default:
        end = max(end + 1, bytes[end...].firstIndex { ",]}[{\"".utf8.contains($0) } ?? bytes.count)
        continue
      }
      end += 1
    } while depth > 0 && end < bytes.count
    return end
  }

  // MARK: Forms and queries

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?")
  }

  private var valuesInPairs: [(place: Place, range: Range<Int>)] {
    let parts = bytes.split(omittingEmptySubsequences: false, whereSeparator: Self.isSeparator)
    let marked = parts.filter { Self.hasMark($0) }.prefix(Self.limit)
    var counts = Dictionary(marked.map { (Self.name(of: $0), 0) }) { first, _ in first }
    var found: [(place: Place, range: Range<Int>)] = []
    for part in parts where found.count < marked.count {
      let name = Self.name(of: part)
      guard let count = counts[name] else { continue }
      counts[name] = count + 1
      guard Self.hasMark(part) else { continue }
      let start = name.isEmpty ? part.startIndex : name.endIndex + 1
      found.append((Place(path: Array(name), number: count), start..<part.endIndex))
    }
    return found
  }

  /// Empty for a part without a value.
  private static func name(of part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    part.firstIndex(of: UInt8(ascii: "=")).map { part[..<$0] } ?? []
  }

  private static func hasMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let start = rest.firstIndex(of: mark[0]) {
      rest = rest[start...]
      if rest.starts(with: mark) { return true }
      rest = rest.drop { $0 == mark[0] }
    }
    return false
  }

  // MARK: JSON

  /// An object or array that is not closed yet, with the name or the index of its present value.
  private struct Container {
    let isObject: Bool
    var name: Range<Int> = 0..<0
    var index = 0
  }

  private var valuesInJSON: [(place: Place, range: Range<Int>)] {
    var found: [(place: Place, range: Range<Int>)] = []
    var counts: [[UInt8]: Int] = [:]
    var open: [Container] = []
    var offset = 0
    while offset < bytes.count, found.count < Self.limit, open.count <= Self.deepest {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        let range = offset..<end(ofStringAt: offset)
        offset = range.upperBound
        if open.last?.isObject == true, isName(endingAt: offset) {
          open[open.count - 1].name = range
        } else if Self.hasMark(bytes[range]) {
          let path = path(of: open)
          found.append((Place(path: path, number: counts[path, default: 0]), range))
          counts[path, default: 0] += 1
        }
        continue
      case UInt8(ascii: "{"): open.append(Container(isObject: true))
      case UInt8(ascii: "["): open.append(Container(isObject: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","): if let last = open.indices.last { open[last].index += 1 }
      default: break
      }
      offset += 1
    }
    return found
  }

  private func isName(endingAt end: Int) -> Bool {
    bytes[end...].first { $0 > 0x20 } == UInt8(ascii: ":")
  }

  /// Names are in quotes, so that no path can be taken for another.
  private func path(of open: [Container]) -> [UInt8] {
    open.flatMap { $0.isObject ? Array(bytes[$0.name]) : Array("[\($0.index)]".utf8) }
  }

  /// After the closing quote, which may be missing at the end of the text.
  private func end(ofStringAt start: Int) -> Int {
    var end = start + 1
    while end < bytes.count {
      let byte = bytes[end]
      end += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    return min(end, bytes.count)
  }
}
