// Package assay is the client of the Assay trust-scoring service, for servers. It retries without being billed twice.
package assay

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Version of this package.
const Version = "0.1.0"

const (
	attemptsBound = 100
	timeBound     = 2_147_483_647 * time.Millisecond
	idleTime      = 4 * time.Second
	idleMax       = 100
)

var visible = regexp.MustCompile(`^[\x21-\x7e]{1,255}$`)

// Clock is a source of time and delays. Replace it in tests.
type Clock interface {
	// Now is compared with earlier values of itself only.
	Now() time.Time
	// Sleep returns after the duration, or with the context's error if that ends first.
	Sleep(ctx context.Context, duration time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Client of one Assay installation. Create one and share it: it is safe for concurrent use.
//
// Every method retries retryable errors with exponential back-off and full jitter, and returns an *Error when no attempt
// succeeds. All attempts of a billable call carry the same idempotency key, so that it is billed at most once.
type Client struct {
	// A function, so that printing the client never shows the key.
	apiKey      func() string
	baseURL     string
	timeout     time.Duration
	attemptsMax int
	total       time.Duration
	transport   http.RoundTripper
	clock       Clock
	random      func() float64
}

// Option of a client.
type Option func(*Client)

// WithTimeout limits each attempt, including reading its answer. Default: 10 s.
func WithTimeout(timeout time.Duration) Option { return func(c *Client) { c.timeout = timeout } }

// WithAttemptsMax limits the attempts of a call, including the first; 1 disables retries. Default: 5.
func WithAttemptsMax(attempts int) Option { return func(c *Client) { c.attemptsMax = attempts } }

// WithTotal sets the time after which no attempt of a call starts. Default: 30 s.
func WithTotal(total time.Duration) Option { return func(c *Client) { c.total = total } }

// WithTransport replaces the transport, for proxies, certificates or tests.
func WithTransport(transport http.RoundTripper) Option {
	return func(c *Client) { c.transport = transport }
}

// WithClock replaces the system's clock, for tests.
func WithClock(clock Clock) Option { return func(c *Client) { c.clock = clock } }

// WithRandom replaces the source of jitter, for tests: it returns a number from 0 (inclusive) to 1 (exclusive).
func WithRandom(random func() float64) Option { return func(c *Client) { c.random = random } }

// New makes a client. baseURL is that of the service, for example https://assay.example.com.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	if !visible.MatchString(apiKey) {
		return nil, errors.New("assay: the API key must consist of 1 to 255 visible ASCII characters")
	}
	base, err := url.Parse(baseURL)
	isUsable := err == nil && (base.Scheme == "http" || base.Scheme == "https") && base.Hostname() != "" && base.User == nil
	if !isUsable || strings.ContainsAny(baseURL, "?#\\ ") {
		return nil, errors.New("assay: the base URL must be one such as https://assay.example.com")
	}
	c := &Client{
		apiKey:      func() string { return apiKey },
		baseURL:     strings.TrimRight(baseURL, "/"),
		timeout:     10 * time.Second,
		attemptsMax: 5,
		total:       30 * time.Second,
		clock:       systemClock{},
		random:      rand.New(&lockedSource{source: rand.NewSource(time.Now().UnixNano())}).Float64,
	}
	for _, option := range options {
		option(c)
	}
	if c.timeout < time.Millisecond || c.timeout > timeBound || c.total < time.Millisecond || c.total > timeBound {
		return nil, fmt.Errorf("assay: the timeout and the total must be from 1 ms to %v", timeBound)
	}
	if c.attemptsMax < 1 || c.attemptsMax > attemptsBound {
		return nil, fmt.Errorf("assay: the number of attempts must be from 1 to %d", attemptsBound)
	}
	if c.transport == nil {
		c.transport = makeTransport()
	}
	return c, nil
}

func makeTransport() http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	transport := standard.Clone()
	// Shorter than servers keep a connection: one that is closed while a request is sent costs an attempt.
	transport.IdleConnTimeout = idleTime
	transport.MaxIdleConnsPerHost = idleMax
	return transport
}

// CallOption is an option of one call.
type CallOption func(*callSettings)

type callSettings struct {
	idempotencyKey *string
	sessionToken   string
	testScenario   string
	fallback       any
}

// WithIdempotencyKey identifies a billable call by 1 to 255 visible ASCII characters, such as an order number, to make it
// idempotent across restarts of your server too. Default: a new random key.
func WithIdempotencyKey(key string) CallOption {
	return func(s *callSettings) { s.idempotencyKey = &key }
}

