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
    /// What an app sees with each provider; absent in a list of failures.
    public let providers: [Provider]?

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

    /// One of them.
    public struct Provider: Decodable, Equatable, Sendable {
      /// The provider.
      public let provider: String
      /// What differs from the flow without a failure; empty if nothing does.
      public let places: [Place]

      /// One of them.
      public struct Place: Decodable, Equatable, Sendable {
        /// What the app looks at, such as check.
        public let name: String
        /// What it sees there.
        public let value: String
        /// What it sees there without the failure.
        public let usual: String?
        /// The request or the answer that has it.
        public let source: String
      }
    }
  }
}
