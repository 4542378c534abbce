import HTTP
import ProviderKit

/// What can be wrong with who calls. Source: contract 2.5.
enum Mishap {
  case noAuthorization, malformedAuthorization, unknownCustomer, suspended, notActivated
  case unknownMethod, noDate, brokenDate, dateOutOfRange, nonceLength, nonceUsed
  case wrongSignature, wrongKey, foreignSource, wrongHost, productDisabled

  /// The number in the legacy family, in the flat one, and the finer one of the omnichannel family.
  fileprivate var codes: (legacy: Int, flat: Int, omnichannel: Int) {
    switch self {
    case .noAuthorization: (-30004, 10009, 3405)
    case .malformedAuthorization: (-30005, 10028, 3412)
    case .unknownCustomer: (-30000, 10015, 3410)
    case .suspended: (-30001, 10010, 3406)
    case .notActivated: (-30002, 10010, 3400)
    case .unknownMethod: (-30008, 10006, 3400)
    case .noDate: (-30007, 10007, 3400)
    case .brokenDate: (-30009, 10005, 3400)
    case .dateOutOfRange: (-30010, 10004, 3400)
    case .nonceLength: (-30011, 10003, 3400)
    case .nonceUsed: (-30012, 10002, 3400)
    case .wrongSignature: (-30006, 10008, 3400)
    case .wrongKey: (-30015, 10022, 3411)
    case .foreignSource: (-10009, 10014, 3409)
    case .wrongHost: (-10001, 10035, 3413)
    case .productDisabled: (-20002, 10011, 3906)
    }
  }
}

extension Problem {
  /// 401 for who calls. `fine` is whether the omnichannel family tells what is wrong, or only that it is.
  static func refused(_ mishap: Mishap, in family: Family, fine: Bool) -> Self {
    let codes = mishap.codes
    switch family {
    case .legacy:
      var problem =
        mishap == .wrongHost
        ? Self(codes.legacy, 401, "Not Allowed Host", in: family) : Self(codes.legacy, in: family)
      // The specification has the member with every refusal of this kind, empty but for a wrong signature.
      problem.signatureString = ""
      return problem
    case .flat: return Self(codes.flat, in: family)
    case .omnichannel: return Self(fine ? codes.omnichannel : 3400, in: family)
    case .silent: return Self(40002, in: family)
    }
  }

  /// 401 for a product that the account has not. Source: contract 2.5, last row.
  static func disabled(_ product: Product, in family: Family) -> Self {
    guard family == .omnichannel else { return refused(.productDisabled, in: family, fine: false) }
    return Self(product == .verify ? 3906 : 3206, in: family)
  }
}
