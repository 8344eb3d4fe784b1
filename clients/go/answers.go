package assay

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Meta has facts about a call.
type Meta struct {
	// RequestID is the X-Request-Id of the answer. Quote it when you report a problem.
	RequestID string
	// Receipt of the call's ledger entry, <seq>.<hash>; "" if nothing was billed.
	Receipt string
	// Replayed is true if this is the stored answer of an earlier call or attempt with the same idempotency key.
	Replayed bool
	// Attempts is the number of attempts made, including the first.
	Attempts int
}

// Call is part of every answer.
type Call struct {
	// Meta has facts about the call.
	Meta Meta
	// Raw is the body as it arrived, with fields that are newer than this package.
	Raw json.RawMessage
}

func (c *Call) setCall(call Call) { *c = call }

// AdResult is an ad, or nil with the reason.
type AdResult struct {
	Call `json:"-"`
	// Ad is nil if there is none.
	Ad *Ad `json:"ad"`
	// NoFillReason says why there is no ad; "" if there is one.
	NoFillReason NoFillReason `json:"no_fill_reason,omitempty"`
}

// ProofFile is the proof of a ledger entry, as a file.
type ProofFile struct {
	Call `json:"-"`
	// Text is for VerifyProof.
	Text string `json:"proof"`
}

type rawAnswer struct {
	status int
	header func(name string) string
	body   []byte
}

type answerPointer[Body any] interface {
	*Body
	setCall(Call)
}

func (a rawAnswer) call(attempts int) Call {
	replayed := a.header("Idempotent-Replayed") == "true"
	return Call{Meta{a.header("X-Request-Id"), a.header("Assay-Receipt"), replayed, attempts}, a.body}
}

// refuse makes an error that is retried: the call may have been billed, but a retry with the same key returns the same answer.
func (a rawAnswer) refuse(message string) error {
	return &Error{Code: CodeUnreadableAnswer, Status: a.status, Message: message, RequestID: a.header("X-Request-Id"), IsRetryable: true}
}

func parseObject(body []byte) (map[string]json.RawMessage, bool) {
	var object map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &object)
	return object, err == nil && object != nil
}

// fill sets the fields that the answer has. One of another type than expected stays empty, and is in Raw.
func fill(body []byte, into any) {
	_ = json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), into)
}

func readBody[Body any, Pointer answerPointer[Body]](answer rawAnswer, attempts int) (*Body, error) {
	if _, ok := parseObject(answer.body); !ok {
		return nil, answer.refuse("The answer is not a JSON object.")
	}
	read := new(Body)
	fill(answer.body, read)
	Pointer(read).setCall(answer.call(attempts))
	return read, nil
}

// numberOf is not finite for a number that is too large, and not there for what is not a number.
func numberOf(raw json.RawMessage) (float64, bool) {
	if len(raw) == 0 || !strings.ContainsRune("-0123456789", rune(raw[0])) {
		return 0, false
	}
	number, _ := strconv.ParseFloat(string(raw), 64)
	return number, true
}

func stringOf(raw json.RawMessage) (string, bool) {
	var text string
	isString := len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil
	return text, isString
}

func isMissing(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// readVerdict gives the confidence under both of its names, whichever the answer has.
func readVerdict[Body any, Pointer answerPointer[Body]](answer rawAnswer, attempts int) (*Body, error) {
	fields, ok := parseObject(answer.body)
	if !ok {
		return nil, answer.refuse("The answer is not a JSON object.")
	}
	confidence := fields["confidence"]
	if isMissing(confidence) {
		confidence = fields["attribution_confidence"]
	}
	score, hasScore := numberOf(fields["service_score"])
	_, hasConfidence := numberOf(confidence)
	level, _ := stringOf(fields["trust_level"])
	hasLevel := level == "high" || level == "medium" || level == "low"
	if !hasScore || math.IsInf(score, 0) || !hasLevel || !hasConfidence {
		return nil, answer.refuse("The answer does not contain a verdict.")
	}
	fields["confidence"], fields["attribution_confidence"] = confidence, confidence
	for name, value := range map[string]string{"attestation": `"asserted"`, "attested": "[]", "attestation_issues": "[]"} {
		if fields[name] == nil {
			fields[name] = json.RawMessage(value)
		}
	}
	filled, err := json.Marshal(fields)
	if err != nil {
		return nil, answer.refuse("The answer does not contain a verdict.")
	}
	read := new(Body)
	fill(filled, read)
	Pointer(read).setCall(answer.call(attempts))
	return read, nil
}

func readAd(answer rawAnswer, attempts int) (*AdResult, error) {
	result := &AdResult{Call: answer.call(attempts)}
	if answer.status == 204 {
		result.NoFillReason = NoFillReason(answer.header("Assay-No-Fill"))
		if result.NoFillReason == "" {
			result.NoFillReason = "unknown"
		}
		return result, nil
	}
	if _, ok := parseObject(answer.body); !ok {
		return nil, answer.refuse("The answer is not a JSON object.")
	}
	result.Ad = new(Ad)
	fill(answer.body, result.Ad)
	return result, nil
}

func readProof(answer rawAnswer, attempts int) (*ProofFile, error) {
	text := strings.ToValidUTF8(strings.TrimPrefix(string(answer.body), "\ufeff"), "\ufffd")
	return &ProofFile{Call: answer.call(attempts), Text: text}, nil
}

func readFailure(answer rawAnswer) *Error {
	const messageCharactersMax = 500
	fields, _ := parseObject(answer.body)
	code, hasCode := stringOf(fields["error"])
	said, hasMessage := stringOf(fields["message"])
	failure := &Error{Code: CodeUnexpectedStatus, Status: answer.status, RequestID: answer.header("X-Request-Id")}
	failure.Message = "The answer had status " + strconv.Itoa(answer.status)
	switch {
	case !hasCode:
		failure.Message += " and did not come from Assay."
	case !hasMessage:
		failure.Code, failure.Message = code, failure.Message+"."
	default:
		characters := []rune(said)
		if len(characters) > messageCharactersMax {
			characters = characters[:messageCharactersMax]
		}
		failure.Code, failure.Message = code, string(characters)
	}
	failure.RetryAfterSeconds = parseRetryAfter(fields["retry_after"], answer.header("Retry-After"))
	switch answer.status {
	case 429, 500, 502, 503, 504:
		failure.IsRetryable = true
	case 409:
		failure.IsRetryable = failure.Code == "idempotency_in_progress"
	}
	return failure
}

func parseRetryAfter(inBody json.RawMessage, header string) *float64 {
	if seconds, ok := numberOf(inBody); ok {
		if seconds < 0 || math.IsInf(seconds, 0) {
			return nil
		}
		return &seconds
	}
	if len(header) < 1 || len(header) > 9 || strings.Trim(header, "0123456789") != "" {
		return nil
	}
	seconds, _ := strconv.ParseFloat(header, 64)
	return &seconds
}
