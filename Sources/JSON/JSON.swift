package enum JSON { case object([Int]) }
package struct FieldError: Error {}
package final class Fields { package init(_ b: [UInt8]) throws(FieldError) {}; package init(_ j: JSON) throws(FieldError) {}; package var unread: [String] { [] } }
