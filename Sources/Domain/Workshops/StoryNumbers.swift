import JSON
package import Numbers

extension Workshop {
  /// The phone numbers that the tasks name, in their texts and in what is prepared for them. In the order of
  /// the tasks.
  package var phoneNumbers: [PhoneNumber] {
    var known: Set<PhoneNumber> = []
    return tasks.flatMap(\.phoneNumbers).filter { known.insert($0).inserted }
  }
}

extension StoryTask {
  fileprivate var phoneNumbers: [PhoneNumber] {
    let words = ([text, hint ?? ""] + commands.map(\.code)).flatMap {
      $0.split { $0 != "+" && !("0"..."9").contains($0) }
    }
    let named = words.filter { $0.first == "+" }.compactMap { PhoneNumber(String($0)) }
    return named + preparation.subscribers.compactMap { try? Fields($0).value("number", .phoneNumber) }
  }
}
