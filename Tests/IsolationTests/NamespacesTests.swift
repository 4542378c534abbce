import Glibc
import Testing

@testable import Isolation

@Suite("Isolation · Namespaces")
struct NamespacesTests {
  @Test("a map leaves everybody who they are, within what the namespace around it has")
  func identity() {
    #expect(Namespaces.identity(of: "         0          0 4294967295\n") == "0 0 4294967295\n")
    #expect(Namespaces.identity(of: "0 1000 1\n1 100000 65536\n") == "0 0 1\n1 1 65536\n")
  }
}

@Suite("Isolation · Machine")
struct MachineTests {
  @Test("the remedy follows from what the machine forbids")
  func remedies() {
    var machine = Machine()
    #expect(machine.remedy(for: EPERM) == nil)

    machine.isConfined = true
    #expect(machine.remedy(for: EPERM)?.contains("seccomp=unconfined") == true)

    machine.isRestrictedByAppArmor = true
    #expect(machine.remedy(for: EACCES)?.contains("apparmor_restrict_unprivileged_userns=0") == true)

    machine.isForRootOnly = true
    #expect(machine.remedy(for: EPERM)?.contains("unprivileged_userns_clone=1") == true)

    machine.namespaceLimit = 0
    #expect(machine.remedy(for: EPERM)?.contains("max_user_namespaces") == true)
  }

  @Test("there may be too many namespaces already")
  func usedUp() {
    #expect(Machine().remedy(for: ENOSPC)?.contains("max_user_namespaces") == true)
  }

  @Test("an error names the step, the system's reason and the remedy")
  func description() {
    var machine = Machine()
    machine.isForRootOnly = true

    let text = IsolationError("making tea", number: EPERM, on: machine).description

    #expect(text.contains("making tea failed: Operation not permitted. This kernel lets only root"))
  }
}
