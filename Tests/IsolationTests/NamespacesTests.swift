import Glibc
import Testing

@testable import Isolation

@Suite("Isolation · Namespaces")
struct NamespacesTests {
  @Test("the map contains every ID of the outer namespace, unchanged")
  func identity() {
    #expect(Namespaces.identity(of: "         0          0 4294967295\n") == "0 0 4294967295\n")
    #expect(Namespaces.identity(of: "0 1000 1\n1 100000 65536\n") == "0 0 1\n1 1 65536\n")
  }
}

@Suite("Isolation · Machine")
struct MachineTests {
  @Test("the remedy depends on the machine's settings")
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

  @Test("the limit of namespaces can be reached")
  func usedUp() {
    #expect(Machine().remedy(for: ENOSPC)?.contains("max_user_namespaces") == true)
  }

  @Test("an error contains the step, the system's reason and the remedy")
  func description() {
    var machine = Machine()
    machine.isForRootOnly = true

    let text = IsolationError("making tea", number: EPERM, on: machine).description

    #expect(text.contains("making tea failed: Operation not permitted. This kernel only allows it for root"))
  }
}
