import ProviderKit

/// The newest stories of a sandbox. The number of queries does not depend on the number of stories.
struct StoryFeed {
  /// Newest first.
  let stories: [VerificationStory]
  /// Where the page with older ones begins; nil if there are none.
  let earlier: StoryPosition?

  fileprivate static let exchangeLimit = 1000
  private static let messageLimit = 1000
  /// A filter by text searches so many.
  private static let searchLimit = 400

  /// `filter`: nil for all.
  init(
    of sandbox: Sandbox, _ filter: TimelineFilter? = nil, limit: Int, before: StoryPosition = .newest,
    providers: [any Provider.Type]
  ) throws {
    let count = filter.map { $0.text == nil && !$0.showsOnlyRefusals } ?? true ? limit : Self.searchLimit
    let candidates = try Candidates(
      of: sandbox, filter?.provider, limit: count, before: before.ordinal, providers)
    let now = sandbox.clock.now
    let subjects = candidates.subjects.prefix(count)
    let oldest = subjects.count < count ? 0 : subjects.last?.ordinal ?? 0
    var messageFilter = Messages.Filter()
    (messageFilter.provider, messageFilter.after) = (filter?.provider, oldest)
    messageFilter.before = before.ordinal
    let read = try sandbox.messages.submitted(messageFilter, limit: Self.messageLimit)
    let (messages, others) = Self.messages(read, of: subjects)
    // Of a subject whose messages are not among those, they are looked up.
    let isWhole = read.count < Self.messageLimit && before == .newest
    let requests = Requests(
      sandbox.journal.newestFirst.prefix(Self.exchangeLimit), of: filter?.provider, about: subjects)
    let told = try subjects.map { subject in
      VerificationStory(
        subject, try messages[subject.ordinal] ?? (isWhole ? [] : Self.messages(of: subject, in: sandbox)),
        candidates.sessions[subject.ordinal] ?? [], failure: requests.failures[subject.ordinal], at: now)
    }
    let all =
      told + requests.others.map(VerificationStory.init) + others.map { VerificationStory($0, at: now) }
    let found = all.filter {
      $0.position < before && $0.ordinal >= oldest && filter?.matches($0) ?? true
    }.sorted { $0.position > $1.position }
    let shown = found.prefix(limit)
    earlier =
      shown.count < found.count
      ? shown.last?.position : oldest > 0 ? StoryPosition(ordinal: oldest, request: 0) : nil
    stories = shown.sorted { ($0.at, $0.position) > ($1.at, $1.position) }
  }

  /// The first messages of a subject.
  private static func messages(of subject: Subject, in sandbox: Sandbox) throws -> [Message] {
    if let push = subject.push { return [try sandbox.messages.find(push)].compactMap(\.self) }
    guard let verification = subject.verification else { return [] }
    var own = Messages.Filter()
    (own.destination, own.after) = (verification.claim.destination, verification.ordinal)
    return try sandbox.messages.page(own, onHandsets: false, limit: firstMessages)
      .filter { [verification].sender(of: $0) != nil }
  }

  private static let firstMessages = 10

  /// By the ordinal of the subject that has sent them; and the texts and calls that none has sent.
  private static func messages(
    _ messages: [Message], of subjects: some Sequence<Subject>
  ) -> (sent: [Int: [Message]], others: [Message]) {
    let verifications = Dictionary(grouping: subjects.compactMap(\.verification), by: \.claim.destination)
    let pushes = Dictionary(
      subjects.compactMap { subject in subject.push.map { ($0, subject.ordinal) } },
      uniquingKeysWith: { first, _ in first })
    var found: [Int: [Message]] = [:]
    var others: [Message] = []
    for message in messages {
      let sender = verifications[message.destination]?.sender(of: message)?.ordinal
      if let sender = sender ?? pushes[message.ordinal] {
        found[sender, default: []].append(message)
      } else if message.isStory {
        others.append(message)
      }
    }
    return (found, others)
  }
}

/// The place of a story in a sandbox's order: the newest ordinal, then the request, where stories have none
/// of their own.
struct StoryPosition: Comparable {
  let ordinal: Int
  let request: Int

  static let newest = StoryPosition(ordinal: .max, request: .max)

  /// `91-250`, as in an address; nil for other texts.
  init?(_ text: String) {
    let parts = text.split(separator: "-").map { Int($0) }
    guard parts.count == 2, let ordinal = parts[0], let request = parts[1] else { return nil }
    self.init(ordinal: ordinal, request: request)
  }

  init(ordinal: Int, request: Int) { (self.ordinal, self.request) = (ordinal, request) }

