"""A command for each measured HTTP client: it gets a URL of a provider's host, and prints the answer."""

import dataclasses
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "Tests/System/apps/clients"
URL = "https://verify.twilio.com/livez"
ANSWER = "ok"


@dataclasses.dataclass
class Client:
    command: tuple
    needs: tuple  # a command that fails where the client is not there


def python(module, program, libraries=None):
    path = ("env", f"PYTHONPATH={ROOT / '.venv/packages' / libraries}") if libraries else ()
    line = (*path, sys.executable, "-c")
    return Client((*line, f"import sys, {module}\nurl = sys.argv[1]\n{program}", URL), (*line, f"import {module}"))


def coroutine(module, session, program):
    return python(module, f"import asyncio\nasync def get():\n    async with {session} as client:\n        {program}\n"
                          "asyncio.run(get())")


def node(program):
    return Client(("node", "-e", f"const url = process.argv[1]; {program}", URL), ("node", "--version"))


def java(program, *jars, argument="default"):
    paths = [f"/usr/share/java/{jar}.jar" for jar in jars]
    command = ("java", *(("-cp", os.pathsep.join(paths)) if jars else ()), PROGRAMS / f"{program}.java", URL, argument)
    return Client(command, ("sh", "-c", f"javac -version && ls {' '.join(paths)}"))


def ruby(library, program):
    return Client(("ruby", f"-r{library}", "-e", f"url = ARGV[0]; {program}", URL), ("ruby", f"-r{library}", "-e", "0"))


def php(needs, program):
    return Client(("php", "-r", f"{needs} $url = $argv[1]; {program}", URL), ("php", "-r", needs))


APACHE4 = ("httpclient", "httpcore", "commons-logging")
APACHE5 = ("httpclient5", "httpcore5", "httpcore5-h2", "slf4j-api")
PIPE = "answer.on('data', piece => process.stdout.write(piece))"
TWILIO = "print(twilio.http.http_client.TwilioHttpClient().request('GET', url).text)"

CLIENTS = {
    "curl": Client(("curl", "-sS", URL), ("curl", "--version")),
    "requests": python("requests", "print(requests.get(url).text)"),
    "httpx": python("httpx", "print(httpx.get(url).text)"),
    "urllib": python("urllib.request", "print(urllib.request.urlopen(url).read().decode())"),
    "aiohttp": coroutine("aiohttp", "aiohttp.ClientSession()", "print(await (await client.get(url)).text())"),
    "aiohttp with trust_env=True": coroutine(
        "aiohttp", "aiohttp.ClientSession(trust_env=True)", "print(await (await client.get(url)).text())"),
    "twilio 7 and later": python("twilio.http.http_client", TWILIO),
    "twilio's AsyncTwilioHttpClient": coroutine(
        "twilio.http.async_http_client", "twilio.http.async_http_client.AsyncTwilioHttpClient()",
        "print((await client.request('GET', url)).text)"),
    "twilio 6": python("twilio.http.http_client", TWILIO, "twilio-6"),
    "httplib2 without PySocks, as in google-api-python-client": python(
        "httplib2", "print(httplib2.Http().request(url)[1].decode())"),
    "https, also with agent: false": node(f"require('https').get(url, {{ agent: false }}, answer => {PIPE})"),
    "fetch": node("fetch(url).then(answer => answer.text()).then(console.log)"),
    "http2": node(
        "const client = require('http2').connect('https://fcm.googleapis.com');"
        f"const answer = client.request({{ ':path': '/livez' }}); {PIPE}; answer.on('end', () => client.close()).end()"),
    "tls.connect": node(
        "const { host: servername } = new URL(url); const answer = require('tls').connect(443, servername, { servername });"
        "answer.write(`GET /livez HTTP/1.0\\r\\nHost: ${servername}\\r\\n\\r\\n`); let text = '';"
        "answer.on('data', piece => { text += piece }).on('end', () => console.log(text.split('\\r\\n\\r\\n')[1]))"),
    "HttpClient": java("BuiltInClient", argument="HttpClient"),
    "HttpsURLConnection": java("BuiltInClient", argument="HttpsURLConnection"),
    "OkHttp": java("OkClient", "okhttp", "okio"),
    "Apache HttpClient 4, createDefault()": java("ApacheClient", *APACHE4),
    "Apache HttpClient 4, createSystem()": java("ApacheClient", *APACHE4, argument="system"),
    "Apache HttpClient 5, createDefault()": java("ApacheClient5", *APACHE5),
    "Apache HttpClient 5, createSystem()": java("ApacheClient5", *APACHE5, argument="system"),
    "net/http": Client(("go", "run", PROGRAMS / "get.go", URL), ("go", "version")),
    "Net::HTTP": ruby("net/http", "puts Net::HTTP.get(URI(url))"),
    "Faraday": ruby("faraday", "puts Faraday.get(url).body"),
    "HTTParty": ruby("httparty", "puts HTTParty.get(url).body"),
    "RestClient": ruby("rest-client", "puts RestClient.get(url).body"),
    "HTTPClient": ruby("httpclient", "puts HTTPClient.get(url).body"),
    "Excon": ruby("excon", "puts Excon.get(url).body"),
    "http.rb": ruby("http", "puts HTTP.get(url)"),
    "net-http-persistent": ruby("net/http/persistent", "puts Net::HTTP::Persistent.new.request(URI(url)).body"),
    "Typhoeus": ruby("typhoeus", "answer = Typhoeus.get(url); puts answer.success? ? answer.body : answer.return_message"),
    "Curb": ruby("curb", "puts Curl.get(url).body"),
    "curl_exec": php("curl_init();", "curl_exec(curl_init($url));"),
    "file_get_contents": php("", "echo file_get_contents($url);"),
    "Guzzle": php("require 'GuzzleHttp/autoload.php';", "echo (new GuzzleHttp\\Client())->get($url)->getBody();"),
    "Symfony HttpClient": php(
        "require 'Symfony/Component/HttpClient/autoload.php';",
        "echo Symfony\\Component\\HttpClient\\HttpClient::create()->request('GET', $url)->getContent();"),
}
