package ringfencetest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Webhook is a webhook as it arrived.
type Webhook struct {
	// URL is where it was sent, with its query.
	URL    string
	Header http.Header
	// Body has its exact bytes, which a signature covers.
	Body []byte
}

func (w Webhook) String() string { return "webhook to " + w.URL + ": " + string(w.Body) }

// Webhooks is a receiver. Give its URL to the provider.
type Webhooks struct {
	URL string

	sandbox  *Sandbox
	server   *httptest.Server
	mutex    sync.Mutex
	changed  *sync.Cond
	all      []Webhook
	pending  []Webhook
	statuses []int
}

// Webhooks returns the sandbox's receiver of webhooks on this machine, which starts on first use.
func (s *Sandbox) Webhooks() *Webhooks {
	s.receiving.Do(func() {
		w := &Webhooks{sandbox: s, statuses: []int{200}}
		w.changed = sync.NewCond(&w.mutex)
		w.server = httptest.NewServer(http.HandlerFunc(w.receive))
		w.URL = w.server.URL + "/webhooks"
		s.webhooks = w
	})
	return s.webhooks
}

func (w *Webhooks) receive(answer http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	webhook := Webhook{w.server.URL + request.URL.RequestURI(), request.Header, body}
	w.all, w.pending = append(w.all, webhook), append(w.pending, webhook)
	status := w.statuses[0]
	if len(w.statuses) > 1 {
		w.statuses = w.statuses[1:]
	}
	w.changed.Broadcast()
	answer.WriteHeader(status)
}

// Answer answers the next webhooks with these statuses; the last one repeats. At first, that is 200.
func (w *Webhooks) Answer(first int, others ...int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.statuses = append([]int{first}, others...)
}

// All returns what arrived so far, oldest first.
func (w *Webhooks) All() []Webhook {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return append([]Webhook{}, w.all...)
}

// Wait returns the next webhook with this text in its body, each one once. It waits five seconds.
func (w *Webhooks) Wait(contains string) Webhook {
	w.sandbox.t.Helper()
	return w.WaitWithin(5*time.Second, contains)
}

// WaitWithin is Wait with another time.
func (w *Webhooks) WaitWithin(within time.Duration, contains string) Webhook {
	w.sandbox.t.Helper()
	end := time.Now().Add(within)
	timer := time.AfterFunc(within, w.changed.Broadcast)
	defer timer.Stop()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for {
		for place, webhook := range w.pending {
			if bytes.Contains(webhook.Body, []byte(contains)) {
				w.pending = append(w.pending[:place:place], w.pending[place+1:]...)
				return webhook
			}
		}
		if !time.Now().Before(end) {
			w.sandbox.t.Fatalf(
				"no new webhook with %q came within %v; %d arrived before%s", contains, within, len(w.all), w.why())
		}
		w.changed.Wait()
	}
}

func (w *Webhooks) why() string {
	w.sandbox.t.Helper()
	var sent struct{ Webhooks []any }
	var clock struct{ Mode string }
	w.sandbox.Control("GET", "webhooks?limit=1", nil, &sent)
	w.sandbox.Control("GET", "clock", nil, &clock)
	if len(sent.Webhooks) == 0 {
		return "; the sandbox has none: did a request or a setting name Webhooks().URL?"
	}
	if clock.Mode == "frozen" {
		return "; the clock stands still until you advance it"
	}
	return ""
}
