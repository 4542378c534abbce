// Package ringfencetest gives each test a sandbox of its own: phone verification without an account, cost or
// network.
//
//	func TestSignIn(t *testing.T) {
//		sandbox := ringfencetest.New(t)
//		sandbox.UseEnv()
//		signIn("+12025550100")
//		if !confirm("+12025550100", sandbox.Code("+12025550100")) {
//			t.Error("the code is not accepted")
//		}
//	}
//
// What goes wrong in a method ends the test. A test that fails prints what happened in its sandbox.
package ringfencetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Options say how a sandbox is created. The zero value means the defaults.
type Options struct {
	// Clock, such as 2026-01-05T10:20:30Z, freezes the sandbox's clock at this time.
	Clock string
	// Seed is the random seed: with the same one, the codes are the same.
	Seed int
	// Seeds are the names of its initial data.
	Seeds []string
}

// Sandbox is one test's own providers, phones, clock and failures.
type Sandbox struct {
	Name string
	// URL is the base URL for SDKs. It selects this sandbox.
	URL string
	// Credentials are what clients sign in with, by provider: Credentials["twilio"]["authToken"].
	Credentials map[string]map[string]string

	t         testing.TB
	server    string
	repairs   []string
	receiving sync.Once
	webhooks  *Webhooks
}

// New creates a sandbox, which is deleted when the test ends. The server is that of $RINGFENCE_URL, or a new
// one for this process, which ends with it. The program is $RINGFENCE_BINARY, or `ringfence` on the PATH.
func New(t testing.TB, options ...Options) *Sandbox {
	t.Helper()
	server, err := sharedServer()
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{"ttl": "1h"}
	for _, each := range options {
		if each.Clock != "" {
			body["clock"] = each.Clock
		}
		if each.Seed != 0 {
			body["entropySeed"] = each.Seed
		}
		if each.Seeds != nil {
			body["seeds"] = each.Seeds
		}
	}
	s := &Sandbox{t: t, server: server}
	var made struct {
		Name        string
		URLs        struct{ Prefixed string }
		Credentials map[string]map[string]string
	}
	s.must(server, "POST", "sandboxes", body, &made)
	s.Name, s.URL, s.Credentials = made.Name, made.URLs.Prefixed, made.Credentials
	s.Control("POST", "tests", map[string]any{"name": fmt.Sprintf("%.300s", t.Name())}, nil)
	t.Cleanup(s.end)
	return s
}

func (s *Sandbox) end() {
	if s.t.Failed() {
		s.t.Logf("What happened in the sandbox of %s:\n%s", s.t.Name(), s.Summary())
	}
	if s.webhooks != nil {
		s.webhooks.server.Close()
	}
	if _, _, err := call(s.server, "DELETE", "sandboxes/"+s.Name, nil); err != nil {
		s.t.Error(err)
	}
}

// CodeOptions say which code is meant.
type CodeOptions struct {
	Provider string
	Channel  string
	// Pattern finds the code in a text: a regular expression whose first group, or match, is the code.
	Pattern string
	// Within is how long Code waits, five seconds by default.
	Within time.Duration
}

// Code returns the newest code on this phone or in this mailbox, and waits for it.
func (s *Sandbox) Code(to string, options ...CodeOptions) string {
	s.t.Helper()
	query, within := url.Values{}, 5*time.Second
	for _, each := range options {
		for name, value := range map[string]string{
			"provider": each.Provider, "channel": each.Channel, "pattern": each.Pattern} {
			if value != "" {
				query.Set(name, value)
			}
		}
		if each.Within != 0 {
			within = each.Within
		}
	}
	query.Set("wait", strconv.Itoa(int((within+time.Second-1)/time.Second)))
	var code string
	s.Control("GET", "inbox/"+url.PathEscape(to)+"/latest/code?"+query.Encode(), nil, &code)
	return strings.TrimSpace(code)
}

// Message is a text, a call or a push, as the phone shows it.
type Message struct{ ID, Channel, To, From, Provider, Text, Code, State string }

// Messages returns the newest messages on a phone, oldest first, at most 1000.
func (s *Sandbox) Messages(to string) []Message {
	s.t.Helper()
	var page struct{ Messages []Message }
	s.Control("GET", "inbox/"+url.PathEscape(to)+"?limit=1000", nil, &page)
	return page.Messages
}

// Advance moves the clock. All work that is due is done when it returns.
func (s *Sandbox) Advance(step time.Duration) {
	s.t.Helper()
	var clock struct{ Towards *string }
	s.Control("POST", "clock?wait=60", map[string]any{"advanceMs": step.Milliseconds()}, &clock)
	for clock.Towards != nil {
		clock.Towards = nil
		s.Control("GET", "clock?wait=60", nil, &clock)
	}
}

// FailOptions say to whom a failure happens, and how often.
type FailOptions struct {
	To       string
	Provider string
	Times    int
}

