import Domain
import HTTP
import ProviderKit

/// What every operation under a Service starts from: who calls, which Service, under which settings.
struct Call {
  let request: Request
  let sandbox: Sandbox
  let caller: Caller
  let sharedService: Shared<Service>
  private let sharedSettings: Shared<Settings>

  /// Proves who calls and finds the Service of the path; another account's is as if it were not there.
  ///
  /// `adoptsService`: an unknown account's unknown Service comes into being, so that an app keeps whatever
  /// is in its environment.
  init(_ request: Request, in sandbox: Sandbox, adoptsService: Bool = false) throws {
    let caller = try authenticate(request, in: sandbox)
    let settings = try Settings.shared(in: sandbox)
    let sid = request[parameter: "service"]
    var shared = try Service.find(sid, for: caller, in: sandbox)
    if shared == nil, adoptsService, caller.isUnknown, SidKind.service.matches(sid) {
      shared = Shared(try Service.adopt(sid, for: caller, in: sandbox))
    }
    guard let shared else {
      throw Problem.notFound(settings.value.shown(request.target.path))
        .because("there is no Service \(sid) that \(caller.account) may see")
    }
    self.request = request
    self.sandbox = sandbox
    self.caller = caller
    self.sharedService = shared
    self.sharedSettings = settings
  }

  /// The Service of the path.
  var service: Service { _read { yield sharedService.value } }

  /// The settings of the sandbox.
  var settings: Settings { _read { yield sharedSettings.value } }

  /// Scheme and authority of links.
  var base: String { settings.base(of: request) }

  /// 20404 for the path, with what became of the verification for the journal.
  func notFound(_ absence: MissingReason) -> Problem {
    Problem.notFound(settings.shown(request.target.path)).because(absence.description)
  }
}
