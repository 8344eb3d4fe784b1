// Command main is a shop's back end: it takes the signals that the page measured, has Assay score them, and decides.
//
//	cd examples/go && go mod init shop && GOPROXY=$ASSAY_URL/clients/go GONOSUMDB=assay.dev go get assay.dev/client@v0.1.0
//	ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… ASSAY_PAGE=../page go run .
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

var visitPattern = regexp.MustCompile(`(?:^|; )visit=([0-9a-f-]{36})`)

// report is what the page sends. Only the signals and the token are passed on to Assay.
type report struct {
	SessionData  *assay.PartialSessionData `json:"session_data"`
	SessionToken string                    `json:"session_token"`
	Sequence     int64                     `json:"sequence"`
}

type shop struct {
	client           *assay.Client
	assayURL, pages  string
	page, policy     string
	mutex            sync.Mutex
	reports          map[string]report
	visitsByLastKept []string
}

func within[Number int64 | float64](value *Number, highest Number) bool {
	return value == nil || (*value >= 0 && *value <= highest)
}

// isSession says whether the signals can be some: Go has checked their types and names before.
func isSession(s *assay.PartialSessionData) bool {
	return s.UserEngagement != nil && s.SessionDuration != nil && within(s.UserEngagement, 1) && within(s.SessionDuration, 86_400) &&
		within(s.ScrollDepth, 1) && within(s.InteractionCount, 100_000) && within(s.PageViews, 10_000)
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func readReport(response http.ResponseWriter, request *http.Request) (report, bool) {
	// A page of another origin cannot send JSON without asking first.
	if !strings.HasPrefix(request.Header.Get("Content-Type"), "application/json") {
		http.Error(response, "send JSON", http.StatusUnsupportedMediaType)
		return report{}, false
	}
	var sent struct {
		SessionData json.RawMessage `json:"session_data"`
		report
	}
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
	if err != nil {
		http.Error(response, "too much", http.StatusRequestEntityTooLarge)
		return report{}, false
	}
	err = json.Unmarshal(body, &sent)
	if err == nil && sent.SessionData != nil {
		signals := json.NewDecoder(bytes.NewReader(sent.SessionData))
		signals.DisallowUnknownFields()
		err = signals.Decode(&sent.report.SessionData)
	}
	// The token is sealed by Assay, which says whether it is genuine.
	isGood := err == nil && len(sent.SessionToken) <= tokenMax
	if !isGood || (sent.SessionData != nil && (sent.report.SessionData == nil || !isSession(sent.report.SessionData))) {
		http.Error(response, "not a session", http.StatusBadRequest)
		return report{}, false
	}
	return sent.report, true
}

func visitOf(request *http.Request) string {
	found := visitPattern.FindStringSubmatch(request.Header.Get("Cookie"))
	if found == nil {
		return ""
	}
	return found[1]
}

func (s *shop) showPage(response http.ResponseWriter, request *http.Request) {
	if request.URL.Path != "/" {
		http.NotFound(response, request)
		return
	}
	if visitOf(request) == "" {
		var id [16]byte
		if _, err := rand.Read(id[:]); err != nil {
			http.Error(response, "the shop failed", http.StatusInternalServerError)
			return
		}
		visit := fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
		response.Header().Set("Set-Cookie", "visit="+visit+"; HttpOnly; SameSite=Lax; Path=/")
	}
	response.Header().Set("Content-Security-Policy", s.policy)
	response.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(response, s.page)
}

func (s *shop) showCollector(response http.ResponseWriter, _ *http.Request) {
	response.Header().Set("Content-Type", "text/javascript")
	if file := os.Getenv("ASSAY_COLLECTOR"); file != "" {
		script, err := os.ReadFile(file)
		if err != nil {
			http.Error(response, "the shop failed", http.StatusInternalServerError)
			return
		}
		response.Write(script)
		return
	}
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Get(s.assayURL + "/c/v1/collector.js")
	if err != nil {
		http.Error(response, "Assay is away", http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	response.WriteHeader(answer.StatusCode)
	io.Copy(response, answer.Body)
}

func (s *shop) takeSignals(response http.ResponseWriter, request *http.Request) {
	given, ok := readReport(response, request)
	if !ok {
		return
	}
	if given.SessionData == nil || given.Sequence < 1 {
		http.Error(response, "not a report", http.StatusBadRequest)
		return
	}
	s.keep(visitOf(request), given)
	response.WriteHeader(http.StatusNoContent)
}

// keep the last report of each visit's page, for orders that are judged later.
func (s *shop) keep(visit string, given report) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	kept, isKnown := s.reports[visit]
	// Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
	if visit == "" || given.Sequence <= kept.Sequence {
		return
	}
	s.reports[visit] = given
	if !isKnown {
		s.visitsByLastKept = append(s.visitsByLastKept, visit)
	}
	if len(s.visitsByLastKept) > reportsMax {
		delete(s.reports, s.visitsByLastKept[0])
		s.visitsByLastKept = s.visitsByLastKept[1:]
	}
}

func (s *shop) judge(response http.ResponseWriter, request *http.Request) {
	given, ok := readReport(response, request)
	if !ok {
		return
	}
	if given.SessionData == nil {
		s.mutex.Lock()
		given = s.reports[visitOf(request)]
		s.mutex.Unlock()
	}
	if given.SessionData == nil {
		http.Error(response, "nothing is known of this visit", http.StatusBadRequest)
		return
	}
	// Without a verdict the shop continues.
	session := assay.SessionReport{SessionData: *given.SessionData, SessionToken: given.SessionToken}
	verdict, err := s.client.Predict(request.Context(), session, assay.WithFallback[assay.Prediction](nil))
	var failure *assay.Error
	switch {
	case errors.As(err, &failure) && failure.Status == 400:
		http.Error(response, failure.Message, http.StatusBadRequest)
		return
	case err != nil:
		log.Print(err)
		http.Error(response, "the shop failed", http.StatusInternalServerError)
		return
	case verdict == nil:
		answerJSON(response, map[string]any{"trust_level": "unknown", "ads": map[string]any{}})
		return
	}
	ads := map[string]*assay.Ad{}
	for _, format := range []string{"banner", "native", "interstitial"} {
		wanted := assay.AdRequest{Format: format, UserContext: &assay.UserContext{AppCategory: "shopping", SessionID: verdict.SessionID}}
		if result, err := s.client.RequestAd(request.Context(), wanted); err == nil {
			ads[format] = result.Ad
		} else {
			ads[format] = nil
		}
	}
	answerJSON(response, map[string]any{
		"trust_level": verdict.TrustLevel, "service_score": verdict.ServiceScore, "session_id": verdict.SessionID,
		"attestation": verdict.Attestation, "attestation_issues": verdict.AttestationIssues, "ads": ads,
	})
}

func answerJSON(response http.ResponseWriter, answer any) {
	response.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(response).Encode(answer); err != nil {
		log.Print(err)
	}
}

func only(method string, handle http.HandlerFunc) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		if request.Method != method {
			http.NotFound(response, request)
			return
		}
		handle(response, request)
	}
}

