// Command main is a shop's back end: it takes the signals that the page measured, has Assay score them, and decides.
//
//	cd examples/go && go mod init shop && GOPROXY=$ASSAY_URL/clients/go GONOSUMDB=assay.dev go get assay.dev/client@v0.1.0
//	ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… go run .
//
// With ASSAY_SITE=site_… Assay measures too, and the shop's word need not be taken for it: docs/attestation.md.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	assay "assay.dev/client"
)

const (
	bodyBytesMax = 4_096
	reportsMax   = 10_000
	tokenMax     = 512
)

var (
	site         = os.Getenv("ASSAY_SITE")
	assayURL     = strings.TrimRight(os.Getenv("ASSAY_URL"), "/")
	pages        = setting("ASSAY_PAGE", "../page")
	visitPattern = regexp.MustCompile(`(?:^|; )visit=([0-9a-f-]{36})`)
)

// report is what the page sends. Only the signals and the token are passed on to Assay.
type report struct {
	SessionData  json.RawMessage `json:"session_data"`
	SessionToken string          `json:"session_token"`
	Sequence     int64           `json:"sequence"`
	signals      assay.PartialSessionData
}

// shop keeps the last report of each visit's page, for orders that are judged later. Its own cookie identifies the visit.
type shop struct {
	client       *assay.Client
	page, policy string
	collector    http.Handler
	mutex        sync.Mutex
	reports      map[string]report
}

// refusal says what the caller did wrong.
type refusal struct {
	status int
	reason string
}

func (r refusal) Error() string { return r.reason }

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func within[Number int64 | float64](value *Number, highest Number) bool {
	return value == nil || (*value >= 0 && *value <= highest)
}

func parseSignals(data json.RawMessage) (s assay.PartialSessionData, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&s)
	isGood := s.UserEngagement != nil && s.SessionDuration != nil && within(s.UserEngagement, 1) && within(s.SessionDuration, 86_400) &&
		within(s.ScrollDepth, 1) && within(s.InteractionCount, 100_000) && within(s.PageViews, 10_000)
	if err != nil || !isGood {
		err = refusal{400, "not a session"}
	}
	return s, err
}

func readReport(request *http.Request) (given report, err error) {
	// A page of another origin cannot send JSON without asking first.
	if !strings.HasPrefix(request.Header.Get("Content-Type"), "application/json") {
		return given, refusal{415, "send JSON"}
	}
	body, err := io.ReadAll(io.LimitReader(request.Body, bodyBytesMax+1))
	if err != nil || len(body) > bodyBytesMax {
		return given, refusal{413, "too much"}
	}
	// The token is sealed by Assay, which says whether it is genuine.
	if json.Unmarshal(body, &given) != nil || len(given.SessionToken) > tokenMax {
		return given, refusal{400, "not a report"}
	}
	if given.SessionData != nil {
		given.signals, err = parseSignals(given.SessionData)
	}
	return given, err
}

func visitOf(request *http.Request) string {
	if found := visitPattern.FindStringSubmatch(request.Header.Get("Cookie")); found != nil {
		return found[1]
	}
	return ""
}

func (s *shop) takeSignals(request *http.Request) (any, error) {
	given, err := readReport(request)
	if err == nil && (given.SessionData == nil || given.Sequence < 1) {
		err = refusal{400, "not a report"}
	}
	visit := visitOf(request)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
	if err != nil || visit == "" || given.Sequence <= s.reports[visit].Sequence {
		return nil, err
	}
	for other := range s.reports {
		if len(s.reports) >= reportsMax {
			delete(s.reports, other)
		}
		break
	}
	s.reports[visit] = given
	return nil, nil
}

