import Glibc

/// A step that the machine has not allowed, the system's reason, and what can be done.
package struct IsolationError: Error, Equatable, CustomStringConvertible {
  /// What was being done, as a gerund.
  package let step: String
  /// The system's number for the reason.
  package let number: Int32
  /// What the user can do, where that is known.
  package let remedy: String?

  /// A failure of this number; the remedy is what this machine's settings suggest.
  init(_ step: String, number: Int32 = errno, on machine: Machine = .present) {
    self.step = step
    self.number = number
    remedy = machine.remedy(for: number)
  }

  /// The step and the system's words for what was in its way.
  package var reason: String { "\(step) failed: \(String(cString: strerror(number)))" }

  /// One sentence, and the remedy as another.
  package var description: String {
    "the command cannot be isolated: \(reason)" + (remedy.map { ". \($0)" } ?? "")
  }
}