func (s *shop) showFile(name, contentType string) http.HandlerFunc {
	return only("GET", func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", contentType)
		http.ServeFile(response, request, filepath.Join(s.pages, name))
	})
}

func openShop() (*shop, error) {
	s := &shop{assayURL: strings.TrimRight(os.Getenv("ASSAY_URL"), "/"), pages: setting("ASSAY_PAGE", "examples/page"), reports: map[string]report{}}
	site := os.Getenv("ASSAY_SITE")
	if !regexp.MustCompile(`^(site_[0-9A-Za-z]+)?$`).MatchString(site) {
		return nil, errors.New("ASSAY_SITE must be the id of a site, such as site_…")
	}
	var err error
	s.client, err = assay.New(os.Getenv("ASSAY_API_KEY"), s.assayURL, assay.WithTimeout(2*time.Second), assay.WithTotal(5*time.Second))
	if err != nil {
		return nil, err
	}
	address, err := url.Parse(s.assayURL)
	if err != nil {
		return nil, err
	}
	origin := address.Scheme + "://" + address.Host
	// With a site the collector comes from Assay, and then knows where to report. Without one it comes from us.
	source, attribute, scripts := "/collector.js", "", "'self'"
	if site != "" {
		source, attribute, scripts = s.assayURL+"/c/v1/collector.js", fmt.Sprintf("data-site=%q ", site), "'self' "+origin
	}
	index, err := os.ReadFile(filepath.Join(s.pages, "index.html"))
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf(`<script src="%s" %sdata-endpoint="/signals" defer></script>`, source, attribute)
	s.page = strings.Replace(string(index), "<!-- collector -->", tag, 1)
	// Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
	s.policy = fmt.Sprintf("default-src 'none'; script-src %s; connect-src 'self' %s; img-src %s; style-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'", scripts, origin, origin)
	return s, nil
}

func main() {
	s, err := openShop()
	if err != nil {
		log.Fatal(err)
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/", only("GET", s.showPage))
	routes.HandleFunc("/page.css", s.showFile("page.css", "text/css"))
	routes.HandleFunc("/page.js", s.showFile("page.js", "text/javascript"))
	routes.HandleFunc("/collector.js", only("GET", s.showCollector))
	routes.HandleFunc("/signals", only("POST", s.takeSignals))
	routes.HandleFunc("/judge", only("POST", s.judge))
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "3000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("The shop is open at http://%s\n", listener.Addr())
	server := http.Server{Handler: routes, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
