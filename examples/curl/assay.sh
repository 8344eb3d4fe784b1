#!/bin/sh
# Scores a session and requests ads with curl, with backoff.
#   ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_... sh assay.sh [SESSION_TOKEN]
set -eu
attempts_max=5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The key goes through a file: every user of the machine can read a process's arguments.
umask 077
printf 'header = "X-API-Key: %s"\nheader = "Content-Type: application/json"\n' "$ASSAY_API_KEY" >"$folder/headers"

random_below() { # MAX: an integer from 0 to MAX - 1
  echo $(($(od -An -N2 -tu2 /dev/urandom) % $1))
}

header() { # NAME: this header of the last answer
  [ ! -f "$folder/answer-headers" ] || tr -d '\r' <"$folder/answer-headers" | tr '[:upper:]' '[:lower:]' | sed -n "s/^$1: *//p"
}

# call PATH BODY IDEMPOTENCY_KEY: prints the answer and leaves its headers in $folder/answer-headers.
# All attempts carry the same idempotency key, so the call is billed once at most.
call() {
  attempt=1
  while :; do
    status=$(curl -s --max-time 10 --config "$folder/headers" -H "Idempotency-Key: $3" -d "$2" \
      -D "$folder/answer-headers" -o "$folder/answer" -w '%{http_code}' "$ASSAY_URL$1") || status=000
    case $status in
      200) cat "$folder/answer"; echo; return 0 ;;
      204) echo "no ad: $(header assay-no-fill)"; return 0 ;;
      000 | 429 | 500 | 502 | 503 | 504) ;;
      409) grep -q idempotency_in_progress "$folder/answer" || { cat "$folder/answer" >&2; return 1; } ;;
      *) cat "$folder/answer" >&2; return 1 ;;
    esac
    [ "$attempt" -lt "$attempts_max" ] || { echo "gave up after $attempt attempts (status $status)" >&2; return 1; }
    # Full jitter: a random wait of up to 250 ms, 500 ms, 1 s, 2 s, on top of what the service asks for.
    asked=$(header retry-after)
    wait_ms=$(random_below $((250 << (attempt - 1))))
    sleep "$((${asked:-0} + wait_ms / 1000)).$(printf '%03d' $((wait_ms % 1000)))"
    rm -f "$folder/answer-headers"
    attempt=$((attempt + 1))
  done
}

key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
signals='{"user_engagement":0.75,"session_duration":180,"scroll_depth":0.8,"interaction_count":12,"page_views":5,"return_visitor":true}'
# A token is what the collector on the page gets from Assay: docs/attestation.md. Anything else would not fit between quotes.
case ${1:-} in *[!0-9A-Za-z._-]*) echo "not a session token" >&2; exit 1 ;; esac
verdict=$(call /api/ml/predict "{\"session_data\":$signals${1:+,\"session_token\":\"$1\"}}" "$key")
echo "$verdict"
session=$(printf '%s' "$verdict" | sed -n 's/.*"session_id":"\(sess_[0-9A-Za-z]*\)".*/\1/p')
for format in banner native interstitial; do
  call /api/ads/request "{\"format\":\"$format\",\"user_context\":{\"session_id\":\"$session\"}}" "$key-$format"
done