func (s *shop) judge(request *http.Request) (any, error) {
	given, err := readReport(request)
	if err != nil {
		return nil, err
	}
	if given.SessionData == nil {
		s.mutex.Lock()
		given = s.reports[visitOf(request)]
		s.mutex.Unlock()
	}
	if given.SessionData == nil {
		return nil, refusal{400, "nothing is known of this visit"}
	}
	session := assay.SessionReport{SessionData: given.signals, SessionToken: given.SessionToken}
	verdict, err := s.client.Predict(request.Context(), session, assay.WithFallback[assay.Prediction](nil))
	var failure *assay.Error
	if errors.As(err, &failure) && failure.Status == 400 {
		return nil, refusal{400, failure.Message}
	}
	// Without a verdict the shop continues.
	if err != nil || verdict == nil {
		return map[string]any{"trust_level": "unknown", "ads": map[string]any{}}, err
	}
	ads := map[string]*assay.Ad{}
	for _, format := range []string{"banner", "native", "interstitial"} {
		wanted := assay.AdRequest{Format: format, UserContext: &assay.UserContext{AppCategory: "shopping", SessionID: verdict.SessionID}}
		result, err := s.client.RequestAd(request.Context(), wanted, assay.WithFallback(&assay.AdResult{}))
		if err != nil {
			return nil, err
		}
		ads[format] = result.Ad
	}
	return map[string]any{
		"trust_level": verdict.TrustLevel, "service_score": verdict.ServiceScore, "session_id": verdict.SessionID,
		"attestation": verdict.Attestation, "attestation_issues": verdict.AttestationIssues, "ads": ads,
	}, nil
}

func (s *shop) showPage(response http.ResponseWriter, request *http.Request) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err == nil && visitOf(request) == "" {
		visit := fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
		response.Header().Set("Set-Cookie", "visit="+visit+"; HttpOnly; SameSite=Lax; Path=/")
	}
	response.Header().Set("Content-Security-Policy", s.policy)
	response.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(response, s.page)
}

// answer with JSON, or 204 if there is nothing to say.
func answer(response http.ResponseWriter, said any, err error) {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		http.Error(response, refused.reason, refused.status)
	case err != nil:
		log.Print(err)
		http.Error(response, "the shop failed", http.StatusInternalServerError)
	case said == nil:
		response.WriteHeader(http.StatusNoContent)
	default:
		response.Header().Set("Content-Type", "application/json")
		json.NewEncoder(response).Encode(said)
	}
}

func (s *shop) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	switch request.Method + " " + request.URL.Path {
	case "GET /":
		s.showPage(response, request)
	case "GET /page.css", "GET /page.js":
		http.ServeFile(response, request, filepath.Join(pages, request.URL.Path))
	case "GET /collector.js":
		s.collector.ServeHTTP(response, request)
	case "POST /signals":
		said, err := s.takeSignals(request)
		answer(response, said, err)
	case "POST /judge":
		said, err := s.judge(request)
		answer(response, said, err)
	default:
		http.NotFound(response, request)
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	if !regexp.MustCompile(`^(site_[0-9A-Za-z]+)?$`).MatchString(site) {
		log.Fatal("ASSAY_SITE must be the id of a site, such as site_…")
	}
	client := must(assay.New(os.Getenv("ASSAY_API_KEY"), assayURL, assay.WithTimeout(2*time.Second), assay.WithTotal(5*time.Second)))
	script := must(url.Parse(assayURL + "/c/v1/collector.js"))
	origin := script.Scheme + "://" + script.Host
	// With a site the collector comes from Assay, and then knows where to report. Without one it comes from us.
	tag, scripts := `<script src="/collector.js" data-endpoint="/signals" defer></script>`, "'self'"
	if site != "" {
		tag, scripts = fmt.Sprintf(`<script src="%s" data-site="%s" data-endpoint="/signals" defer></script>`, script, site), "'self' "+origin
	}
	index := must(os.ReadFile(filepath.Join(pages, "index.html")))
	s := &shop{client: client, reports: map[string]report{}, page: strings.Replace(string(index), "<!-- collector -->", tag, 1)}
	// Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
	s.policy = fmt.Sprintf("default-src 'none'; script-src %s; connect-src 'self' %s; img-src %s; style-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'", scripts, origin, origin)
	// Assay does not need to know the visitor's headers.
	s.collector = &httputil.ReverseProxy{Director: func(request *http.Request) {
		request.URL, request.Host, request.Header = script, script.Host, http.Header{"X-Forwarded-For": nil}
	}}
	if file := os.Getenv("ASSAY_COLLECTOR"); file != "" {
		s.collector = http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
			response.Header().Set("Content-Type", "text/javascript")
			http.ServeFile(response, request, file)
		})
	}
	listener := must(net.Listen("tcp", "127.0.0.1:"+setting("PORT", "3000")))
	fmt.Printf("The shop is open at http://%s\n", listener.Addr())
	server := http.Server{Handler: s, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
