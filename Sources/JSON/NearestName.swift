extension Sequence<String> {
  /// The name that was probably meant by a misspelt one; nil if none is similar enough.
  ///
  /// At most a third of the letters may differ; letters that changed places count once, and case does not
  /// count.
  package func nearest(to name: String) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    var best: (name: String, distance: Int)?
    for candidate in self {
      let other = Array(candidate.lowercased().unicodeScalars)
      let limit = Swift.max(1, Swift.max(letters.count, other.count) / 3)
      // Long names are not compared: the time grows with the product of the lengths.
      guard abs(letters.count - other.count) <= limit else { continue }
      let distance = editDistance(letters, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }
}

/// How many letters have to be inserted, deleted, replaced or swapped with the next one.
private func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for (line, letter) in one.enumerated() {
    var row = [line + 1]
    for (column, candidate) in other.enumerated() {
      var distance = Swift.min(
        last[column] + (letter == candidate ? 0 : 1), last[column + 1] + 1, row[column] + 1)
      if line > 0, column > 0, letter == other[column - 1], one[line - 1] == candidate {
        distance = Swift.min(distance, beforeLast[column - 1] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[other.count]
}
