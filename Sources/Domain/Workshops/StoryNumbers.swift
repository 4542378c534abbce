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
  var phoneNumbers: [PhoneNumber] {
    ([text, hint ?? ""] + commands.map(\.code)).flatMap(\.phoneNumbers)
      + preparation.subscribers.compactMap { try? Fields($0).value("number", .phoneNumber) }
  }
}

extension String {
  /// Those with a plus sign.
  var phoneNumbers: [PhoneNumber] {
    split { $0 != "+" && !("0"..."9").contains($0) }.filter { $0.first == "+" }
      .compactMap { PhoneNumber(String($0)) }
  }
}
