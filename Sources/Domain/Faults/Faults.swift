/// The faults of a sandbox.
package struct Faults {
  let sandbox: Sandbox

  /// All faults in order, with how many requests each has matched.
  package var all: [(rule: Fault, hits: Int)] {
    get throws { try sandbox.faultRules.all(in: sandbox) }
  }

  /// Puts these faults in place of those there are.
  package func replace(with faults: [Fault]) throws {
    try sandbox.faultRules.replace(with: faults, in: sandbox)
  }

  /// The fault that a request meets; `mentions` tells whether the request carries a value.
  package func strike(provider: String, route: String, mentions: (String) -> Bool) throws -> Fault? {
    try sandbox.faultRules.first(in: sandbox, turn: { $0.turn }) { fault in
      (fault.provider == nil || fault.provider == provider) && (fault.route == nil || fault.route == route)
        && (fault.number.map(mentions) ?? true)
    }
  }
}
