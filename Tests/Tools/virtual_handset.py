"""A virtual handset of a sandbox, by the control API."""


class VirtualHandset:
    def __init__(self, sandbox, number, provider, **more):
        self.sandbox, self.number = sandbox, number
        self.app = sandbox.control("POST", "devices", json={"number": number, "provider": provider, **more}).json()
        sandbox.control("DELETE", f"inbox/{number}")

    def set(self, expect=(200,), **change):
        return self.sandbox.control("PUT", f"devices/{self.number}", expect=expect, json=change).json()

    def approve(self, expect=(200,), **options):
        return self._answer("approve", expect, options)

    def deny(self, expect=(200,), **options):
        return self._answer("deny", expect, options)

    def _answer(self, answer, expect, options):
        return self.sandbox.control("POST", f"devices/{self.number}/{answer}", expect=expect, json=options).json()

    def pushes(self):
        """The pushes that have arrived."""
        pushes = self.sandbox.control("GET", "pushes", params={"token": self.app["pushToken"]}).json()["pushes"]
        return [push for push in pushes if push["status"] == "delivered"]

    def routes(self, provider):
        return [entry["route"] for entry in self.sandbox.journal(provider=provider)]

    def events(self):
        return [event["kind"] for event in self.sandbox.entries("events")]
