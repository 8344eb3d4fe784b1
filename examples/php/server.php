<?php

// A shop's back end: it takes the signals that the page measured, has Assay score them, and decides. start.php starts it.
// With ASSAY_SITE=site_… Assay measures too, and the shop's word need not be taken for it: docs/attestation.md.

declare(strict_types=1);

require __DIR__ . '/vendor/autoload.php';

use Assay\Assay;

const BODY_BYTES_MAX = 4_096;
const REPORTS_MAX = 1_000;
const FORMATS = ['banner', 'native', 'interstitial'];
/** Lowest and highest value of each signal; null for one that is true or false. */
const SIGNALS = [
    'user_engagement' => [0, 1],
    'session_duration' => [0, 86_400],
    'scroll_depth' => [0, 1],
    'interaction_count' => [0, 100_000],
    'page_views' => [0, 10_000],
    'return_visitor' => null,
];
const WHOLE_NUMBERS = ['interaction_count', 'page_views'];

$assayUrl = rtrim((string) getenv('ASSAY_URL'), '/');
$site = (string) getenv('ASSAY_SITE');
if (preg_match('/^(site_[0-9A-Za-z]+)?\z/', $site) !== 1) {
    throw new RuntimeException('ASSAY_SITE must be the id of a site, such as site_…');
}

function answer(int $status, string $type, string $body): never
{
    http_response_code($status);
    header("Content-Type: $type");
    header('X-Content-Type-Options: nosniff');
    exit($body);
}

function answerJson(int $status, array|object $fields): never
{
    answer($status, 'application/json', json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES));
}

function readPage(string $name): string
{
    return file_get_contents((getenv('ASSAY_PAGE') ?: dirname(__DIR__) . '/page') . "/$name");
}

/** With a site the collector comes from Assay, and then knows where to report. Without one it comes from us. */
function showPage(string $assayUrl, string $site): never
{
    $source = $site === '' ? '/collector.js' : "$assayUrl/c/v1/collector.js";
    $tag = "<script src=\"$source\" " . ($site === '' ? '' : "data-site=\"$site\" ") . 'data-endpoint="/signals" defer></script>';
    $origin = preg_replace('~^(https?://[^/]+).*$~i', '$1', $assayUrl);
    // Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
    header('Content-Security-Policy: ' . implode('; ', [
        "default-src 'none'",
        "script-src 'self'" . ($site === '' ? '' : " $origin"),
        "connect-src 'self' $origin",
        "img-src $origin",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]));
    if (visit() === null) {
        $id = vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
        header("Set-Cookie: visit=$id; HttpOnly; SameSite=Lax; Path=/");
    }
    answer(200, 'text/html; charset=utf-8', str_replace('<!-- collector -->', $tag, readPage('index.html')));
}

/** The shop's own cookie identifies the visit. */
function visit(): ?string
{
    return preg_match('/^[0-9a-f-]{36}\z/', (string) ($_COOKIE['visit'] ?? '')) === 1 ? $_COOKIE['visit'] : null;
}

/**
 * What the page sends is validated here: only signals and a token are passed on to Assay.
 *
 * @return array{session_data?: array<string, int|float|bool>, session_token?: string, sequence?: int}
 */
function readReport(): array
{
    // A page of another origin cannot send JSON without asking first.
    if (!str_starts_with(strtolower($_SERVER['CONTENT_TYPE'] ?? ''), 'application/json')) {
        answerJson(415, ['error' => 'send JSON']);
    }
    $text = (string) file_get_contents('php://input', length: BODY_BYTES_MAX + 1);
    if (strlen($text) > BODY_BYTES_MAX) {
        answerJson(413, ['error' => 'too much']);
    }
    $body = json_decode($text);
    $isReport = $body instanceof stdClass && (!property_exists($body, 'session_data') || isSession($body->session_data));
    // Sealed by Assay: it says whether the token is genuine.
    $isToken = $isReport && (!property_exists($body, 'session_token') || (is_string($body->session_token) && strlen($body->session_token) <= 512));
    if (!$isToken) {
        answerJson(400, ['error' => 'not a session']);
    }
    $report = array_intersect_key((array) $body, ['session_data' => 1, 'session_token' => 1, 'sequence' => 1]);
    return isset($report['session_data']) ? ['session_data' => (array) $report['session_data']] + $report : $report;
}

