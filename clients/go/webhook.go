package assay

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	secretsMax             = 20
	signaturesMax          = 20
	signatureCharactersMax = 4_096
	idCharactersMax        = 256
	safeIntegerMax         = 1<<53 - 1
)

var (
	secretPattern  = regexp.MustCompile(`^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})$`)
	idPattern      = regexp.MustCompile(`^[!-\-/-~]+$`)
	secondsPattern = regexp.MustCompile(`^[0-9]{1,12}$`)
	// Where a header was sent twice, some servers put a comma and a space between its values.
	between = regexp.MustCompile(`,? +`)
)

// Event of your account.
type Event struct {
	// ID is evt_…, the same on every attempt to deliver it: handle each id once.
	ID string `json:"id"`
	// Type is payout.paid and others. More may be added.
	Type string `json:"type"`
	// Timestamp says when it happened.
	Timestamp string `json:"timestamp"`
	// Sequence counts the events of your account without a gap; they may arrive in another order.
	Sequence int64 `json:"sequence"`
	// Account says whose event it is. Empty: an installation sent it that does not say so yet.
	Account string `json:"account"`
	// Data is an object that depends on the type.
	Data json.RawMessage `json:"data"`
}

// WebhookOption is an option of VerifyWebhook.
type WebhookOption func(*webhookSettings)

type webhookSettings struct {
	tolerance       time.Duration
	payloadBytesMax int
	account         *string
	seen            func(id string) (bool, error)
	now             func() time.Time
}

// WithTolerance sets how far the time of the signature may be from now, both ways. Default: 5 minutes.
func WithTolerance(tolerance time.Duration) WebhookOption {
	return func(s *webhookSettings) { s.tolerance = tolerance }
}

// WithPayloadBytesMax sets the size from which bodies are refused. Default: 65,536.
func WithPayloadBytesMax(size int) WebhookOption {
	return func(s *webhookSettings) { s.payloadBytesMax = size }
}

// WithAccount sets whose events are expected (acct_…, as the dashboard shows it): others are refused. Required with a
// public key (whpk_…), which signs the events of all accounts.
func WithAccount(account string) WebhookOption {
	return func(s *webhookSettings) { s.account = &account }
}

// WithSeen says whether an event with this id has been handled. It is asked after the signature was verified.
func WithSeen(seen func(id string) (bool, error)) WebhookOption {
	return func(s *webhookSettings) { s.seen = seen }
}

// WithNow replaces time.Now, for tests.
func WithNow(now func() time.Time) WebhookOption {
	return func(s *webhookSettings) { s.now = now }
}

// VerifyWebhook verifies a webhook and returns its event, or a *WebhookError. payload is the raw body; secrets are the
// endpoint's secret (whsec_…), both while it is being rotated, or the installation's public key (whpk_…), which
// needs WithAccount.
func VerifyWebhook(payload []byte, header http.Header, secrets []string, options ...WebhookOption) (*Event, error) {
	settings := webhookSettings{tolerance: 5 * time.Minute, payloadBytesMax: 65_536, now: time.Now}
	for _, option := range options {
		option(&settings)
	}
	verifiers, err := readSecrets(secrets)
	if err != nil {
		return nil, err
	}
	if err := checkExpected(settings.account, verifiers); err != nil {
		return nil, err
	}
	if len(payload) > settings.payloadBytesMax {
		return nil, refuseWebhook("too_large", fmt.Sprintf("the body has more than %d bytes", settings.payloadBytesMax))
	}
	id, err := readHeader(valuesOf(header, "webhook-id"), "webhook-id", idCharactersMax)
	if err != nil {
		return nil, err
	}
	if !idPattern.MatchString(id) {
		return nil, refuseWebhook("bad_header", "webhook-id contains a full stop, a space or a character outside of ASCII")
	}
	seconds, err := readTime(header, settings)
	if err != nil {
		return nil, err
	}
	joined := strings.Join(valuesOf(header, "webhook-signature"), " ")
	signatures, err := readHeader([]string{joined}, "webhook-signature", signatureCharactersMax)
	if err != nil {
		return nil, err
	}
	if !isSigned([]byte(id+"."+seconds+"."+string(payload)), signatures, verifiers) {
		return nil, refuseWebhook("bad_signature", "no signature was made with one of the secrets for this id, time and body")
	}
	event, err := readEvent(payload, id)
	if err != nil {
		return nil, err
	}
	if settings.account != nil && event.Account != *settings.account {
		return nil, refuseWebhook("other_account", "it is genuine, but it is not an event of the account that is expected")
	}
	if settings.seen == nil {
		return event, nil
	}
	isSeen, err := settings.seen(id)
	if err != nil {
		return nil, fmt.Errorf("assay: whether the event was handled is not known: %w", err)
	}
	if isSeen {
		return nil, refuseWebhook("duplicate", "an event with this id has been handled before")
	}
	return event, nil
}

