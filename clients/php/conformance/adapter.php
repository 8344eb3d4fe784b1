<?php

// Does what each line of its input says with the installed client, and writes a line with the result.

declare(strict_types=1);

require __DIR__ . '/vendor/autoload.php';

use Assay\AdResult;
use Assay\Assay;
use Assay\AssayError;
use Assay\Proof;
use Assay\ProofError;
use Assay\Webhook;
use Assay\WebhookVerificationError;

/** @return array<string, mixed> */
function call(array $case, array &$waits): array
{
    $names = ['api_key' => 'apiKey', 'base_url' => 'baseUrl', 'timeout_ms' => 'timeoutMs', 'attempts_max' => 'attemptsMax', 'total_ms_max' => 'totalMsMax'];
    $settings = [];
    foreach ($case['client'] as $name => $value) {
        $settings[$names[$name]] = $value;
    }
    if (isset($case['chance'])) {
        $now = 0.0;
        $settings['random'] = static fn (): float => (float) $case['chance'];
        $settings['nowMs'] = static function () use (&$now): float {
            return $now;
        };
        $settings['waitMs'] = static function (float $ms) use (&$now, &$waits): void {
            $waits[] = $ms;
            $now += $ms;
        };
    }
    $assay = new Assay(...$settings);
    $options = [];
    $fallback = new stdClass();
    foreach ($case['options'] ?? [] as $name => $value) {
        $options[lcfirst(str_replace('_', '', ucwords($name, '_')))] = $name === 'on_unavailable' ? $fallback : $value;
    }
    $method = lcfirst(str_replace('_', '', ucwords($case['method'], '_')));
    $answer = $assay->$method(...array_values($case['arguments']), ...$options);
    if ($answer === $fallback) {
        return ['fallback' => $case['options']['on_unavailable']];
    }
    $meta = ['request_id' => $answer->meta->requestId, 'receipt' => $answer->meta->receipt, 'replayed' => $answer->meta->replayed, 'attempts' => $answer->meta->attempts];
    return ['answer' => $answer instanceof AdResult ? ['ad' => $answer->ad, 'no_fill_reason' => $answer->noFillReason] : $answer, 'meta' => $meta];
}

/** @return array<string, mixed> */
function verifyWebhook(array $case): array
{
    $options = ['nowMs' => static fn (): int|float => $case['now_ms']];
    foreach (['tolerance_seconds' => 'toleranceSeconds', 'payload_bytes_max' => 'payloadBytesMax', 'account' => 'account'] as $name => $option) {
        if (isset($case[$name])) {
            $options[$option] = $case[$name];
        }
    }
    if (isset($case['seen'])) {
        $options['seen'] = static fn (string $id): bool => in_array($id, $case['seen'], true);
    }
    return ['answer' => Webhook::verify(base64_decode($case['payload_base64']), $case['headers'], $case['secrets'], ...$options)];
}

/** @return array<string, mixed> */
function verifyProof(array $case): array
{
    $proof = Proof::verify($case['proof'], $case['receipt'], $case['log_keys'], $case['witness_keys']);
    $witnesses = array_map(static fn (array $each): array => ['name' => $each['name'], 'at_ms' => $each['atMs']], $proof->witnessedBy);
    return ['answer' => ['account_id' => $proof->accountId, 'seq' => $proof->seq, 'hash' => $proof->hash, 'origin' => $proof->origin, 'index' => $proof->index, 'size' => $proof->size, 'witnessed_by' => $witnesses]];
}

while (($line = fgets(STDIN)) !== false) {
    $case = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $waits = [];
    try {
        $result = match ($case['do']) {
            'call' => call($case, $waits),
            'verify_webhook' => verifyWebhook($case),
            'verify_proof' => verifyProof($case),
        };
    } catch (AssayError $error) {
        $result = ['error' => [
            'code' => $error->errorCode,
            'status' => $error->status,
            'message' => $error->getMessage(),
            'request_id' => $error->requestId,
            'is_retryable' => $error->isRetryable,
            'retry_after_seconds' => $error->retryAfterSeconds,
            'attempts' => $error->attempts,
            'idempotency_key' => $error->idempotencyKey,
        ]];
    } catch (WebhookVerificationError $error) {
        $result = ['error' => ['code' => $error->errorCode, 'status' => $error->status]];
    } catch (ProofError $error) {
        $result = ['error' => ['code' => $error->errorCode]];
    } catch (InvalidArgumentException | TypeError $error) {
        $result = ['refused' => $error->getMessage()];
    }
    if ($case['do'] === 'call' && !isset($result['refused'])) {
        $result['waits_ms'] = $waits;
    }
    echo json_encode($result, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
