/// The shape of a JSON object with known members.
package struct ObjectSchema: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    package let name: String
    package let schema: JSONSchema
    package let summary: String
    package let presence: Presence

    package init(_ name: String, _ schema: JSONSchema, _ summary: String, _ presence: Presence = .optional) {
      self.name = name
      self.schema = schema
      self.summary = summary
      self.presence = presence
    }
  }

  /// When a member is there.
  package enum Presence: Equatable, Sendable {
    /// In every request and every answer.
    case required
    /// Optional in requests, where its absence means this value; in every answer.
    case defaulted(JSON)
    /// Optional in requests; in every answer, where it can be `null`.
    case nullable
    /// Optional in requests; in every answer.
    case always
    /// Optional in requests and answers.
    case optional
    /// In every answer; ignored in requests, so that an answer can be sent back.
    case readOnly
  }

  /// What holds between members of a request.
  package enum Constraint: Equatable, Sendable {
    /// At least one of these members has a value.
    case atLeastOne(of: [String])
    /// Either all of these members have values, or none has.
    case together([String])
    /// The values of one member depend on another.
    case choices([Choice])
  }

  /// Where the member at `path` has one of `values`, `member` has one of the values allowed.
  package struct Choice: Equatable, Sendable {
    package let path: [String]
    package let values: [JSON]
    package let member: String
    package let allowed: [JSON]

    package init(path: [String], values: [JSON], member: String, allowed: [JSON]) {
      self.path = path
      self.values = values
      self.member = member
      self.allowed = allowed
    }
  }

  /// The component's name; nil for a shape that is written where it is used.
  package let name: String?
  package let summary: String
  package let members: [Member]
  package let constraints: [Constraint]

  package init(
    _ name: String?, _ summary: String, _ members: [Member], constraints: [Constraint] = []
  ) {
    self.name = name
    self.summary = summary
    self.members = members
    self.constraints = constraints
  }

  /// The same object under another name, in which these members must be there.
  package func requiring(_ names: String..., as name: String) -> ObjectSchema {
    let members = members.map {
      names.contains($0.name) ? Member($0.name, $0.schema, $0.summary, .required) : $0
    }
    return ObjectSchema(name, summary, members, constraints: constraints)
  }
}

extension ObjectSchema {
  /// The member that was probably meant by an unknown name: `match.route` for one that belongs into another
  /// object.
  func nearestMember(to name: String) -> String? {
    if let nearest = members.map(\.name).nearest(to: name) { return nearest }
    let outer = members.first { $0.schema.object?.members.contains { $0.name == name } ?? false }
    return outer.map { "\($0.name).\(name)" }
  }
}
