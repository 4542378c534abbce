import Markup
import ProviderKit
import Testing

@testable import Console

@Suite("Console · commands for shells")
struct ShellScriptTests {
  private func text(_ script: String, _ shell: Shell) -> String? {
    ShellScript(script)?.text(for: shell)
  }

  private static let send = #"""
    curl -sS "http://x/Verifications" \
      -u "AC1:t&k" \
      --data-urlencode "To=+12025550100" -d Channel=sms
    """#

  @Test(
    "a request over several lines",
    arguments: [
      (
        .cmd,
        #"""
        curl.exe -sS http://x/Verifications ^
          -u "AC1:t&k" ^
          --data-urlencode To=+12025550100 -d Channel=sms
        """#
      ),
      (
        .powershell,
        #"""
        curl.exe -sS http://x/Verifications `
          -u 'AC1:t&k' `
          --data-urlencode To=+12025550100 -d Channel=sms
        """#
      ),
      (
        .fish,
        #"""
        curl -sS http://x/Verifications \
          -u 'AC1:t&k' \
          --data-urlencode To=+12025550100 -d Channel=sms
        """#
      ),
    ] as [(Shell, String)])
  func lines(shell: Shell, expected: String) {
    #expect(text(Self.send, shell) == expected)
  }

  @Test("JSON goes to PowerShell's curl through a pipe, and to cmd's with backslashes")
  func json() {
    let script = #"curl -sS "http://x/clock" -d '{"advance":"10m"}'"#

    #expect(text(script, .cmd) == #"curl.exe -sS http://x/clock -d "{\"advance\":\"10m\"}""#)
    #expect(
      text(script, .powershell) == #"""
        '{"advance":"10m"}' |
          curl.exe -sS http://x/clock -d '@-'
        """#)
    #expect(text(#"curl http://x -H 'A: "b"'"#, .powershell) == nil)
  }

  private static let check = #"""
    REFERENCE=PUT-IT-HERE
    CODE=$(curl -sS "http://x/code")
    curl "http://x/$REFERENCE/state?a=1&b" -H "Authorization: Bearer $TOKEN" -d '{"code":"'"$CODE"'"}'
    """#

  @Test(
    "variables of the script and of the environment",
    arguments: [
      (
        .sh,
        #"""
        REFERENCE='PUT-IT-HERE'
        CODE=$(curl -sS http://x/code)
        curl "http://x/$REFERENCE/state?a=1&b" -H "Authorization: Bearer $TOKEN" -d "{\"code\":\"$CODE\"}"
        """#
      ),
      (
        .fish,
        #"""
        set REFERENCE PUT-IT-HERE
        set CODE (curl -sS http://x/code)
        curl "http://x/$REFERENCE/state?a=1&b" -H "Authorization: Bearer $TOKEN" -d "{\"code\":\"$CODE\"}"
        """#
      ),
      (
        .cmd,
        #"""
        set "REFERENCE=PUT-IT-HERE"
        for /f "delims=" %i in ('curl.exe -sS http://x/code') do @set CODE=%i
        curl.exe "http://x/%REFERENCE%/state?a=1&b" -H "Authorization: Bearer %TOKEN%" -d "{\"code\":\"%CODE%\"}"
        """#
      ),
      (
        .powershell,
        #"""
        $REFERENCE = 'PUT-IT-HERE'
        $CODE = curl.exe -sS http://x/code
        "{""code"":""$CODE""}" |
          curl.exe "http://x/$REFERENCE/state?a=1&b" -H "Authorization: Bearer $env:TOKEN" -d '@-'
        """#
      ),
    ] as [(Shell, String)])
  func variables(shell: Shell, expected: String) {
    #expect(text(Self.check, shell) == expected.replacing("='PUT-IT-HERE'", with: "=PUT-IT-HERE"))
  }

  private static let readMember = #"""
    KEY=$(echo "$ANSWER" | sed -n 's/.*"binding":{"secret":"\([^"]*\)".*/\1/p')
    """#

  @Test(
    "a member of JSON in a variable",
    arguments: [
      (.sh, readMember),
      (.fish, "set KEY \(readMember.dropFirst("KEY=$".count))"),
      (.cmd, #"set "KEY=PUT-THE-secret-HERE""#),
      (
        .powershell,
        #"$KEY = [regex]::Match($ANSWER, '.*"binding":{"secret":"([^"]*)"').Groups[1].Value"#
      ),
    ] as [(Shell, String)])
  func member(shell: Shell, expected: String) {
    #expect(ShellScript(Self.readMember)?.text(for: shell, after: ["ANSWER"]) == expected)
    #expect(ShellScript(Self.readMember.replacing("/p'", with: "/'")) == nil)
  }

  @Test("a variable of an earlier command is no variable of the environment")
  func earlier() {
    let commands = ShellCommands(["A=$(curl x)", "echo $A $B"], for: .powershell)

    #expect(commands.html(titles: ["1", "2"]).description.contains("echo &quot;$A&quot; &quot;$env:B&quot;"))
  }

  @Test("a variable's name ends where it should")
  func ends() {
    let script = #"curl "http://x:$PORT:a" "${NAME}s""#

    #expect(text(script, .powershell) == #"curl.exe "http://x:${env:PORT}:a" "${env:NAME}s""#)
    #expect(text(script, .fish) == #"curl "http://x:$PORT"":a" "$NAME""s""#)
    #expect(text(script, .cmd) == #"curl.exe "http://x:%PORT%:a" "%NAME%s""#)
  }

  @Test("JSON of several lines becomes one line in cmd; other texts cannot be one")
  func severalLines() {
    #expect(text("curl http://x -d '{\n  \"a\": 1}'", .cmd) == #"curl.exe http://x -d "{\"a\": 1}""#)
    #expect(text("curl http://x -d 'one\ntwo'", .cmd) == nil)
  }

  @Test("known values replace the lines that set them")
  func values() {
    let script = ShellScript(Self.check)?.with(["CODE": "123456", "REFERENCE": "r-1"])

    #expect(
      script?.text(for: .sh)
        == #"curl "http://x/r-1/state?a=1&b" -H "Authorization: Bearer $TOKEN" -d "{\"code\":\"123456\"}""#
        .replacing(#""http://x/r-1/state?a=1&b""#, with: "'http://x/r-1/state?a=1&b'")
        .replacing(#""{\"code\":\"123456\"}""#, with: #"'{"code":"123456"}'"#))
  }

  @Test(
    "what other shells write differently is not understood",
    arguments: [
      "curl x | sed s/a/b/", "a && b", "a; b", "f() { a; }", "curl x > y", "echo `a`", "# note",
      "echo ${A:-b}",
      "echo $(a)", "echo 'a", #"echo "a"#, "A=b curl x", "echo $", "A=$(b | c)", "A=$(b", "A=$(b) c",
    ])
  func beyond(script: String) {
    #expect(ShellScript(script) == nil)
  }
}
