"""A snapshot with many messages, for work that takes long."""

COLUMNS = ["ordinal", "provider", "reference", "channel", "destination", "sender", "text", "code",
           "code_source", "submitted_at", "arrives_at", "receipts", "arrival", "holder"]


def with_messages(snapshot, count):
    """This snapshot of a new sandbox, with so many messages and without the credentials, which belong to the
    sandbox."""
    newest = snapshot["sandbox"]["last_ordinal"]
    snapshot["tables"]["messages"] = {"columns": COLUMNS, "rows": [
        [newest + number, "twilio", f"r{number}", "sms", f"+1202{number:07}", "+12025550000", "Hello", None, None,
         1767608430000, 1767608430000, "", None, None] for number in range(1, count + 1)]}
    snapshot["sandbox"]["last_ordinal"] = newest + count
    del snapshot["tables"]["credentials"]
    return snapshot
