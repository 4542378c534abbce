/// The revisions of the Model Context Protocol that the server speaks, oldest first.
package enum ProtocolVersion: String, CaseIterable {
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"

  /// The field of HTTP with the revision. Source: MCP 2025-06-18, basic/transports.
  package static let header = "MCP-Protocol-Version"

  static let latest = ProtocolVersion.november2025

  /// What a request without the field means: such clients know no later revision.
  static let undeclared = ProtocolVersion.march2025

  /// Later revisions have no batches.
  var hasBatches: Bool { self == .march2025 }
}