  var text: String { "\(ordinal)-\(request)" }

  static func < (one: Self, other: Self) -> Bool {
    (one.ordinal, one.request) < (other.ordinal, other.request)
  }
}

/// What may be a story.
private struct Candidates {
  /// Newest first.
  let subjects: [Subject]
  /// By the ordinals of their verifications.
  let sessions: [Int: [SilentSession]]

  init(
    of sandbox: Sandbox, _ provider: String?, limit: Int, before: Int = .max,
    _ providers: [any Provider.Type]
  ) throws {
    let verifications = try sandbox.verifications.newest(limit, of: provider, before: before)
    // Of older ones, nobody knows here whether they are a verification's.
    let oldest = verifications.count < limit ? 0 : verifications.last?.ordinal ?? 0
    let known = Set(verifications.map(\.ordinal))
    let sessions = try sandbox.silentSessions.newest(limit, before: before).filter {
      provider == nil || $0.draft.provider == provider
    }
    self.sessions = Dictionary(grouping: sessions, by: \.draft.verification)
    let alone = sessions.filter { !known.contains($0.draft.verification) && $0.draft.verification >= oldest }
    let references = try Self.references(of: verifications, in: sandbox, providers)
    var filter = Challenges.Filter()
    (filter.provider, filter.before) = (provider, before)
    let challenges = try sandbox.challenges.all(filter, limit: limit).filter {
      !references.contains("\($0.provider) \($0.reference)")
    }
    let signIns = try sandbox.journal.newestFirst.prefix(StoryFeed.exchangeLimit)
      .filter { provider == nil || $0.owner == provider }
      .compactMap { try SignIn(startedBy: $0, in: sandbox, providers) }.filter { $0.ordinal < before }
    let all: [Subject.Origin] =
      verifications.map { .verification($0) } + challenges.map { .challenge($0) } + alone.map { .session($0) }
      + signIns.map { .signIn($0) }
    subjects = all.map(Subject.init).sorted { $0.ordinal > $1.ordinal }
  }

  /// A challenge with such a reference is a part of the verification.
  private static func references(
    of verifications: [Verification], in sandbox: Sandbox, _ providers: [any Provider.Type]
  ) throws -> Set<String> {
    return Set(
      try verifications.compactMap { verification in
        let provider = providers.first { $0.name == verification.claim.provider }
        return try provider?.id(of: verification, in: sandbox).map { "\(verification.claim.provider) \($0)" }
      })
  }
}

private struct Requests {
  /// The newest one about each of the subjects.
  private(set) var failures: [Int: Journal.Exchange] = [:]
  /// Those that are about none, newest first.
  private(set) var others: [Journal.Exchange] = []

  init(
    _ newestFirst: some Sequence<Journal.Exchange>, of provider: String?,
    about subjects: some Sequence<Subject>
  ) {
    let challenges = subjects.filter { $0.verification == nil }
    for exchange in newestFirst where provider == nil || exchange.owner == provider {
      guard exchange.hasFailed else { continue }
      let subject =
        exchange.effects.verification ?? challenges.first { $0.isNamed(in: exchange) }?.ordinal
      if let subject {
        failures[subject] = failures[subject] ?? exchange
      } else if exchange.isRefused {
        others.append(exchange)
      }
    }
  }
}

extension Subject {
  /// Of the newest ones, so many are looked at for those about a number.
  private static let searchLimit = 200

  /// The newest one; with a number, of those about it.
  static func newest(
    of sandbox: Sandbox, about number: String?, _ providers: [any Provider.Type]
  ) throws -> Subject? {
    let limit = number == nil ? 1 : searchLimit
    var all = try Candidates(of: sandbox, nil, limit: limit, providers).subjects
    if let number {
      let own = try providers.flatMap {
        try sandbox.verifications.list($0.name, of: number, before: .max, limit: 1)
      }
      all = all.filter { $0.destination == number } + own.map { Subject(.verification($0)) }
    }
    return all.max { $0.ordinal < $1.ordinal }
  }

  /// The message that asks for the approval.
  fileprivate var push: Int? { if case .challenge(let challenge) = origin { challenge.push } else { nil } }

  fileprivate func isNamed(in exchange: Journal.Exchange) -> Bool {
    guard exchange.owner == provider else { return false }
    return switch origin {
    case .verification, .session, .message: false
    case .challenge(let challenge): exchange.target.contains(challenge.reference)
    case .signIn(let signIn): signIn.marks.contains { exchange.mentions($0) }
    }
  }
}