type verifier struct {
	version string
	key     []byte
}

// decodeBase64 as browsers do: padding and stray bits do not matter.
func decodeBase64(text string) ([]byte, bool) {
	stripped := strings.NewReplacer("\t", "", "\n", "", "\f", "", "\r", "", " ", "").Replace(text)
	if len(stripped)%4 == 0 {
		stripped = strings.TrimSuffix(strings.TrimSuffix(stripped, "="), "=")
	}
	content, err := base64.RawStdEncoding.DecodeString(stripped)
	return content, err == nil
}

func readSecrets(secrets []string) ([]verifier, error) {
	if len(secrets) < 1 || len(secrets) > secretsMax {
		return nil, refuseWebhook("bad_secret", fmt.Sprintf("there must be 1 to %d secrets", secretsMax))
	}
	var verifiers []verifier
	for _, secret := range secrets {
		matched := secretPattern.FindStringSubmatch(secret)
		if matched == nil {
			return nil, refuseWebhook("bad_secret", "a secret must be whsec_ or whpk_ and base64, as it was shown")
		}
		key, ok := decodeBase64(matched[2])
		isComplete := len(key) >= 24 && len(key) <= 64
		version := "v1"
		if matched[1] == "whpk" {
			isComplete = len(key) == ed25519.PublicKeySize
			version = "v1a"
		}
		if !ok || !isComplete {
			return nil, refuseWebhook("bad_secret", "a secret is incomplete: 24 to 64 bytes in base64 after whsec_, 32 after whpk_")
		}
		verifiers = append(verifiers, verifier{version, key})
	}
	return verifiers, nil
}

// checkExpected refuses a public key without an account: it is the same for all, so it says nothing of whose event it is.
func checkExpected(account *string, verifiers []verifier) error {
	lacksAccount := account != nil && *account == ""
	for _, each := range verifiers {
		lacksAccount = lacksAccount || (account == nil && each.version == "v1a")
	}
	if lacksAccount {
		return refuseWebhook("bad_account", "with a public key, say whose events are expected: WithAccount, as the dashboard shows it beside the key")
	}
	return nil
}

func valuesOf(header http.Header, name string) []string {
	var values []string
	for each, list := range header {
		if strings.EqualFold(each, name) {
			values = append(values, list...)
		}
	}
	return values
}

func readHeader(values []string, name string, charactersMax int) (string, error) {
	if len(values) == 0 || values[0] == "" {
		return "", refuseWebhook("missing_header", "there is no header "+name)
	}
	if len(values) > 1 {
		return "", refuseWebhook("bad_header", "the header "+name+" is there more than once")
	}
	if utf8.RuneCountInString(values[0]) > charactersMax {
		return "", refuseWebhook("bad_header", fmt.Sprintf("the header %s has more than %d characters", name, charactersMax))
	}
	return values[0], nil
}

