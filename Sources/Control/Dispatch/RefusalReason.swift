import Crypto

/// The reason of a refusal, for the journal: that of the provider's rules, with what was odd about the
/// request as it was sent. It names fields and characters; the values of secrets it does not show.
struct RefusalReason {
  let request: Request
  /// The reason of the handler, if it has one, without what to change.
  private let own: String?
  private let advice: String?
  let status: Status

  init(request: Request, own: String?, status: Status) {
    self.request = request
    self.own = own?.withoutAdvice
    advice = own.flatMap { $0.advice ?? Self.change(ofSettingIn: $0) }
    self.status = status
  }

  /// `the setting blockedNumbers has +1202`: settings are the sandbox's own, so it can be told what to do.
  private static func change(ofSettingIn reason: String) -> String? {
    guard let start = reason.firstRange(of: "setting ")?.upperBound else { return nil }
    let name = reason[start...].prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return name.isEmpty ? nil : "Change the setting \(name), or send what it allows."
  }

  /// Nil if nobody knows one.
  var text: String? { reason?.advising(request.bodyProblem == nil ? advice : nil) }

  private var reason: String? {
    if let problem = request.bodyProblem {
      // Credentials may be in the body, or missing beside it.
      return [problem.description, status == 401 || status == 403 ? own : nil].compactMap(\.self)
        .joined(separator: "; ")
    }
    guard (400..<500).contains(status.code) || own != nil else { return nil }
    let remarks =
      ([request.misplaced].compactMap(\.self) + repeated
      + values.lazy.compactMap(remark).prefix(Self.remarkLimit)).prefix(Self.remarkLimit)
    guard let own else { return remarks.isEmpty ? nil : remarks.joined(separator: "; ") }
    guard !remarks.isEmpty else { return own }
    // A report of several lines keeps its last one.
    let separator = own.contains("\n") ? "\n" : "; "
    return ([own.hasSuffix(".") ? String(own.dropLast()) : own] + remarks).joined(separator: separator)
  }

  private static let remarkLimit = 4
  /// In bytes. Reasons are for people, and larger bodies are seldom written by them.
  private static let bodyLimit = 1 << 14
  /// In bytes. Longer texts are for readers, who see no difference.
  private static let textLimit = 200

  /// A field that was sent twice. A document in which that is an error has no fields.
  private var repeated: [String] {
    let suffix = UnreadNames.repeated("")
    let names = request.unread(isAccepted: false).filter { $0.hasSuffix(suffix) }
      .map { String($0.dropLast(suffix.count)) }
    return (names.isEmpty ? repeatedMembers : names).map { "\($0): found more than once" }
  }

  private var repeatedMembers: [String] {
    request.inputs.bodyFormat == .json && isReadable ? JSON.repeatedNames(in: request.body) : []
  }

  private var isReadable: Bool { request.body.count <= Self.bodyLimit }
}

/// What is in the texts of a request.
extension RefusalReason {
  private struct Value {
    let name: String
    let text: String
    /// True where a plus sign has to be escaped.
    var isInForm = false
  }

  private var values: [Value] {
    var values = request.parameters.pairs.map { Value(name: $0.name, text: $0.value) }
    values += fields(of: try? request.query)
    if isReadable {
      switch request.inputs.bodyFormat {
      case .form: values += fields(of: try? request.form)
      case .json: if let json = try? JSON(parsing: request.body) { collect(json, "", into: &values) }
      case nil: break
      }
    }
    return values + credentials
  }

  private func fields(of form: Form?) -> [Value] {
    form?.pairs.map { Value(name: $0.name, text: $0.value, isInForm: true) } ?? []
  }

  private func collect(_ json: JSON, _ path: String, into values: inout [Value]) {
    switch json {
    case .string(let text): values.append(Value(name: path, text: text))
    case .array(let items):
      for (place, item) in items.enumerated() { collect(item, "\(path)[\(place)]", into: &values) }
    case .object(let members):
      for member in members {
        collect(member.value, path.isEmpty ? member.name : "\(path).\(member.name)", into: &values)
      }
    default: break
    }
  }

  /// `echo secret | base64` encodes a line feed, too.
  private var credentials: [Value] {
    guard let field = request.headers["Authorization"], field.lowercased().hasPrefix("basic "),
      let pair = Base64.decode(String(field.dropFirst("basic ".count)))
    else { return [] }
    let halves = pair.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    return zip(["the user name of Authorization", "the password of Authorization"], halves).map {
      Value(name: $0, text: String(decoding: $1, as: UTF8.self))
    }
  }

  private func remark(on value: Value) -> String? {
    guard value.text.utf8.count <= Self.textLimit else { return nil }
    let number = WrittenNumber(value.text)
    let remark =
      value.isInForm && number.hasLostPlus
      ? "has a blank in the place of +: in a form, + is written as %2B"
      : invisible(in: value.text) ?? (mayBeRefused(value) ? number.remark(expectsPlus: expectsPlus) : nil)
    return remark.map { "\(value.name) \($0)" }
  }

  /// `begins with U+202A (left-to-right embedding)`; by its place, so that no part of a secret is shown.
  private func invisible(in text: String) -> String? {
    let scalars = text.unicodeScalars
    if let first = scalars.first, Self.isOdd(first) { return "begins with \(Self.name(of: first))" }
    if let last = scalars.last, Self.isOdd(last) { return "ends with \(Self.name(of: last))" }
    // Texts of several words may have line breaks and the like.
    guard WrittenNumber(text).mayBeNumber || !scalars.contains(" "),
      let place = scalars.firstIndex(where: \.isInvisible)
    else { return nil }
    return "has \(scalars[place].codePointWithName) as character \(scalars[...place].count)"
  }

  private static func isOdd(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar.isInvisible }

  private static func name(of scalar: Unicode.Scalar) -> String {
    scalar == " " ? "a blank" : scalar.codePointWithName
  }

  /// True if the field is for a phone number, and is probably what was refused: the reason has its name or
  /// value, or there is no reason.
  private func mayBeRefused(_ value: Value) -> Bool {
    let name = value.name.split { ".[".contains($0) }.last.map { $0.lowercased() } ?? ""
    guard Self.numberNames.contains(where: name.contains) || Self.otherNumberNames.contains(name) else {
      return false
    }
    guard let own else { return true }
    return own.contains(value.name) || own.contains(value.text)
      || ["number", "destination"].contains(where: own.lowercased().contains)
  }

  /// Some providers want numbers without a plus sign.
  private var expectsPlus: Bool { own?.contains(PhoneNumber.expected) ?? false }

  private static let numberNames = ["number", "phone", "mobile", "msisdn"]
  private static let otherNumberNames: Set = ["to", "from", "value", "endpoint", "recipient"]
}
