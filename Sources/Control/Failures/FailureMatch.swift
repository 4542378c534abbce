/// Finds the failure of the table that a rule is.
package enum FailureMatch {
  /// A rule of the table has all members of its failure. Of several such failures, the one with the longest
  /// rule is meant. For whom and how often a rule acts does not matter.
  package static func failure(of rule: JSON, in list: String) -> Failure? {
    candidates.filter { $0.failure.cause.list == list && rule.contains($0.json) }
      .max { $0.size < $1.size }?.failure
  }

  private static let candidates: [(failure: Failure, json: JSON, size: Int)] =
    FailureGroup.all.flatMap(\.failures).compactMap { failure in
      guard failure.cause.list != nil, let text = failure.cause.json,
        let json = try? JSON(parsing: Array(text.utf8))
      else { return nil }
      return (failure, json, text.utf8.count)
    }
}

extension JSON {
  /// True if all members of `part` are in it, too, with equal values.
  fileprivate func contains(_ part: JSON) -> Bool {
    guard case .object(let members) = part, case .object(let own) = self else { return self == part }
    return members.allSatisfy { member in
      own.contains { $0.name == member.name && $0.value.contains(member.value) }
    }
  }
}
