/// One thing in an answer that the sandbox does otherwise than the recorded provider.
package struct Difference: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The status of the answer.
    case status
    /// In the recording only.
    case missing
    /// In the sandbox's answer only.
    case extra
    /// A number instead of a text, for example.
    case type
    case text
    case number
    /// An id or token of another form.
    case idShape = "id shape"
    /// An id that is another thing's.
    case id
    case time
    case timeFormat = "time format"
    /// The number of items in an array.
    case count
    /// The sandbox does not have the operation.
    case notEmulated = "not emulated"
  }

  /// `status`, `header Location`, or a place in the body such as `$.items[0].id`.
  package internal(set) var place: String
  package let kind: Kind
  /// Nil where there is nothing.
  package internal(set) var recorded: String?
  package internal(set) var own: String?
  /// Why the sandbox refused the request, for another status.
  package internal(set) var why: String?

  /// The same for all items of an array.
  var generalPlace: String {
    var (general, isIndex) = ("", false)
    for character in place {
      if character == "[" { general += "[]" }
      isIndex = character == "[" || isIndex && character != "]"
      if !isIndex, character != "]" { general.append(character) }
    }
    return general
  }

  /// The name of the last member, or of the header.
  var member: Substring {
    place.split { ". []".contains($0) }.last { !$0.allSatisfy(\.isNumber) } ?? ""
  }

  /// True if one place contains the other.
  func isWithin(_ other: String) -> Bool {
    place == other || place.hasPrefix("\(other).") || place.hasPrefix("\(other)[")
      || other.hasPrefix("\(place).") || other.hasPrefix("\(place)[")
  }
}
