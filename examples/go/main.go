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
	sitePattern  = regexp.MustCompile(`^(site_[0-9A-Za-z]+)?$`)
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
	client  *assay.Client
	mutex   sync.Mutex
	reports map[string]report
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
	for any := range s.reports {
		if len(s.reports) >= reportsMax {
			delete(s.reports, any)
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

// post answers with JSON, or 204 if there is nothing to say.
func post(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return only("POST", func(response http.ResponseWriter, request *http.Request) {
		answer, err := handle(request)
		var refused refusal
		switch {
		case errors.As(err, &refused):
			http.Error(response, refused.reason, refused.status)
		case err != nil:
			log.Print(err)
			http.Error(response, "the shop failed", http.StatusInternalServerError)
		case answer == nil:
			response.WriteHeader(http.StatusNoContent)
		default:
			response.Header().Set("Content-Type", "application/json")
			json.NewEncoder(response).Encode(answer)
		}
	})
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

func showFile(file, contentType string) http.HandlerFunc {
	return only("GET", func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", contentType)
		http.ServeFile(response, request, file)
	})
}

func showCollector(script *url.URL) http.HandlerFunc {
	if file := os.Getenv("ASSAY_COLLECTOR"); file != "" {
		return showFile(file, "text/javascript")
	}
	// Assay does not need to know the visitor's headers.
	proxy := httputil.ReverseProxy{Director: func(request *http.Request) {
		request.URL, request.Host, request.Header = script, script.Host, http.Header{"X-Forwarded-For": nil}
	}}
	return only("GET", proxy.ServeHTTP)
}

func showPage(index, origin string) http.HandlerFunc {
	// With a site the collector comes from Assay, and then knows where to report. Without one it comes from us.
	source, attribute, scripts := "/collector.js", "", "'self'"
	if site != "" {
		source, attribute, scripts = assayURL+"/c/v1/collector.js", fmt.Sprintf("data-site=%q ", site), "'self' "+origin
	}
	tag := fmt.Sprintf(`<script src="%s" %sdata-endpoint="/signals" defer></script>`, source, attribute)
	page := strings.Replace(index, "<!-- collector -->", tag, 1)
	// Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
	policy := fmt.Sprintf("default-src 'none'; script-src %s; connect-src 'self' %s; img-src %s; style-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'", scripts, origin, origin)
	return only("GET", func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path != "/" {
			http.NotFound(response, request)
			return
		}
		var id [16]byte
		if _, err := rand.Read(id[:]); err == nil && visitOf(request) == "" {
			visit := fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
			response.Header().Set("Set-Cookie", "visit="+visit+"; HttpOnly; SameSite=Lax; Path=/")
		}
		response.Header().Set("Content-Security-Policy", policy)
		response.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(response, page)
	})
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	if !sitePattern.MatchString(site) {
		log.Fatal("ASSAY_SITE must be the id of a site, such as site_…")
	}
	client := must(assay.New(os.Getenv("ASSAY_API_KEY"), assayURL, assay.WithTimeout(2*time.Second), assay.WithTotal(5*time.Second)))
	s := &shop{client: client, reports: map[string]report{}}
	script := must(url.Parse(assayURL + "/c/v1/collector.js"))
	http.HandleFunc("/", showPage(string(must(os.ReadFile(filepath.Join(pages, "index.html")))), script.Scheme+"://"+script.Host))
	http.HandleFunc("/page.css", showFile(filepath.Join(pages, "page.css"), "text/css"))
	http.HandleFunc("/page.js", showFile(filepath.Join(pages, "page.js"), "text/javascript"))
	http.HandleFunc("/collector.js", showCollector(script))
	http.HandleFunc("/signals", post(s.takeSignals))
	http.HandleFunc("/judge", post(s.judge))
	listener := must(net.Listen("tcp", "127.0.0.1:"+setting("PORT", "3000")))
	fmt.Printf("The shop is open at http://%s\n", listener.Addr())
	server := http.Server{ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
