package ringfencetest

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

const number = "+12025550100"

// The status of Twilio's answer.
func sendCode(s *Sandbox) int {
	s.t.Helper()
	own := s.Credentials["twilio"]
	target := s.URL + "/v2/Services/" + own["serviceSid"] + "/Verifications"
	form := url.Values{"To": {number}, "Channel": {"sms"}}
	request, _ := http.NewRequest("POST", target, strings.NewReader(form.Encode()))
	request.SetBasicAuth(own["accountSid"], own["authToken"])
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func TestOptions(t *testing.T) {
	one, two := New(t, Options{Seed: 7}), New(t, Options{Seed: 7, Clock: "2026-01-05T12:00:00Z"})
	sendCode(one)
	sendCode(two)
	if one.Code(number) != two.Code(number) || one.Name == two.Name {
		t.Error("the seed has no effect")
	}
	var clock struct{ Now, Mode string }
	two.Control("GET", "clock", nil, &clock)
	if clock.Mode != "frozen" || clock.Now != "2026-01-05T12:00:00Z" {
		t.Error(clock)
	}
}

func TestPattern(t *testing.T) {
	sandbox := New(t)
	sendCode(sandbox)
	whole := sandbox.Code(number)
	if part := sandbox.Code(number, CodeOptions{Provider: "twilio", Channel: "sms", Pattern: `\d{3}`}); !strings.HasPrefix(whole, part) {
		t.Error(whole, part)
	}
	if message := sandbox.Messages(number)[0]; !strings.Contains(message.Text, whole) || message.Provider != "twilio" {
		t.Error(message)
	}
}

func TestRepair(t *testing.T) {
	sandbox := New(t)
	sandbox.Fail("api-503", FailOptions{Provider: "twilio"})
	sandbox.Fail("text-suspended", FailOptions{To: number})
	if status := sendCode(sandbox); status != 503 {
		t.Error(status)
	}
	sandbox.Repair()
	if status := sendCode(sandbox); status != 201 {
		t.Error(status)
	}
	sandbox.Code(number)
}

func TestReceiver(t *testing.T) {
	webhooks := New(t).Webhooks()
	webhooks.Answer(500, 200)
	for _, expected := range []int{500, 200, 200} {
		answer, err := http.Post(webhooks.URL+"/a?b=c", "text/plain", strings.NewReader("hello"))
		if err != nil || answer.StatusCode != expected {
			t.Error(err, answer)
		}
	}
	if webhook := webhooks.WaitWithin(time.Second, "hell"); webhook.URL != webhooks.URL+"/a?b=c" {
		t.Error(webhook)
	}
	if len(webhooks.All()) != 3 || len(webhooks.pending) != 2 {
		t.Error(webhooks.All())
	}
}

func TestEnvIsRestored(t *testing.T) {
	before := os.Getenv("TWILIO_ACCOUNT_SID")
	t.Run("inner", func(t *testing.T) {
		sandbox := New(t)
		sandbox.UseEnv()
		if os.Getenv("TWILIO_ACCOUNT_SID") != sandbox.Credentials["twilio"]["accountSid"] {
			t.Error(os.Environ())
		}
	})
	if os.Getenv("TWILIO_ACCOUNT_SID") != before {
		t.Error("it stays")
	}
}
