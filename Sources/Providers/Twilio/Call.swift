import Domain
import HTTP
import ProviderKit

/// What every operation under a Service starts from: who calls, which Service, under which knobs.
struct Call {
  let request: Request
  let sandbox: Sandbox
  let caller: Caller
  let sharedService: Shared<Service>
  private let sharedKnobs: Shared<Knobs>

  /// Proves who calls and finds the Service of the path; another account's is as if it were not there.
  ///
  /// `adoptsService`: an unknown account's unknown Service comes into being, so that an app keeps whatever
  /// is in its environment.
  init(_ request: Request, in sandbox: Sandbox, adoptsService: Bool = false) throws {
    let caller = try authenticate(request, in: sandbox)
    let knobs = try Knobs.shared(in: sandbox)
    let sid = request[parameter: "service"]
    var shared = try Service.find(sid, for: caller, in: sandbox)
    if shared == nil, adoptsService, caller.isUnknown, SidKind.service.matches(sid) {
      shared = Shared(try Service.adopt(sid, for: caller, in: sandbox))
    }
    guard let shared else {
      throw Problem.notFound(knobs.value.shown(request.target.path))
        .because("there is no Service \(sid) that \(caller.account) may see")
    }
    self.request = request
    self.sandbox = sandbox
    self.caller = caller
    self.sharedService = shared
    self.sharedKnobs = knobs
  }

  /// The Service of the path.
  var service: Service { _read { yield sharedService.value } }

  /// The settings of the sandbox.
  var knobs: Knobs { _read { yield sharedKnobs.value } }

  /// Scheme and authority of links.
  var base: String { knobs.base(of: request) }

  /// 20404 for the path, with what became of the verification for the journal.
  func notFound(_ absence: Absence) -> Problem {
    Problem.notFound(knobs.shown(request.target.path)).because(absence.description)
  }
}
