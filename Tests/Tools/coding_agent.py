"""A coding agent as a program: it knows what it wants in words, and finds tools and arguments by their
descriptions."""

import contextlib
import json
import re
import subprocess

from anyio.from_thread import start_blocking_portal
from mcp import Client

PLACEHOLDER = "PUT-THE-CODE-HERE"


class Agent(contextlib.ExitStack):
    """Connected to a server of tools: its URL, or the parameters of a command."""

    def __init__(self, server):
        super().__init__()
        self.portal = self.enter_context(start_blocking_portal())
        self.client = self.enter_context(
            self.portal.wrap_async_context_manager(Client(server, read_timeout_seconds=60)))
        self.tools = self.portal.call(self.client.list_tools).tools

    def call(self, name, **arguments):
        """What a tool says, and whether that is an error."""
        result = self.portal.call(self.client.call_tool, name, arguments)
        return result.content[0].text, bool(result.is_error)

    def read(self, uri):
        return self.portal.call(self.client.read_resource, uri).contents[0].text

    def tool(self, wanted):
        """The only tool whose description has these words."""
        found = [tool for tool in self.tools if has(f"{tool.title} {tool.description}", wanted)]
        assert len(found) == 1, f"{wanted}: {[tool.name for tool in found]}"
        return found[0]

    def use(self, wanted, values=()):
        """Calls the tool for what is wanted. `values` are arguments by words of their descriptions."""
        tool = self.tool(wanted)
        arguments = {}
        for words, value in dict(values).items():
            members = tool.input_schema["properties"].items()
            found = [name for name, member in members if has(f"{name} {member['description']}", words)]
            assert len(found) == 1, f"{tool.name}, {words}: {found}"
            arguments[found[0]] = value
        text, is_error = self.call(tool.name, **arguments)
        assert not is_error, f"{tool.name} {arguments}: {text}"
        return text

    def setup(self, provider):
        """What an app needs for a provider."""
        wanted = "Show what an app needs to use the sandbox of this connection"
        return json.loads(self.use(wanted, {"Only this provider": provider}))["providers"][provider]

    def code(self, number):
        return self.use("newest code message to a phone number", {"number or email address sent to": number})

    def explanation(self):
        """Why the newest request was refused, and what to change."""
        return json.loads(self.use("why a provider refused what to change"))


def has(text, words):
    """True if the text has all words."""
    present = set(re.findall(r"\w+", text.lower()))
    return all(word in present for word in re.findall(r"\w+", words.lower()))


def run(commands):
    """The answer to the last request of some commands for a shell, whatever its status."""
    lenient = commands.replace("--fail-with-body ", "")
    done = subprocess.run(["sh", "-c", lenient], capture_output=True, text=True, timeout=30, check=False)
    return json.loads(done.stdout)


def number_in(commands):
    return re.search(r"\+\d{8,15}", commands)[0]
