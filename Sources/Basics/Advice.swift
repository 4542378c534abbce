/// The reason of an answer in the journal: why, and in a line of its own what to change.
///
/// ```
/// wrong code: check 1 of 5
/// change: Enter the code of the newest message. Checks that are left: 4.
/// ```
extension String {
  private static let adviceLabel = "change: "

  /// This reason with what to change; nil where nobody knows.
  package func advising(_ change: String?) -> String {
    change.map { "\(self)\n\(Self.adviceLabel)\($0)" } ?? self
  }

  /// What a reason says to change.
  package var advice: String? {
    split(separator: "\n").first { $0.hasPrefix(Self.adviceLabel) }
      .map { String($0.dropFirst(Self.adviceLabel.count)) }
  }

  /// A reason without what to change.
  package var withoutAdvice: String {
    guard contains("\n\(Self.adviceLabel)") else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix(Self.adviceLabel) }.joined(separator: "\n")
  }
}