// WithSessionToken gives Predict, Score or Analyze the token of a session that the service has measured itself. It is used
// instead of the report's; "" means that there is none.
func WithSessionToken(token string) CallOption {
	return func(s *callSettings) { s.sessionToken = token }
}

// WithTestScenario forces an answer; it works with test keys only.
func WithTestScenario(scenario TestScenario) CallOption {
	return func(s *callSettings) { s.testScenario = string(scenario) }
}

// WithFallback is returned instead of an error when every attempt failed with a retryable one. Errors that a retry cannot
// change, such as a wrong key, are returned all the same. It has the type that the call returns.
func WithFallback[Answer any](fallback *Answer) CallOption {
	return func(s *callSettings) { s.fallback = fallback }
}

// Ptr returns a pointer to the value, for optional fields.
func Ptr[Value any](value Value) *Value { return &value }

// Predict scores a session: its SessionData, or the SessionReport that the collector posted to your server. Billable.
func (c *Client) Predict(ctx context.Context, session Scorable, options ...CallOption) (*Prediction, error) {
	return score[Prediction](ctx, c, "predict", session, options)
}

// Score scores a session like Predict, and returns the verdict in its shorter shape. Billable.
func (c *Client) Score(ctx context.Context, session Scorable, options ...CallOption) (*Score, error) {
	return score[Score](ctx, c, "score", session, options)
}

// Analyze scores a session like Predict, and explains the score signal by signal. Billable.
func (c *Client) Analyze(ctx context.Context, session Scorable, options ...CallOption) (*Analysis, error) {
	return score[Analysis](ctx, c, "analyze", session, options)
}

// AnalyzeTraffic summarizes your own sessions in a time window, by default the last seven days. Billable.
func (c *Client) AnalyzeTraffic(ctx context.Context, window TrafficWindow, options ...CallOption) (*Traffic, error) {
	return send(ctx, c, request{method: "POST", path: "/api/servicescore/analyze", body: window, isBillable: true}, readBody[Traffic], options)
}

// Session reads a scored session. Free.
func (c *Client) Session(ctx context.Context, sessionID string, options ...CallOption) (*Session, error) {
	return send(ctx, c, request{method: "GET", path: "/api/sessions/" + encodePart(sessionID)}, readVerdict[Session], options)
}

// ReportOutcome reports how a scored session ended; the last report counts. Free.
func (c *Client) ReportOutcome(ctx context.Context, sessionID string, outcome Outcome, options ...CallOption) (*RecordedOutcome, error) {
	body := map[string]Outcome{"outcome": outcome}
	path := "/api/sessions/" + encodePart(sessionID) + "/outcome"
	return send(ctx, c, request{method: "POST", path: path, body: body}, readBody[RecordedOutcome], options)
}

// Usage reads how many live calls you made and what they earned, by default in the last 30 days. Free.
func (c *Client) Usage(ctx context.Context, window UsageWindow, options ...CallOption) (*Usage, error) {
	var query []string
	if window.From != "" {
		query = append(query, "from="+encodePart(window.From))
	}
	if window.To != "" {
		query = append(query, "to="+encodePart(window.To))
	}
	path := "/api/usage"
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	return send(ctx, c, request{method: "GET", path: path}, readBody[Usage], options)
}

// Statement reads the statement of a month, such as 2026-01, in UTC. Free.
func (c *Client) Statement(ctx context.Context, month string, options ...CallOption) (*Statement, error) {
	return send(ctx, c, request{method: "GET", path: "/api/statements/" + encodePart(month)}, readBody[Statement], options)
}

// RequestAd requests an ad to show. Free. If there is none, Ad is nil and NoFillReason says why.
func (c *Client) RequestAd(ctx context.Context, wanted AdRequest, options ...CallOption) (*AdResult, error) {
	return send(ctx, c, request{method: "POST", path: "/api/ads/request", body: wanted}, readAd, options)
}

// Proof reads the proof of a ledger entry, for VerifyProof. Free. Entries are logged within a minute.
func (c *Client) Proof(ctx context.Context, seq int64, options ...CallOption) (*ProofFile, error) {
	path := "/api/ledger/proof?seq=" + strconv.FormatInt(seq, 10)
	return send(ctx, c, request{method: "GET", path: path, accept: "text/plain"}, readProof, options)
}
