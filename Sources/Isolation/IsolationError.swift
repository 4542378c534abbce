import Glibc

/// A failed step of the isolation.
package struct IsolationError: Error, Equatable, CustomStringConvertible {
  /// Such as "replacing /etc/hosts".
  package let step: String
  /// The `errno`.
  package let number: Int32
  /// What the user can do; nil if unknown.
  package let remedy: String?

  /// Derives the remedy from the machine's settings.
  init(_ step: String, number: Int32 = errno, on machine: Machine = .current) {
    self.step = step
    self.number = number
    remedy = machine.remedy(for: number)
  }

  /// The step and the system's message.
  package var reason: String { "\(step) failed: \(String(cString: strerror(number)))" }

  /// The reason and the remedy.
  package var description: String {
    "the command cannot be isolated: \(reason)" + (remedy.map { ". \($0)" } ?? "")
  }
}

/// The settings of a machine that can prevent new namespaces.
package struct Machine {
  /// The maximum number of user namespaces.
  package var namespaceLimit: Int?
  /// True if only root may create user namespaces (Debian's kernels).
  package var isForRootOnly = false
  /// True if AppArmor removes capabilities in user namespaces (Ubuntu since 23.10).
  package var isRestrictedByAppArmor = false
  /// True if seccomp or an AppArmor profile is active, as in most containers.
  package var isConfined = false

  /// A machine without restrictions.
  package init() {}

  static var current: Machine {
    var machine = Machine()
    machine.namespaceLimit = setting("/proc/sys/user/max_user_namespaces").flatMap { Int($0) }
    machine.isForRootOnly = setting("/proc/sys/kernel/unprivileged_userns_clone") == "0"
    machine.isRestrictedByAppArmor = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1"
    machine.isConfined =
      setting("/proc/self/status")?.contains("\nSeccomp:\t2\n") ?? false
      || setting("/proc/self/attr/current")?.contains("(enforce)") ?? false
    return machine
  }

  /// What the user can do about this `errno`; nil if unknown.
  package func remedy(for number: Int32) -> String? {
    if number == ENOSPC || namespaceLimit == 0 {
      return "User namespaces are disabled or used up: sudo sysctl user.max_user_namespaces=10000"
    }
    guard number == EPERM || number == EACCES || number == ENOSYS else { return nil }
    if isForRootOnly {
      return "This kernel only allows it for root: sudo sysctl kernel.unprivileged_userns_clone=1"
    }
    if isRestrictedByAppArmor {
      return "AppArmor blocks it: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    }
    guard isConfined else { return nil }
    return "The container, such as Docker, must allow it: "
      + "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
  }

  private static func setting(_ path: String) -> String? { SystemFile(path).text?.withoutNewline }
}

extension String {
  fileprivate var withoutNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
