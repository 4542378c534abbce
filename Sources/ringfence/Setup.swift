import Crypto
import Database
import Domain
import HTTP
import Server

/// What a server is made from.
struct Setup {
  var location = Location.memory
  var durability = Durability.normal
  var acceptsUnknownAccounts = true
  var numbers = NumberPlan.Policy.open
  var historySpan: Int?
  var publicURL: String?
  var origin = Sandbox.Configuration()
  var outgoing = HTTPClient.Configuration()
  var authority: CertificateAuthority?
  var authorityFolder = Authority.userFolder
  var trustFolder: String?
  var tunnels = HostList()
  var seeds: SeedLibrary
}
