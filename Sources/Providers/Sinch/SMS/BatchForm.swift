import Crypto
import ProviderKit

/// The body of a request that makes or changes a batch. Source: `senders.md` 7.
struct BatchForm {
  private let fields: Fields
  private let context: SMSContext

  /// Without a time to expire, a batch has so long from its sending, and never more.
  private static let longestLife = Duration.seconds(3 * 86_400)

  init(_ context: SMSContext) throws {
    self.context = context
    fields = try context.request.json
  }

  /// All members of a new batch, or of one that replaces another.
  func fill(_ batch: inout Batch) throws {
    guard let to = try fields.optionalStrings("to") else {
      throw SMSError.constraint("to", expected: "1 to 1000 numbers; found nothing")
    }
    batch.to = try numbers(to, in: "to")
    try readCommonMembers(into: &batch)
    batch.kind = try word("type", Batch.Kind.self) ?? .text
    batch.udh = try fields.optionalString("udh")
    batch.clientReference = try text("client_reference", upTo: 128)
    batch.expectsFeedback = try fields.optionalBool("feedback_enabled") ?? false
    batch.isFlash = try fields.optionalBool("flash_message") ?? false
    batch.isTruncated = try fields.optionalBool("truncate_concat")
    batch.maxParts = try integer("max_number_of_message_parts", 1...255)
    batch.typeOfNumber = try integer("from_ton", 0...6)
    batch.numberingPlan = try integer("from_npi", 0...18)
    if try fields.optionalString("expire_at") == nil {
      batch.expireAt = max(batch.sendAt ?? context.now, context.now) + Self.longestLife
    }
    try check(batch)
  }

  /// The members that a change names.
  func change(_ batch: inout Batch) throws {
    let removed = try fields.optionalStrings("to_remove").map { try numbers($0, in: "to_remove") } ?? []
    let added = try fields.optionalStrings("to_add").map { try numbers($0, in: "to_add") } ?? []
    let gone = Set(removed)
    batch.to = batch.to.filter { !gone.contains($0) }
    let present = Set(batch.to)
    batch.to += added.filter { !present.contains($0) }
    let earlier = batch
    try readCommonMembers(into: &batch)
    if let before = earlier.sendAt, let after = batch.sendAt, batch.expireAt == earlier.expireAt {
      batch.expireAt = after + (earlier.expireAt - before)
    }
    try check(batch)
  }

  private func readCommonMembers(into batch: inout Batch) throws {
    if let from = try fields.optionalString("from") { batch.from = try sender(from) }
    if let body = try fields.optionalJSON("body") { batch.body = body }
    if let parameters = try parameters() { batch.parameters = parameters }
    if let reports = try word("delivery_report", Batch.Reports.self) { batch.reports = reports }
    if let time = try time("send_at") { batch.sendAt = time }
    if let time = try time("expire_at") { batch.expireAt = time }
    if let url = try text("callback_url", upTo: 2048) {
      guard AbsoluteURL(url) != nil else {
        throw SMSError.invalid("callback_url", expected: "an http or https URL")
      }
      batch.callbackURL = url
    }
    if let campaign = try fields.optionalString("campaign_id") {
      throw SMSError(.unknownCampaign).because("campaign_id: the sandbox has no campaign \(campaign)")
    }
  }

  /// What must hold for the whole batch.
  private func check(_ batch: Batch) throws {
    guard (1...Self.recipientLimit).contains(batch.to.count) else {
      throw SMSError.constraint(
        "to", expected: "1 to \(Self.recipientLimit) numbers; found \(batch.to.count)")
    }
    try checkBody(of: batch)
    let start = max(batch.sendAt ?? context.now, context.now)
    guard batch.expireAt > start, batch.expireAt <= start + Self.longestLife else {
      throw SMSError.constraint("expire_at", expected: "a time after send_at, at most three days later")
    }
    guard batch.reports == .none || batch.callbackURL(context.plan) != nil else {
      throw SMSError(.missingCallbackURL).because(
        "delivery_report is \(batch.reports.rawValue), and neither the batch nor the service plan has a callback URL"
      )
    }
  }

  static let recipientLimit = 1000

  private func checkBody(of batch: Batch) throws {
    switch (batch.kind, batch.body) {
    case (.text, .string(let text)):
      guard !text.isEmpty, text.count <= 2000 else {
        throw SMSError.constraint("body", expected: "1 to 2000 characters; found \(text.count)")
      }
    case (.binary, .string(let text)):
      guard let bytes = Base64.decode(text) else { throw SMSError.invalid("body", expected: "Base64") }
      guard let udh = batch.udh, udh.utf8.count.isMultiple(of: 2), udh.utf8.allSatisfy(\.isHexDigit) else {
        throw SMSError.constraint("udh", expected: "hex digits")
      }
      guard bytes.count + udh.utf8.count / 2 <= 140 else {
        throw SMSError.constraint("body", expected: "at most 140 bytes together with udh")
      }
    case (.media, .object):
      guard case .string(let url)? = batch.body["url"], AbsoluteURL(url) != nil else {
        throw SMSError.constraint("body.url", expected: "an http or https URL")
      }
    case (_, .null): throw SMSError.constraint("body", expected: "the message; found nothing")
    case (.media, _): throw SMSError.invalid("body", expected: "an object with url and message")
    case (.text, _), (.binary, _): throw SMSError.invalid("body", expected: "a string")
    }
  }

