package assay

import (
	"bytes"
	"context"
	crypto "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	answerBytesMax = 4 * 1024 * 1024
	firstWaitMsMax = 250
	waitMsMax      = 8_000
)

type request struct {
	method, path, accept string
	body                 any
	isBillable           bool
}

// Scorable is what can be scored: SessionData, PartialSessionData, SessionReport or RawSession.
type Scorable interface {
	scoringRequest(token string) (any, error)
}

type scoringRequest struct {
	SessionData  any `json:"session_data"`
	SessionToken any `json:"session_token,omitempty"`
}

// SessionReport is what the collector posts to your server. Its signals may be incomplete if there is a token.
type SessionReport struct {
	// SessionData has the signals.
	SessionData PartialSessionData `json:"session_data"`
	// SessionToken is "" if there is none.
	SessionToken string `json:"session_token,omitempty"`
}

// RawSession is the JSON of signals or of a report. More than the two fields of a report is not passed on.
type RawSession json.RawMessage

func makeScoringRequest(signals any, tokens ...string) scoringRequest {
	for _, token := range tokens {
		if token != "" {
			return scoringRequest{signals, token}
		}
	}
	return scoringRequest{SessionData: signals}
}

func (d SessionData) scoringRequest(token string) (any, error) {
	return makeScoringRequest(d, token), nil
}

func (d PartialSessionData) scoringRequest(token string) (any, error) {
	return makeScoringRequest(d, token), nil
}

func (r SessionReport) scoringRequest(token string) (any, error) {
	return makeScoringRequest(r.SessionData, token, r.SessionToken), nil
}

func (r RawSession) scoringRequest(token string) (any, error) {
	if !json.Valid(r) {
		return nil, errors.New("assay: the session is not JSON")
	}
	fields, _ := parseObject(r)
	signals, isReport := fields["session_data"]
	if !isReport {
		return makeScoringRequest(json.RawMessage(r), token), nil
	}
	own := fields["session_token"]
	if token == "" && !isMissing(own) && string(own) != `""` {
		return scoringRequest{signals, own}, nil
	}
	return makeScoringRequest(signals, token), nil
}

func score[Body any, Pointer answerPointer[Body]](ctx context.Context, c *Client, name string, session Scorable, options []CallOption) (*Body, error) {
	if session == nil {
		return nil, errors.New("assay: there is no session to score")
	}
	var settings callSettings
	for _, option := range options {
		option(&settings)
	}
	body, err := session.scoringRequest(settings.sessionToken)
	if err != nil {
		return nil, err
	}
	return send(ctx, c, request{method: "POST", path: "/api/ml/" + name, body: body, isBillable: true}, readVerdict[Body, Pointer], options)
}

var escape = regexp.MustCompile(`\\(?:u2028|u2029|u0008|u000c|.)`)

// encodeJSON is as short as JSON can be: Go's own encoder escapes more than it must.
func encodeJSON(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("assay: the request cannot be written as JSON: %w", err)
	}
	shorter := map[string]string{`\u2028`: "\u2028", `\u2029`: "\u2029", `\u0008`: `\b`, `\u000c`: `\f`}
	return escape.ReplaceAllFunc(bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), func(found []byte) []byte {
		if short, ok := shorter[string(found)]; ok {
			return []byte(short)
		}
		return found
	}), nil
}

// encodePart of a path or a query.
func encodePart(text string) string {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"
	var encoded strings.Builder
	for _, each := range []byte(text) {
		if strings.IndexByte(safe, each) >= 0 {
			encoded.WriteByte(each)
		} else {
			fmt.Fprintf(&encoded, "%%%02X", each)
		}
	}
	return encoded.String()
}

func newKey() (string, error) {
	var random [16]byte
	if _, err := crypto.Read(random[:]); err != nil {
		return "", fmt.Errorf("assay: there is no randomness for an idempotency key: %w", err)
	}
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:]), nil
}

// prepare makes the headers and the bytes that all attempts share.
func (c *Client) prepare(r request, settings callSettings) (http.Header, []byte, error) {
	header := http.Header{"Accept": {"application/json"}, "X-Api-Key": {c.apiKey()}, "User-Agent": {"assay-go/" + Version}}
	if r.accept != "" {
		header.Set("Accept", r.accept)
	}
	if settings.testScenario != "" {
		if !visible.MatchString(settings.testScenario) {
			return nil, nil, errors.New("assay: a test scenario consists of visible ASCII characters")
		}
		header.Set("Assay-Test-Scenario", settings.testScenario)
	}
	if settings.idempotencyKey != nil && !r.isBillable {
		return nil, nil, errors.New("assay: only billable calls have an idempotency key")
	}
	if r.isBillable {
		if settings.idempotencyKey == nil {
			key, err := newKey()
			if err != nil {
				return nil, nil, err
			}
			settings.idempotencyKey = &key
		}
		if !visible.MatchString(*settings.idempotencyKey) {
			return nil, nil, errors.New("assay: an idempotency key must consist of 1 to 255 visible ASCII characters")
		}
		header.Set("Idempotency-Key", *settings.idempotencyKey)
	}
	if r.body == nil {
		return header, nil, nil
	}
	header.Set("Content-Type", "application/json")
	body, err := encodeJSON(r.body)
	return header, body, err
}

