package assay_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	assay "assay.dev/client"
)

const key = "assay_live_never_print_this"

const verdict = `{"service_score":50,"trust_level":"medium","confidence":0.5,"session_id":7,"of_tomorrow":[1]}`

var signals = assay.SessionData{UserEngagement: 0.5, SessionDuration: 10}

func serve(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server
}

func connect(t *testing.T, url string, options ...assay.Option) *assay.Client {
	t.Helper()
	client, err := assay.New(key, url, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func answerVerdict(response http.ResponseWriter, request *http.Request) {
	io.Copy(io.Discard, request.Body)
	io.WriteString(response, verdict)
}

func TestCancelEndsTheRequest(t *testing.T) {
	arrived, left := make(chan bool, 9), make(chan bool, 9)
	server := serve(t, func(_ http.ResponseWriter, request *http.Request) {
		io.Copy(io.Discard, request.Body)
		arrived <- true
		<-request.Context().Done()
		left <- true
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-arrived
		cancel()
	}()
	_, err := connect(t, server.URL, assay.WithAttemptsMax(1)).Predict(ctx, signals, assay.WithFallback(&assay.Prediction{}))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("it is %v, not the context's error", err)
	}
	select {
	case <-left:
	case <-time.After(5 * time.Second):
		t.Fatal("the connection stays")
	}
}

func TestContextEndsAWait(t *testing.T) {
	server := serve(t, func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Retry-After", "20")
		response.WriteHeader(503)
	})
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := connect(t, server.URL).Usage(ctx, assay.UsageWindow{})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 5*time.Second {
		t.Fatalf("%v after %v", err, time.Since(started))
	}
	var failure *assay.Error
	if errors.As(err, &failure) {
		t.Fatal("the context's error is not one of the service")
	}
}

func TestEndedContextMakesNoRequest(t *testing.T) {
	var requests atomic.Int32
	server := serve(t, func(response http.ResponseWriter, request *http.Request) {
		requests.Add(1)
		answerVerdict(response, request)
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := connect(t, server.URL).Predict(ctx, signals); !errors.Is(err, context.Canceled) || requests.Load() != 0 {
		t.Fatalf("%v, %d requests", err, requests.Load())
	}
}

// net/http sends again by itself what has an idempotency key, or is a GET, when a connection that it kept was closed.
func TestTransportNeverRetriesByItself(t *testing.T) {
	var requests atomic.Int32
	server := serve(t, func(response http.ResponseWriter, request *http.Request) {
		if requests.Add(1)%2 == 1 {
			answerVerdict(response, request)
			return
		}
		connection, _, err := response.(http.Hijacker).Hijack()
		if err == nil {
			connection.Close()
		}
	})
	client := connect(t, server.URL, assay.WithAttemptsMax(1))
	calls := map[string]func() error{
		"POST": func() error { _, err := client.Predict(context.Background(), signals); return err },
		"GET":  func() error { _, err := client.Usage(context.Background(), assay.UsageWindow{}); return err },
	}
	for method, call := range calls {
		requests.Store(0)
		if err := call(); err != nil {
			t.Fatal(method, err)
		}
		err := call()
		var failure *assay.Error
		if !errors.As(err, &failure) || failure.Code != assay.CodeNetworkFailure || requests.Load() != 2 {
			t.Errorf("%s: %v after %d requests", method, err, requests.Load())
		}
	}
}

func TestConnectionsAreKept(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(answerVerdict))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := connect(t, server.URL)
	for call := 0; call < 20; call++ {
		if _, err := client.Predict(context.Background(), signals); err != nil {
			t.Fatal(err)
		}
	}
	if connections.Load() != 1 {
		t.Fatalf("%d connections for 20 calls", connections.Load())
	}
}

func TestClientIsSafeForConcurrentUse(t *testing.T) {
	var keys sync.Map
	server := serve(t, func(response http.ResponseWriter, request *http.Request) {
		if _, isKnown := keys.LoadOrStore(request.Header.Get("Idempotency-Key"), true); isKnown {
			answerVerdict(response, request)
			return
		}
		response.WriteHeader(500)
	})
	client := connect(t, server.URL)
	var group sync.WaitGroup
	for call := 0; call < 50; call++ {
		group.Add(1)
		go func() {
			defer group.Done()
			got, err := client.Predict(context.Background(), signals)
			if err != nil || got.Meta.Attempts != 2 {
				t.Error(got, err)
			}
		}()
	}
	group.Wait()
}

func TestUnknownAndOddFieldsStayReachable(t *testing.T) {
	server := serve(t, answerVerdict)
	got, err := connect(t, server.URL).Predict(context.Background(), signals)
	if err != nil {
		t.Fatal(err)
	}
	var raw struct {
		Tomorrow []int `json:"of_tomorrow"`
		ID       int   `json:"session_id"`
	}
	if err := json.Unmarshal(got.Raw, &raw); err != nil || len(raw.Tomorrow) != 1 || raw.ID != 7 {
		t.Fatal(raw, err)
	}
	if got.SessionID != "" || got.ServiceScore != 50 || got.AttributionConfidence != 0.5 || got.Attestation != "asserted" || got.Attested == nil {
		t.Fatalf("%+v", got)
	}
	written, err := json.Marshal(got)
	if err != nil || strings.Contains(string(written), "Meta") || strings.Contains(string(written), "Raw") {
		t.Fatal(string(written), err)
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	client := connect(t, "http://127.0.0.1:1", assay.WithAttemptsMax(1))
	_, err := client.Predict(context.Background(), signals)
	var failure *assay.Error
	if !errors.As(err, &failure) || errors.Unwrap(failure) == nil {
		t.Fatal(err)
	}
	type service struct{ Client *assay.Client }
	shown := fmt.Sprintf("%v %+v %#v %v %+v %#v %+v", client, client, *client, err, failure, *failure, service{client})
	if strings.Contains(shown, key) {
		t.Fatal("the key is printed")
	}
	for _, wrong := range []string{key + "\n", key + " x", key + "é"} {
		if _, err := assay.New(wrong, "http://127.0.0.1"); err == nil || strings.Contains(err.Error(), key) {
			t.Fatal(err)
		}
	}
}

func TestArgumentsThatCannotBeSentAreRefused(t *testing.T) {
	client := connect(t, "http://127.0.0.1:1")
	ctx := context.Background()
	_, wrongFallback := client.Predict(ctx, signals, assay.WithFallback(&assay.Usage{}))
	_, keyOfAFreeCall := client.Usage(ctx, assay.UsageWindow{}, assay.WithIdempotencyKey("order-1"))
	_, injected := client.Usage(ctx, assay.UsageWindow{}, assay.WithTestScenario("a\r\nX: y"))
	_, notJSON := client.Predict(ctx, assay.RawSession("{"))
	_, nothing := client.Predict(ctx, nil)
	for _, err := range []error{wrongFallback, keyOfAFreeCall, injected, notJSON, nothing} {
		var failure *assay.Error
		if err == nil || errors.As(err, &failure) {
			t.Errorf("%v", err)
		}
	}
}

func sign(content string) string {
	mac := hmac.New(sha256.New, []byte("01234567890123456789012345678901"))
	mac.Write([]byte(content))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestSeenMayFail(t *testing.T) {
	secret := "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	body := []byte(`{"type":"a","timestamp":"b","sequence":1,"data":{}}`)
	header := http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {"1000"}, "Webhook-Signature": {sign("evt_1.1000." + string(body))}}
	now := assay.WithNow(func() time.Time { return time.Unix(1000, 0) })
	if _, err := assay.VerifyWebhook(body, header, []string{secret}, now); err != nil {
		t.Fatal(err)
	}
	down := errors.New("the database is down")
	_, err := assay.VerifyWebhook(body, header, []string{secret}, now, assay.WithSeen(func(string) (bool, error) { return false, down }))
	if !errors.Is(err, down) {
		t.Fatal(err)
	}
}

func TestAKeyIsAPointInItsOnlySpelling(t *testing.T) {
	// With the neutral point as the key, the base point and 1 sign everything.
	signature := append([]byte("\x58"+strings.Repeat("\x66", 31)+"\x01"), make([]byte, 31)...)
	header := http.Header{"Webhook-Id": {"a"}, "Webhook-Timestamp": {"1"}, "Webhook-Signature": {"v1a," + base64.StdEncoding.EncodeToString(signature)}}
	body := []byte(`{"type":"a","timestamp":"b","sequence":1,"account":"a","data":{}}`)
	keys := map[string]bool{
		"\x01" + strings.Repeat("\x00", 31):          true,
		"\x01" + strings.Repeat("\x00", 30) + "\x80": false,
		"\xee" + strings.Repeat("\xff", 30) + "\x7f": false,
		"\x02" + strings.Repeat("\x00", 31):          false,
	}
	for point, isGood := range keys {
		secret := "whpk_" + base64.StdEncoding.EncodeToString([]byte(point))
		_, err := assay.VerifyWebhook(body, header, []string{secret}, assay.WithAccount("a"), assay.WithNow(func() time.Time { return time.Unix(1, 0) }))
		var refusal *assay.WebhookError
		if isGood != (err == nil) || (!isGood && (!errors.As(err, &refusal) || refusal.Code != "bad_signature")) {
			t.Errorf("%x: %v", point, err)
		}
	}
}
