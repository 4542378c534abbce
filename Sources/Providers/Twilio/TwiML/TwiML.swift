import ProviderKit

/// What an app answers to a call or a message: an XML document whose root is `Response`. Its elements are
/// verbs.
package struct TwiML: Equatable, Sendable {
  package let verbs: [XMLElement]

  package init(_ document: [UInt8]) throws(TwiMLError) {
    let root: XMLElement
    do throws(XMLError) {
      root = try XMLReader.root(of: document)
    } catch {
      throw TwiMLError(.notXML, error.description)
    }
    guard root.name == "Response" else {
      throw TwiMLError(.wrongRoot, "expected the root element Response; found \(root.name)")
    }
    verbs = root.elements
  }
}

/// Why an app's answer cannot be used.
package struct TwiMLError: Error, Equatable, Sendable {
  /// Numbers of the provider's dictionary. The app learns them only from its fallback's `ErrorCode`.
  /// Source: https://www.twilio.com/docs/api/errors, read 2026-11-29.
  package enum Code: Int, Sendable {
    /// No answer, or one of a failure.
    case noAnswer = 11200
    case notXML = 12100
    case wrongRoot = 12102
    case wrongType = 12300
    /// The other verbs are carried out.
    case unknownVerb = 12200
  }

  package let code: Code
  package let why: String

  package init(_ code: Code, _ why: String) {
    self.code = code
    self.why = why
  }
}