// attempt makes one request. Redirects are not followed: they would send the key to another host.
func (c *Client) attempt(ctx context.Context, r request, header http.Header, body []byte) (rawAnswer, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	made, err := http.NewRequestWithContext(limited, r.method, c.baseURL+r.path, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return rawAnswer{}, err
	}
	// A body that the transport cannot send twice keeps it from retrying by itself; an empty one is not sent.
	made.ContentLength = int64(len(body))
	if body == nil {
		made.ContentLength = -1
	}
	made.Header = header.Clone()
	answer, err := c.transport.RoundTrip(made)
	var text []byte
	if err == nil {
		defer answer.Body.Close()
		text, err = io.ReadAll(io.LimitReader(answer.Body, answerBytesMax+1))
	}
	if err == nil && len(text) > answerBytesMax {
		err = fmt.Errorf("the answer is larger than %d bytes", answerBytesMax)
	}
	switch {
	case err == nil:
		join := func(name string) string { return strings.Join(answer.Header.Values(name), ", ") }
		return rawAnswer{answer.StatusCode, join, text}, nil
	case ctx.Err() != nil:
		return rawAnswer{}, ctx.Err()
	case limited.Err() != nil:
		message := fmt.Sprintf("No complete answer within %d ms.", c.timeout.Milliseconds())
		return rawAnswer{}, &Error{Code: CodeTimeout, Message: message, IsRetryable: true, cause: err}
	}
	return rawAnswer{}, &Error{Code: CodeNetworkFailure, Message: "The service could not be reached.", IsRetryable: true, cause: err}
}

// waitMsBefore is exponential back-off with full jitter; what the service asks for is respected in full.
func waitMsBefore(number int, retryAfterSeconds *float64, chance float64) float64 {
	bound := math.Min(waitMsMax, firstWaitMsMax*math.Pow(2, float64(number-1)))
	wait := math.Floor(chance * bound)
	if retryAfterSeconds != nil {
		wait += *retryAfterSeconds * 1_000
	}
	return wait
}

// send repeats the call until it has a final answer. Every attempt is the same request with the same idempotency key.
func send[Body any](ctx context.Context, c *Client, r request, read func(rawAnswer, int) (*Body, error), options []CallOption) (*Body, error) {
	var settings callSettings
	for _, option := range options {
		option(&settings)
	}
	fallback, ok := settings.fallback.(*Body)
	if settings.fallback != nil && !ok {
		return nil, fmt.Errorf("assay: the fallback is a %T, but the call returns a %T", settings.fallback, fallback)
	}
	header, body, err := c.prepare(r, settings)
	if err != nil {
		return nil, err
	}
	started := c.clock.Now()
	for attempts := 1; ; attempts++ {
		answer, err := c.attempt(ctx, r, header, body)
		if err == nil && answer.status != 200 && answer.status != 204 {
			err = readFailure(answer)
		}
		var result *Body
		if err == nil {
			result, err = read(answer, attempts)
		}
		var failure *Error
		if err == nil || !errors.As(err, &failure) {
			return result, err
		}
		waitMs := waitMsBefore(attempts, failure.RetryAfterSeconds, c.random())
		elapsedMs := float64(c.clock.Now().Sub(started)) / float64(time.Millisecond)
		isLate := elapsedMs+waitMs > float64(c.total)/float64(time.Millisecond)
		if !failure.IsRetryable || attempts >= c.attemptsMax || isLate {
			if failure.IsRetryable && settings.fallback != nil {
				return fallback, nil
			}
			failure.Attempts, failure.IdempotencyKey = attempts, header.Get("Idempotency-Key")
			return nil, failure
		}
		if err := c.clock.Sleep(ctx, time.Duration(waitMs*float64(time.Millisecond))); err != nil {
			return nil, err
		}
	}
}

// lockedSource makes a source of its own safe for concurrent use: before Go 1.20 the shared one always starts the same.
type lockedSource struct {
	mutex  sync.Mutex
	source rand.Source
}

func (s *lockedSource) Int63() int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.source.Int63()
}

func (s *lockedSource) Seed(seed int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.source.Seed(seed)
}