func readTime(header http.Header, settings webhookSettings) (string, error) {
	seconds, err := readHeader(valuesOf(header, "webhook-timestamp"), "webhook-timestamp", signatureCharactersMax)
	if err != nil {
		return "", err
	}
	if !secondsPattern.MatchString(seconds) {
		return "", refuseWebhook("bad_timestamp", "webhook-timestamp is not a number of seconds")
	}
	signed, _ := strconv.ParseInt(seconds, 10, 64)
	ahead := float64(signed - settings.now().Unix())
	if ahead < -settings.tolerance.Seconds() {
		return "", refuseWebhook("too_old", fmt.Sprintf("it was signed more than %v ago", settings.tolerance))
	}
	if ahead > settings.tolerance.Seconds() {
		return "", refuseWebhook("too_new", fmt.Sprintf("it was signed more than %v from now", settings.tolerance))
	}
	return seconds, nil
}

// isSigned tries every signature with every secret of its kind, so that the time does not tell which one it was.
func isSigned(content []byte, signatures string, verifiers []verifier) bool {
	found := false
	parts := between.Split(signatures, -1)
	for index, part := range parts {
		version, encoded, hasComma := strings.Cut(part, ",")
		signature, ok := decodeBase64(encoded)
		if index >= signaturesMax || !hasComma || !ok {
			continue
		}
		for _, each := range verifiers {
			if each.version == version && each.isSignature(signature, content) {
				found = true
			}
		}
	}
	return found
}

func (v verifier) isSignature(signature, content []byte) bool {
	if v.version == "v1a" {
		return verifyEd25519(v.key, content, signature)
	}
	mac := hmac.New(sha256.New, v.key)
	mac.Write(content)
	return hmac.Equal(mac.Sum(nil), signature)
}

// repeatsName says whether the object has a name twice: parsers differ about which one counts. The body is an object.
func repeatsName(body []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	_, _ = decoder.Token()
	names := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		var value json.RawMessage
		if err != nil || !isName || names[name] || decoder.Decode(&value) != nil {
			return true
		}
		names[name] = true
	}
	return false
}

func readEvent(body []byte, id string) (*Event, error) {
	fields, ok := parseObject(body)
	event := &Event{ID: id, Data: fields["data"]}
	sequence, isNumber := numberOf(fields["sequence"])
	isWhole := isNumber && math.Trunc(sequence) == sequence && math.Abs(sequence) <= safeIntegerMax
	event.Sequence = int64(sequence)
	_, hasData := parseObject(event.Data)
	kind, hasType := stringOf(fields["type"])
	timestamp, hasTime := stringOf(fields["timestamp"])
	account, hasAccount := stringOf(fields["account"])
	_, saysAccount := fields["account"]
	if !ok || !utf8.Valid(body) || !isWhole || !hasData || !hasType || !hasTime || saysAccount != hasAccount || repeatsName(body) {
		return nil, refuseWebhook("malformed_body", "the body is signed, but is not {type, timestamp, sequence, account, data} as JSON, each once")
	}
	event.Type, event.Timestamp, event.Account = kind, timestamp, account
	return event, nil
}

// verifyEd25519 also refuses the second ways to write a point, which Go accepts in keys.
func verifyEd25519(key, message, signature []byte) bool {
	if len(key) != ed25519.PublicKeySize || len(signature) != ed25519.SignatureSize || !isCanonicalPoint(key) {
		return false
	}
	return ed25519.Verify(key, message, signature)
}

func isCanonicalPoint(key []byte) bool {
	reversed := make([]byte, len(key))
	for index, each := range key {
		reversed[len(key)-1-index] = each
	}
	isNegative := reversed[0]&0x80 != 0
	reversed[0] &= 0x7f
	y := new(big.Int).SetBytes(reversed)
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	// Where y is 1 or -1, x is 0, which has no sign.
	isXZero := y.Cmp(big.NewInt(1)) == 0 || y.Cmp(new(big.Int).Sub(prime, big.NewInt(1))) == 0
	return y.Cmp(prime) < 0 && !(isXZero && isNegative)
}

func sha256Of(parts ...[]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return sum[:]
}
