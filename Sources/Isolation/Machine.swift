import Glibc

/// Settings of a machine that decide whether a process may have namespaces of its own.
package struct Machine {
  /// How many user namespaces there may be.
  package var namespaceLimit: Int?
  /// Whether only root may make user namespaces (Debian's kernels).
  package var isForRootOnly = false
  /// Whether AppArmor takes the capabilities from those that others make (Ubuntu from 23.10 on).
  package var isRestrictedByAppArmor = false
  /// Whether a filter of system calls or a profile of AppArmor is at work, as in most containers.
  package var isConfined = false

  /// A machine on which nothing is forbidden.
  package init() {}

  /// This machine.
  static var present: Machine {
    var machine = Machine()
    machine.namespaceLimit = setting("/proc/sys/user/max_user_namespaces").flatMap { Int($0) }
    machine.isForRootOnly = setting("/proc/sys/kernel/unprivileged_userns_clone") == "0"
    machine.isRestrictedByAppArmor = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1"
    machine.isConfined =
      setting("/proc/self/status")?.contains("\nSeccomp:\t2\n") ?? false
      || setting("/proc/self/attr/current")?.contains("(enforce)") ?? false
    return machine
  }

  /// What can be done about a failure of this number.
  package func remedy(for number: Int32) -> String? {
    if number == ENOSPC || namespaceLimit == 0 {
      return "User namespaces are switched off or used up: sudo sysctl user.max_user_namespaces=10000"
    }
    guard number == EPERM || number == EACCES || number == ENOSYS else { return nil }
    if isForRootOnly {
      return "This kernel lets only root do it: sudo sysctl kernel.unprivileged_userns_clone=1"
    }
    if isRestrictedByAppArmor {
      return "AppArmor forbids it: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    }
    guard isConfined else { return nil }
    return "Whoever confines this process, such as Docker, has to allow it: "
      + "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
  }

  private static func setting(_ path: String) -> String? { SystemFile(path).text?.withoutLineEnd }
}

extension String {
  fileprivate var withoutLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
