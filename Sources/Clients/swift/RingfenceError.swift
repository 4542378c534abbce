public import Foundation

/// Everything that goes wrong between a test and its sandbox.
public struct RingfenceError: Error, CustomStringConvertible, LocalizedError {
  public let message: String
  /// The status of the control API's answer.
  public let status: Int?
  /// The member or parameter with the problem.
  public let field: String?
  /// True if the message says what happened in the sandbox.
  let isExplained: Bool

  init(_ message: String, status: Int? = nil, field: String? = nil, isExplained: Bool = false) {
    (self.message, self.status, self.field, self.isExplained) = (message, status, field, isExplained)
  }

  public var description: String { message }
  public var errorDescription: String? { message }
}

/// The name with the fewest changed, missing or exchanged letters; at most a third, as in the program.
func nearest(to name: String, in known: [String]) -> String? {
  known.map { (other: $0, letters: distance(Array(name.lowercased()), Array($0.lowercased()))) }
    .filter { $0.letters <= max(1, name.count / 3, $0.other.count / 3) }
    .min { $0.letters < $1.letters }?.other
}

private func distance(_ one: [Character], _ other: [Character]) -> Int {
  var rows = [Array(0...other.count)]
  for line in one.indices {
    let before = rows[line]
    var row = [line + 1]
    for column in other.indices {
      let changed = before[column] + (one[line] == other[column] ? 0 : 1)
      row.append(min(changed, before[column + 1] + 1, row[column] + 1))
      guard line > 0, column > 0, one[line - 1] == other[column], one[line] == other[column - 1] else {
        continue
      }
      row[column + 1] = min(row[column + 1], rows[line - 1][column - 1] + 1)
    }
    rows.append(row)
  }
  return rows[one.count][other.count]
}
