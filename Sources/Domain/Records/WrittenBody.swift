/// The body that was written last from a record, for clients that read the same record again and again.
struct WrittenBody {
  /// What it was written from, by identity: a record or settings that have changed are another object.
  let record: AnyObject
  let settings: AnyObject
  /// What else the body depends on.
  let account: String
  let baseURL: String
  let bytes: [UInt8]
}

extension RecordStore {
  /// The body of a decoded record, of which there is only one form. `write` is called unless the last body of
  /// this sandbox was the same.
  package func body(
    of record: AnyObject, with settings: AnyObject, for account: String, at baseURL: String,
    write: () -> [UInt8]
  ) -> [UInt8] {
    if let last = sandbox.derived.lastBody, last.record === record, last.settings === settings,
      last.account == account, last.baseURL == baseURL
    {
      return last.bytes
    }
    let bytes = write()
    sandbox.derived.lastBody = WrittenBody(
      record: record, settings: settings, account: account, baseURL: baseURL, bytes: bytes)
    return bytes
  }
}
