// Command conformance runs the cases of clients/conformance with the installed package; its README.md has the commands.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	assay "assay.dev/client"
)

type command struct {
	Do     string `json:"do"`
	Client struct {
		APIKey      string   `json:"api_key"`
		BaseURL     string   `json:"base_url"`
		TimeoutMs   *float64 `json:"timeout_ms"`
		AttemptsMax *int     `json:"attempts_max"`
		TotalMsMax  *float64 `json:"total_ms_max"`
	} `json:"client"`
	Chance    *float64                   `json:"chance"`
	Method    string                     `json:"method"`
	Arguments map[string]json.RawMessage `json:"arguments"`
	Options   map[string]json.RawMessage `json:"options"`

	Payload         []byte                     `json:"payload_base64"`
	Headers         map[string]json.RawMessage `json:"headers"`
	Secrets         []string                   `json:"secrets"`
	Tolerance       *float64                   `json:"tolerance_seconds"`
	PayloadBytesMax *int                       `json:"payload_bytes_max"`
	Account         *string                    `json:"account"`
	NowMs           int64                      `json:"now_ms"`
	Seen            *[]string                  `json:"seen"`

	Proof       string   `json:"proof"`
	Receipt     string   `json:"receipt"`
	LogKeys     []string `json:"log_keys"`
	WitnessKeys []string `json:"witness_keys"`
}

type reply map[string]any

// recordingClock has waits that take no time.
type recordingClock struct {
	now     time.Time
	waitsMs []float64
}

func (c *recordingClock) Now() time.Time { return c.now }

func (c *recordingClock) Sleep(_ context.Context, duration time.Duration) error {
	c.waitsMs = append(c.waitsMs, float64(duration)/float64(time.Millisecond))
	c.now = c.now.Add(duration)
	return nil
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func decode[Value any](raw json.RawMessage) Value {
	var value Value
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &value); err != nil {
			panic(err)
		}
	}
	return value
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// run makes a call with a fallback of its own, which no answer is. nil: the fallback was returned.
func run[Answer any](options map[string]json.RawMessage, call func(...assay.CallOption) (*Answer, error)) (*Answer, error) {
	var given []assay.CallOption
	for name, raw := range options {
		switch name {
		case "idempotency_key":
			given = append(given, assay.WithIdempotencyKey(decode[string](raw)))
		case "session_token":
			given = append(given, assay.WithSessionToken(decode[string](raw)))
		case "test_scenario":
			given = append(given, assay.WithTestScenario(decode[assay.TestScenario](raw)))
		case "on_unavailable":
			given = append(given, assay.WithFallback[Answer](nil))
		}
	}
	return call(given...)
}

func answerWith(answer map[string]any, meta assay.Meta) reply {
	return reply{"answer": answer, "meta": reply{
		"request_id": orNull(meta.RequestID), "receipt": orNull(meta.Receipt), "replayed": meta.Replayed, "attempts": meta.Attempts,
	}}
}

// normalized has the fields that the client fills in, as its types have them.
var normalized = []string{"service_score", "trust_level", "confidence", "attribution_confidence", "attestation", "attested", "attestation_issues"}

// describe joins the body as it arrived with the fields that the client has filled in.
func describe(answer any, call *assay.Call) reply {
	typed, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	said := decode[map[string]any](bytes.TrimPrefix(call.Raw, []byte("\ufeff")))
	filled := decode[map[string]any](typed)
	for _, name := range normalized {
		if value, ok := filled[name]; ok {
			said[name] = value
		}
	}
	return answerWith(said, call.Meta)
}

