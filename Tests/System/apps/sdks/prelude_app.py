"""Verifies a number with Prelude's official client."""

import os
import urllib.request

from prelude_python_sdk import Prelude

TARGET = {"type": "phone_number", "value": "+33639980050"}

client = Prelude()
client.verification.create(target=TARGET)

inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{TARGET['value']}/latest/code"
code = urllib.request.urlopen(inbox).read().decode()

print(client.verification.check(target=TARGET, code=code).status)
