"""The phones of the sandbox in which the programs run."""

from ringfence import Ringfence, Sandbox

NUMBER = "+12025550100"
server = Ringfence()  # that of `ringfence run`
sandbox = Sandbox(server, server.control("GET", "sandboxes/default"))


def code(**narrower):
    """The code in the newest text or call, also if the app made it."""
    return sandbox.code(NUMBER, **narrower)


def pushes():
    return sandbox.control("GET", "pushes")["pushes"]