func makeCall(ctx context.Context, client *assay.Client, c command) (reply, error) {
	fallback := reply{"fallback": c.Options["on_unavailable"]}
	session := assay.RawSession(c.Arguments["session"])
	id := func() string { return decode[string](c.Arguments["session_id"]) }
	switch c.Method {
	case "predict":
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Prediction, error) { return client.Predict(ctx, session, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "score":
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Score, error) { return client.Score(ctx, session, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "analyze":
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Analysis, error) { return client.Analyze(ctx, session, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "session":
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Session, error) { return client.Session(ctx, id(), o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "analyze_traffic":
		window := decode[assay.TrafficWindow](c.Arguments["window"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Traffic, error) { return client.AnalyzeTraffic(ctx, window, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "report_outcome":
		outcome := decode[assay.Outcome](c.Arguments["outcome"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.RecordedOutcome, error) {
			return client.ReportOutcome(ctx, id(), outcome, o...)
		})
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "usage":
		window := decode[assay.UsageWindow](c.Arguments["window"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Usage, error) { return client.Usage(ctx, window, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "statement":
		month := decode[string](c.Arguments["month"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.Statement, error) { return client.Statement(ctx, month, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return describe(got, &got.Call), nil
	case "request_ad":
		wanted := decode[assay.AdRequest](c.Arguments["request"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.AdResult, error) { return client.RequestAd(ctx, wanted, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		var ad any
		if got.Ad != nil {
			ad = got.Raw
		}
		return answerWith(map[string]any{"ad": ad, "no_fill_reason": orNull(string(got.NoFillReason))}, got.Meta), nil
	case "proof":
		seq := decode[int64](c.Arguments["seq"])
		got, err := run(c.Options, func(o ...assay.CallOption) (*assay.ProofFile, error) { return client.Proof(ctx, seq, o...) })
		if got == nil || err != nil {
			return fallback, err
		}
		return answerWith(map[string]any{"proof": got.Text}, got.Meta), nil
	}
	panic("there is no method " + c.Method)
}

func call(c command) reply {
	var options []assay.Option
	clock := &recordingClock{waitsMs: []float64{}}
	if c.Chance != nil {
		options = append(options, assay.WithClock(clock), assay.WithRandom(func() float64 { return *c.Chance }))
	}
	if c.Client.TimeoutMs != nil {
		options = append(options, assay.WithTimeout(milliseconds(*c.Client.TimeoutMs)))
	}
	if c.Client.TotalMsMax != nil {
		options = append(options, assay.WithTotal(milliseconds(*c.Client.TotalMsMax)))
	}
	if c.Client.AttemptsMax != nil {
		options = append(options, assay.WithAttemptsMax(*c.Client.AttemptsMax))
	}
	client, err := assay.New(c.Client.APIKey, c.Client.BaseURL, options...)
	if err != nil {
		return reply{"refused": err.Error()}
	}
	if shown := fmt.Sprintf("%v %+v %#v", client, client, *client); strings.Contains(shown, c.Client.APIKey) {
		panic("printing the client shows the key")
	}
	told, err := makeCall(context.Background(), client, c)
	var failure *assay.Error
	if errors.As(err, &failure) {
		told = reply{"error": reply{
			"code": failure.Code, "status": failure.Status, "message": failure.Message, "request_id": orNull(failure.RequestID),
			"is_retryable": failure.IsRetryable, "retry_after_seconds": failure.RetryAfterSeconds, "attempts": failure.Attempts,
			"idempotency_key": orNull(failure.IdempotencyKey),
		}}
	} else if err != nil {
		return reply{"refused": err.Error()}
	}
	told["waits_ms"] = clock.waitsMs
	return told
}

func verifyWebhook(c command) reply {
	header := http.Header{}
	for name, raw := range c.Headers {
		var one *string
		if json.Unmarshal(raw, &one) != nil {
			header[name] = decode[[]string](raw)
		} else if one != nil {
			header[name] = []string{*one}
		}
	}
	options := []assay.WebhookOption{assay.WithNow(func() time.Time { return time.UnixMilli(c.NowMs) })}
	if c.Tolerance != nil {
		options = append(options, assay.WithTolerance(milliseconds(*c.Tolerance*1_000)))
	}
	if c.PayloadBytesMax != nil {
		options = append(options, assay.WithPayloadBytesMax(*c.PayloadBytesMax))
	}
	if c.Account != nil {
		options = append(options, assay.WithAccount(*c.Account))
	}
	if c.Seen != nil {
		options = append(options, assay.WithSeen(func(id string) (bool, error) {
			for _, each := range *c.Seen {
				if each == id {
					return true, nil
				}
			}
			return false, nil
		}))
	}
	event, err := assay.VerifyWebhook(c.Payload, header, c.Secrets, options...)
	var refusal *assay.WebhookError
	if errors.As(err, &refusal) {
		return reply{"error": reply{"code": refusal.Code, "status": refusal.Status}}
	}
	if err != nil {
		panic(err)
	}
	return reply{"answer": reply{
		"id": event.ID, "type": event.Type, "timestamp": event.Timestamp, "sequence": event.Sequence, "account": orNull(event.Account), "data": event.Data,
	}}
}

func verifyProof(c command) reply {
	proof, err := assay.VerifyProof(c.Proof, c.Receipt, c.LogKeys, c.WitnessKeys)
	var refusal *assay.ProofError
	if errors.As(err, &refusal) {
		return reply{"error": reply{"code": refusal.Code}}
	}
	if err != nil {
		return reply{"refused": err.Error()}
	}
	witnesses := []reply{}
	for _, each := range proof.WitnessedBy {
		witnesses = append(witnesses, reply{"name": each.Name, "at_ms": each.AtMs})
	}
	return reply{"answer": reply{
		"account_id": proof.AccountID, "seq": proof.Seq, "hash": proof.Hash, "origin": proof.Origin,
		"index": proof.Index, "size": proof.Size, "witnessed_by": witnesses,
	}}
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var c command
		if err := json.Unmarshal(line, &c); err != nil {
			panic(err)
		}
		var told reply
		switch c.Do {
		case "call":
			told = call(c)
		case "verify_webhook":
			told = verifyWebhook(c)
		default:
			told = verifyProof(c)
		}
		if err := output.Encode(told); err != nil {
			panic(err)
		}
	}
}
