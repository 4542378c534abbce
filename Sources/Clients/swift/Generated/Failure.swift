// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A kind of failure.
  public struct Failure: Decodable, Equatable, Sendable {
    /// Its id.
    public let id: String
    /// Its name.
    public let name: String
    /// What happens.
    public let effect: String
    /// The request that produces it.
    public let request: Request?
    /// The request that undoes it.
    public let repair: Repair?
    /// Steps for a person or an app, without a request.
    public let manual: String?
    /// A number whose last digits have the same effect.
    public let number: String?

    /// The request that produces it.
    public struct Request: Decodable, Equatable, Sendable {
      /// The method.
      public let method: String
      /// The path; {number} stands for a phone number.
      public let path: String
      /// The body.
      public let body: [String: JSON]
    }

    /// The request that undoes it.
    public struct Repair: Decodable, Equatable, Sendable {
      /// The method.
      public let method: String
      /// The path; {number} stands for a phone number.
      public let path: String
      /// The body.
      public let body: [String: JSON]
    }
  }
}
