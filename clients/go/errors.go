package assay

import "fmt"

// Codes of this client, for calls that got no answer or an answer that is not from the service.
const (
	// CodeNetworkFailure: no connection, or it closed before the answer was complete.
	CodeNetworkFailure = "network_failure"
	// CodeTimeout: no complete answer within the time limit of an attempt.
	CodeTimeout = "timeout"
	// CodeUnreadableAnswer: status 200 with a body that the service would not send.
	CodeUnreadableAnswer = "unreadable_answer"
	// CodeUnexpectedStatus: an error status without a code of the service, most likely from a proxy.
	CodeUnexpectedStatus = "unexpected_status"
)

// Error says why a call yielded no result. Match on Code, never on Message. Invalid arguments are other errors, and a call
// whose context ended returns the context's error.
type Error struct {
	// Code is the service's, or one of this package.
	Code string
	// Status is the HTTP status of the last answer; 0 when there was none.
	Status int
	// Message is for people; at most 500 characters.
	Message string
	// RequestID is the X-Request-Id of the last answer. Quote it when you report a problem.
	RequestID string
	// IsRetryable says whether the same call may succeed later.
	IsRetryable bool
	// RetryAfterSeconds is the wait that the service named; nil if it named none.
	RetryAfterSeconds *float64
	// Attempts is the number of attempts made, including the first.
	Attempts int
	// IdempotencyKey is that of a billable call. Repeating the call with it within 24 hours returns the original answer.
	IdempotencyKey string

	cause error
}

// Error has the code, the status and the message; never the key.
func (e *Error) Error() string {
	return fmt.Sprintf("assay: %s (status %d): %s", e.Code, e.Status, e.Message)
}

// Unwrap returns what the network said, if it was the network.
func (e *Error) Unwrap() error { return e.cause }

// WebhookError says why a request is not an event to act on. Answer with Status, and do nothing else. No text contains a
// secret.
type WebhookError struct {
	// Code is bad_signature, too_old, duplicate and others.
	Code string
	// Status is what to answer: 200 if it was handled before, 400 or 413 if it is refused, 500 if the receiver is set up
	// wrongly.
	Status int
	// Message is for people.
	Message string
}

// Error has the code and the message.
func (e *WebhookError) Error() string { return "assay: " + e.Code + ": " + e.Message }

// IsDuplicate is true if Assay sent it and it was handled before: then there is nothing left to do.
func (e *WebhookError) IsDuplicate() bool { return e.Code == "duplicate" }

func refuseWebhook(code, message string) error {
	statuses := map[string]int{"too_large": 413, "bad_secret": 500, "bad_account": 500, "unsupported": 500, "duplicate": 200}
	status, ok := statuses[code]
	if !ok {
		status = 400
	}
	return &WebhookError{Code: code, Status: status, Message: message}
}

// ProofError says why a proof does not prove a receipt. Match on Code.
type ProofError struct {
	// Code is malformed_…, unknown_log, bad_signature, other_receipt or not_included.
	Code string
	// Message is for people.
	Message string
}

// Error has the code and the message.
func (e *ProofError) Error() string { return "assay: " + e.Code + ": " + e.Message }