  // MARK: Values

  /// Each number once.
  private func numbers(_ texts: [String], in member: String) throws -> [String] {
    var known: Set<String> = []
    return try texts.enumerated().compactMap { place, text in
      guard let digits = MSISDN.digits(of: text) else {
        guard !Self.isGroupID(text) else {
          throw SMSError(.unknownGroup).because("\(member)[\(place)]: the sandbox has no group \(text)")
        }
        throw SMSError.invalid("\(member)[\(place)]", expected: "a phone number such as 12025550100")
          .because(PhoneNumber.refusal(of: text, in: "\(member)[\(place)]"))
      }
      return known.insert(digits).inserted ? digits : nil
    }
  }

  private static func isGroupID(_ text: String) -> Bool { ULIDText.words(text.lowercased()) != nil }

  /// A number, a short code, or a name.
  private func sender(_ text: String) throws -> String {
    let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
    if !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit }) {
      guard (3...15).contains(digits.utf8.count) else {
        throw SMSError.invalid("from", expected: "3 to 15 digits, or a name")
      }
      return digits
    }
    guard (1...11).contains(text.count) else {
      throw SMSError.invalid("from", expected: "a number, or a name of 1 to 11 characters")
    }
    return text
  }

  /// With the numbers as the API shows them.
  private func parameters() throws -> JSON? {
    guard let object = try fields.optionalObject("parameters") else { return nil }
    return .object(
      try object.names.map { name in
        guard (1...16).contains(name.utf8.count),
          name.utf8.allSatisfy({ $0.isAlphanumeric || ".-_".utf8.contains($0) })
        else {
          throw SMSError.constraint(
            "parameters", expected: "names of 1 to 16 letters, digits, dots, dashes and underscores")
        }
        let values = try object.texts(name).pairs.map { number, value in
          guard value.utf8.count <= 160 || value.count <= 160 else {
            throw SMSError.constraint("parameters.\(name)", expected: "values of at most 160 characters")
          }
          return JSON.Member(name: MSISDN.digits(of: number) ?? number, value: .string(value))
        }
        return JSON.Member(name: name, value: .object(values))
      })
  }

  private func text(_ member: String, upTo limit: Int) throws -> String? {
    guard let text = try fields.optionalString(member), !text.isEmpty else { return nil }
    guard text.count <= limit else {
      throw SMSError.constraint(member, expected: "at most \(limit) characters")
    }
    return text
  }

  private func integer(_ member: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let number = try fields.optionalInt(member) else { return nil }
    guard range.contains(number) else {
      throw SMSError.constraint(member, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func word<Word: CaseIterable & RawRepresentable<String>>(
    _ member: String, _: Word.Type
  ) throws -> Word? {
    guard let text = try fields.optionalString(member) else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw SMSError.invalid(member, expected: "one of \(words)")
    }
    return word
  }

  private func time(_ member: String) throws -> Timestamp? {
    guard let text = try fields.optionalString(member) else { return nil }
    guard let time = SMSTime.parse(text) else {
      throw SMSError.invalid(member, expected: "a time such as 2026-01-05T10:20:30.000Z")
    }
    return time
  }
}

/// Numbers as the API takes them. Source: `senders.md` 7, docs/sms/sms-rest/sms-rest-formats.md.
enum MSISDN {
  /// The digits with the country code. A leading `+` or `00` is left out, and so are blanks, dashes and
  /// brackets. Nil for text that is no number.
  static func digits(of text: String) -> String? {
    let digits = text.filter { !" -()[]".contains($0) }
    let prefix = ["+", "00"].first { digits.hasPrefix($0) } ?? ""
    let number = digits.dropFirst(prefix.count)
    return PhoneNumber("+\(number)") == nil ? nil : String(number)
  }

  /// A sender or receiver as the API shows it.
  static func shown(_ text: String) -> String { text.hasPrefix("+") ? String(text.dropFirst()) : text }
}

enum SMSTime {
  /// ISO 8601: seconds and offset may be missing, and the time of a date too.
  static func parse(_ text: String) -> Timestamp? {
    let variants = [text, "\(text)Z", "\(text):00Z", "\(text)T00:00:00Z"]
    if let time = variants.lazy.compactMap({ Timestamp(rfc3339: $0) }).first { return time }
    // Minutes, with an offset.
    return text.hasSuffix("Z") ? Timestamp(rfc3339: "\(text.dropLast()):00Z") : nil
  }
}