function isSession(mixed $data): bool
{
    if (!$data instanceof stdClass || !isset($data->user_engagement, $data->session_duration)) {
        return false;
    }
    foreach ((array) $data as $name => $value) {
        $range = SIGNALS[$name] ?? null;
        $isNumber = is_int($value) || (is_float($value) && (!in_array($name, WHOLE_NUMBERS, true) || floor($value) === $value));
        $isValid = $range === null ? $name === 'return_visitor' && is_bool($value) : $isNumber && $value >= $range[0] && $value <= $range[1];
        if (!$isValid) {
            return false;
        }
    }
    return true;
}

/**
 * The last report of each visit's page, for orders that are judged later.
 *
 * @param callable(array<string, array<string, mixed>>): array<string, array<string, mixed>> $change
 */
function changeReports(callable $change): void
{
    $file = fopen((string) getenv('SHOP_REPORTS'), 'c+');
    flock($file, LOCK_EX);
    $reports = $change(json_decode((string) stream_get_contents($file), true) ?: []);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode(array_slice($reports, -REPORTS_MAX, null, true)));
    fclose($file);
}

function takeSignals(): never
{
    $report = readReport();
    if (!isset($report['session_data'], $report['sequence']) || !is_int($report['sequence']) || $report['sequence'] < 1) {
        answerJson(400, ['error' => 'not a report']);
    }
    $visit = visit();
    if ($visit !== null) {
        changeReports(function (array $reports) use ($visit, $report): array {
            // Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
            if ($report['sequence'] <= ($reports[$visit]['sequence'] ?? 0)) {
                return $reports;
            }
            unset($reports[$visit]);
            return $reports + [$visit => $report];
        });
    }
    http_response_code(204);
    exit;
}

function judge(Assay $assay): never
{
    $report = readReport();
    if (!isset($report['session_data'])) {
        $reports = json_decode((string) file_get_contents((string) getenv('SHOP_REPORTS')), true) ?: [];
        $report = $reports[visit() ?? ''] ?? answerJson(400, ['error' => 'nothing is known of this visit']);
    }
    // The signals and the token, if there is one; the rest of the report stays here. Without a verdict the shop continues.
    $verdict = $assay->predict($report, onUnavailable: null);
    if ($verdict === null) {
        answerJson(200, ['trust_level' => 'unknown', 'ads' => new stdClass()]);
    }
    $context = ['app_category' => 'shopping', 'session_id' => $verdict['session_id']];
    $ads = [];
    foreach (FORMATS as $format) {
        $ads[$format] = $assay->requestAd(['format' => $format, 'user_context' => $context], onUnavailable: null)?->ad;
    }
    $shown = array_flip(['trust_level', 'service_score', 'session_id', 'attestation', 'attestation_issues']);
    answerJson(200, array_intersect_key($verdict->body, $shown) + ['ads' => $ads]);
}

match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /' => showPage($assayUrl, $site),
    'GET /page.css' => answer(200, 'text/css', readPage('page.css')),
    'GET /page.js' => answer(200, 'text/javascript', readPage('page.js')),
    'GET /collector.js' => answer(200, 'text/javascript', @file_get_contents(getenv('ASSAY_COLLECTOR') ?: "$assayUrl/c/v1/collector.js") ?: answerJson(502, ['error' => 'Assay is away'])),
    'POST /signals' => takeSignals(),
    'POST /judge' => judge(new Assay((string) getenv('ASSAY_API_KEY'), $assayUrl, timeoutMs: 2_000, totalMsMax: 5_000)),
    default => answerJson(404, ['error' => 'not here']),
};