// Fail lets something fail from now on, such as "text-lost" or "api-503": `ringfence failures` lists the names.
func (s *Sandbox) Fail(failure string, options ...FailOptions) {
	s.t.Helper()
	body := map[string]any{}
	for _, each := range options {
		if each.To != "" {
			body["number"] = each.To
		}
		if each.Provider != "" {
			body["provider"] = each.Provider
		}
		if each.Times != 0 {
			body["times"] = each.Times
		}
	}
	path := "failures/" + url.PathEscape(failure)
	var made struct{ Repair any }
	s.Control("POST", path, body, &made)
	if to, ok := body["number"].(string); ok && made.Repair != nil {
		s.repairs = append(s.repairs, path+"?number="+url.QueryEscape(to))
	}
}

// Repair ends all failures: it removes every rule, and undoes what Fail did to a number.
func (s *Sandbox) Repair() {
	s.t.Helper()
	for _, path := range append([]string{"faults", "scenarios", "webhooks/faults", "chaos"}, s.repairs...) {
		s.Control("DELETE", path, nil, nil)
	}
	s.repairs = nil
}

// Env returns the environment variables that the providers' SDKs read: credentials, and base URLs where they do.
func (s *Sandbox) Env() map[string]string {
	s.t.Helper()
	command := exec.Command(
		program(), "env", "--format", "json", "--url", s.server, "--sandbox", s.Name, "--data", s.t.TempDir())
	printed, err := command.Output()
	variables := map[string]string{}
	if err == nil {
		err = json.Unmarshal(printed, &variables)
	}
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	if err != nil {
		s.t.Fatalf("ringfence env: %v", err)
	}
	return variables
}

// UseEnv sets Env in this process until the test ends. The test cannot be parallel; give the app Env instead.
func (s *Sandbox) UseEnv() {
	s.t.Helper()
	for name, value := range s.Env() {
		s.t.Setenv(name, value)
	}
}

// Summary tells what was sent, what was refused and why, in lines for people.
func (s *Sandbox) Summary() string {
	text, _, err := call(s.URL, "GET", "explanation", nil)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Control sends a request to /control/PATH of this sandbox, for what has no method here, and reads the answer
// into a pointer: JSON, or a text into a string.
func (s *Sandbox) Control(method, path string, body, answer any) {
	s.t.Helper()
	s.must(s.URL, method, path, body, answer)
}

func (s *Sandbox) must(base, method, path string, body, answer any) {
	s.t.Helper()
	text, kind, err := call(base, method, path, body)
	if err == nil && answer != nil {
		if strings.HasPrefix(kind, "text/") {
			*answer.(*string) = string(text)
		} else {
			err = json.Unmarshal(text, answer)
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

var shared struct {
	once sync.Once
	url  string
	err  error
	// Its input stays open as long as something refers to it.
	process *exec.Cmd
}

func sharedServer() (string, error) {
	shared.once.Do(func() {
		given := strings.TrimRight(os.Getenv("RINGFENCE_URL"), "/")
		shared.url = regexp.MustCompile(`/s/[^/]*$`).ReplaceAllString(given, "")
		if shared.url == "" {
			shared.url, shared.err = start()
		}
	})
	return shared.url, shared.err
}

func program() string {
	if named := os.Getenv("RINGFENCE_BINARY"); named != "" {
		return named
	}
	return "ringfence"
}

// Starts a server in memory on free ports. It ends when this process does, because its standard input ends then.
func start() (string, error) {
	command := exec.Command(
		program(), "serve", "--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0",
		"--ready", "json", "--until-stdin-ends")
	var errors bytes.Buffer
	command.Stderr = &errors
	if _, err := command.StdinPipe(); err != nil {
		return "", err
	}
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return "", fmt.Errorf("no program `ringfence`: put it on the PATH, or set RINGFENCE_BINARY to its path: %w", err)
	}
	shared.process = command
	line, _ := bufio.NewReader(output).ReadBytes('\n')
	var ready struct{ HTTP string }
	if json.Unmarshal(line, &ready) != nil || ready.HTTP == "" {
		_ = command.Wait()
		return "", fmt.Errorf("the server did not start: %s%s", line, errors.Bytes())
	}
	return ready.HTTP, nil
}

// Proxies are for the app under test. The control API is always reached directly.
var client = &http.Client{Transport: &http.Transport{Proxy: nil}, Timeout: 90 * time.Second}

// Returns body and media type of the answer.
func call(base, method, path string, body any) ([]byte, string, error) {
	var content []byte
	if body != nil {
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, base+"/control/"+path, bytes.NewReader(content))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	for _, name := range []string{"RINGFENCE_ADMIN_TOKEN", "RINGFENCE_TOKEN"} {
		if token := os.Getenv(name); token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 400 {
		said := struct{ Error string }{strings.TrimSpace(string(text))}
		_ = json.Unmarshal(text, &said)
		err = fmt.Errorf("%s", said.Error)
	}
	return text, answer.Header.Get("Content-Type"), err
}
