import ProviderKit

/// A resource below a Service that is stored as one record. Its operations differ in their rules only.
protocol ServiceResource: StoredRecord {
  /// The member of lists that has the resources.
  static var listKey: StaticString { get }

  /// The group of the table that the path selects.
  static func group(of context: RequestContext) throws -> String
  /// The resource of the path; fails with 20404 if there is none.
  static func named(by context: RequestContext) throws -> Self

  var createdAt: Timestamp { get set }
  var updatedAt: Timestamp { get set }

  /// Sets what the form of an update has.
  mutating func update(from form: Form, in context: RequestContext) throws
  /// Deletes the record, and what belongs to it.
  func delete(in sandbox: Sandbox) throws
  func write(to json: inout JSONWriter, in context: RequestContext)
}

extension ServiceResource {
  static func group(of context: RequestContext) throws -> String { context.service.sid }

  func response(_ status: Status, in context: RequestContext) -> Response {
    .json(status) { write(to: &$0, in: context) }
  }

  static func deleteAll(of group: String, in sandbox: Sandbox) throws {
    for resource in try all(of: group, in: sandbox) { try resource.delete(in: sandbox) }
  }

  /// Stores a new resource. `ordinal`: the number that its SID was made from; nil: it has no SID.
  mutating func insert(ordinal: Int? = nil, in sandbox: Sandbox) throws {
    createdAt = sandbox.clock.now
    updatedAt = createdAt
    try Self.table.save(self, as: key, group: group, ordinal: ordinal, in: sandbox)
  }
}

/// The operations that are the same for all.
extension ServiceResource {
  static func fetch(_ context: RequestContext) throws -> Response {
    try named(by: context).response(200, in: context)
  }

  static func update(_ context: RequestContext) throws -> Response {
    var resource = try named(by: context)
    try resource.update(from: context.request.form, in: context)
    resource.updatedAt = context.sandbox.clock.now
    try resource.save(in: context.sandbox)
    return resource.response(200, in: context)
  }

  static func delete(_ context: RequestContext) throws -> Response {
    try named(by: context).delete(in: context.sandbox)
    return Response(204)
  }

  static func list(_ context: RequestContext) throws -> Response {
    try Page(of: context, table, group: group(of: context))
      .response(key: listKey, baseURL: context.baseURL) { $0.write(to: &$1, in: context) }
  }
}
