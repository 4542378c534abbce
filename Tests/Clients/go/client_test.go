package ringfencetest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
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
	one.Control("POST", "clock", map[string]any{"mode": "frozen"}, &clock)
	if clock.Mode != "frozen" {
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
	if said := webhooks.All()[0].String(); said != "webhook to "+webhooks.URL+"/a?b=c: hello" {
		t.Error(said)
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

// The token of an application: a JWT with RS256.
func vonageToken(t *testing.T, own map[string]string) string {
	block, _ := pem.Decode([]byte(own["privateKey"]))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	part := base64.RawURLEncoding.EncodeToString
	now := int64(1767614400) // 2026-01-05T12:00:00Z
	claims := fmt.Sprintf(`{"application_id":%q,"iat":%d,"exp":%d,"jti":"a"}`, own["applicationId"], now, now+900)
	signed := part([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + part([]byte(claims))
	digest := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + part(signature)
}

func TestVonagesStatusURL(t *testing.T) {
	sandbox := New(t, Options{Clock: "2026-01-05T12:00:00Z"})
	own := sandbox.Credentials["vonage"]
	application := map[string]any{
		"id": sandbox.Credentials["vonage"]["applicationId"], "statusUrl": sandbox.Webhooks().URL}
	sandbox.Control("POST", "seed", map[string]any{"vonage": map[string]any{"applications": []any{application}}}, nil)
	request, _ := http.NewRequest("POST", sandbox.URL+"/v2/verify", strings.NewReader(
		`{"brand": "Example", "workflow": [{"channel": "sms", "to": "12025550100"}]}`))
	request.Header.Set("Authorization", "Bearer "+vonageToken(t, own))
	request.Header.Set("Content-Type", "application/json")
	if _, err := http.DefaultClient.Do(request); err != nil {
		t.Fatal(err)
	}
	sandbox.Advance(time.Minute)
	if early := sandbox.Webhooks().All(); len(early) > 0 {
		t.Error(early)
	}
	sandbox.Advance(2 * time.Minute)
	sandbox.Webhooks().Wait(`"type":"event"`)
	sandbox.Webhooks().Wait(`"type":"summary"`)
}
