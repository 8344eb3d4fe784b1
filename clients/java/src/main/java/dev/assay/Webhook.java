package dev.assay;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks. Needs no client and no key. */
public final class Webhook {
    private static final int SECRETS_MAX = 20;
    private static final int SIGNATURES_MAX = 20;
    private static final int SIGNATURE_CHARACTERS_MAX = 4_096;
    private static final int ID_CHARACTERS_MAX = 256;
    private static final double SAFE_INTEGER_MAX = 9_007_199_254_740_991d;
    private static final Pattern SECRET = Pattern.compile("(whsec|whpk)_([A-Za-z0-9+/]+={0,2})");
    /** Visible characters without the full stop, which separates the id from the time in what is signed. */
    private static final Pattern ID = Pattern.compile("[!-~&&[^.]]+");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    private Webhook() {}

    /**
     * Verifies a webhook with the default options, under the endpoint's secret.
     *
     * @param payload the raw body, as it arrived
     * @param headers of the request, whatever the case of their names: strings or collections of strings
     * @param secrets the endpoint's secret ({@code whsec_…}), while it is being rotated both; the installation's public key
     *     needs {@link WebhookOptions#withAccount}
     * @return the event, never null
     * @throws WebhookVerificationException if it is not an event to act on
     */
    public static WebhookEvent verify(byte[] payload, Map<String, ?> headers, Collection<String> secrets) {
        return verify(payload, headers, secrets, WebhookOptions.defaults());
    }

    /**
     * Verifies a webhook.
     *
     * @param payload the raw body, as it arrived
     * @param headers of the request, whatever the case of their names: strings or collections of strings
     * @param secrets the endpoint's secret ({@code whsec_…}), while it is being rotated both, or the installation's public
     *     key ({@code whpk_…}, from Java 15 on), which needs {@link WebhookOptions#withAccount}
     * @param options limits, and which events were handled before
     * @return the event, never null
     * @throws WebhookVerificationException if it is not an event to act on
     */
    public static WebhookEvent verify(byte[] payload, Map<String, ?> headers, Collection<String> secrets, WebhookOptions options) {
        List<Verifier> verifiers = readSecrets(secrets);
        // The public key is the same for all accounts, so it says nothing of whose event it is.
        boolean needsAccount = secrets.stream().anyMatch(secret -> secret.startsWith("whpk_"));
        boolean lacksAccount = options.account == null ? needsAccount : options.account.isEmpty();
        refuseIf(lacksAccount, "bad_account", "with a public key, say whose events are expected: withAccount, as the dashboard shows it beside the key");
        refuseIf(payload.length > options.payloadBytesMax, "too_large", "the body has more than " + options.payloadBytesMax + " bytes");
        String id = readHeader(valuesOf(headers, "webhook-id"), "webhook-id", ID_CHARACTERS_MAX);
        refuseIf(!ID.matcher(id).matches(), "bad_header", "webhook-id contains a full stop, a space or a character outside of ASCII");
        String time = readTime(headers, options);
        String joined = String.join(" ", valuesOf(headers, "webhook-signature"));
        String signatures = readHeader(List.of(joined), "webhook-signature", SIGNATURE_CHARACTERS_MAX);
        byte[] content = Bytes.join(Bytes.utf8(id + "." + time + "."), payload);
        refuseIf(!isSigned(content, signatures, verifiers), "bad_signature", "no signature was made with one of the secrets for this id, time and body");
        WebhookEvent event = readEvent(payload, id);
        boolean isOther = options.account != null && !options.account.equals(event.getAccount());
        refuseIf(isOther, "other_account", "it is genuine, but it is not an event of the account that is expected");
        refuseIf(options.seen.test(id), "duplicate", "an event with this id has been handled before");
        return event;
    }

    /** How one secret verifies the signatures of its kind. */
    private static final class Verifier {
        final String version;
        final BiPredicate<byte[], byte[]> isSignatureOf;

        Verifier(String version, BiPredicate<byte[], byte[]> isSignatureOf) {
            this.version = version;
            this.isSignatureOf = isSignatureOf;
        }
    }

    private static void refuseIf(boolean isWrong, String code, String why) {
        if (isWrong) throw new WebhookVerificationException(code, why);
    }

    private static List<Verifier> readSecrets(Collection<String> secrets) {
        refuseIf(secrets.isEmpty(), "bad_secret", "there is no secret");
        refuseIf(secrets.size() > SECRETS_MAX, "bad_secret", "there are more than " + SECRETS_MAX + " secrets");
        List<Verifier> verifiers = new ArrayList<>();
        for (String secret : secrets) {
            Matcher match = SECRET.matcher(secret == null ? "" : secret);
            byte[] bytes = match.matches() ? decodeBase64(match.group(2)) : null;
            refuseIf(bytes == null, "bad_secret", "a secret must be whsec_ or whpk_ and base64, as it was shown");
            if (match.group(1).equals("whsec")) {
                refuseIf(bytes.length < 24 || bytes.length > 64, "bad_secret", "a secret is incomplete: whsec_ is followed by 24 to 64 bytes in base64");
                verifiers.add(new Verifier("v1", (signature, content) -> MessageDigest.isEqual(signature, hmac(bytes, content))));
            } else {
                refuseIf(bytes.length != Ed25519.KEY_BYTES, "bad_secret", "a public key is incomplete: whpk_ is followed by 32 bytes in base64");
                if (Ed25519.isSupported()) verifiers.add(new Verifier("v1a", (signature, content) -> Ed25519.verify(bytes, signature, content)));
            }
        }
        refuseIf(verifiers.isEmpty(), "unsupported", "this Java cannot verify Ed25519: give the endpoint's secret, whsec_…, instead of its public key");
        return verifiers;
    }

    private static byte[] hmac(byte[] key, byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(content);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", error);
        }
    }

    /** All values of a header, as they were sent. */
    private static List<String> valuesOf(Map<String, ?> headers, String name) {
        List<String> values = new ArrayList<>();
        headers.forEach((each, value) -> {
            if (each == null || value == null || !each.toLowerCase(Locale.ROOT).equals(name)) return;
            if (value instanceof Iterable) ((Iterable<?>) value).forEach(one -> values.add(String.valueOf(one)));
            else values.add(value.toString());
        });
        return values;
    }

    private static String readHeader(List<String> values, String name, int charactersMax) {
        refuseIf(values.isEmpty() || values.get(0).isEmpty(), "missing_header", "there is no header " + name);
        refuseIf(values.size() > 1, "bad_header", "the header " + name + " is there more than once");
        refuseIf(values.get(0).length() > charactersMax, "bad_header", "the header " + name + " has more than " + charactersMax + " characters");
        return values.get(0);
    }

    private static String readTime(Map<String, ?> headers, WebhookOptions options) {
        String seconds = readHeader(valuesOf(headers, "webhook-timestamp"), "webhook-timestamp", SIGNATURE_CHARACTERS_MAX);
        refuseIf(!SECONDS.matcher(seconds).matches(), "bad_timestamp", "webhook-timestamp is not a number of seconds");
        long aheadSeconds = Long.parseLong(seconds) - Math.floorDiv(options.nowMs.getAsLong(), 1_000L);
        double tolerance = options.toleranceSeconds;
        // Not "<" and ">": a tolerance that is not a number lets nothing pass.
        refuseIf(!(aheadSeconds >= -tolerance), "too_old", "it was signed more than " + tolerance + " seconds ago");
        refuseIf(!(aheadSeconds <= tolerance), "too_new", "it was signed more than " + tolerance + " seconds from now");
        return seconds;
    }

    /** Every signature, {@code v1,… v1a,…}, is tried with every secret of its kind. What cannot be one is left out. */
    private static boolean isSigned(byte[] content, String signatures, List<Verifier> verifiers) {
        boolean isSigned = false;
        // Where a header was sent twice, some servers put a comma and a space between its values.
        String[] parts = signatures.split(",? +", -1);
        for (String each : Arrays.copyOf(parts, Math.min(parts.length, SIGNATURES_MAX))) {
            int comma = each.indexOf(',');
            byte[] bytes = comma < 0 ? null : decodeBase64(each.substring(comma + 1));
            for (Verifier verifier : verifiers) {
                boolean isOfKind = bytes != null && verifier.version.equals(each.substring(0, comma));
                isSigned |= isOfKind && verifier.isSignatureOf.test(bytes, content);
            }
        }
        return isSigned;
    }

    /** As browsers decode it: spaces are skipped, padding may be missing. Null if it is not base64. */
    private static byte[] decodeBase64(String text) {
        String plain = text.replaceAll("[\\t\\n\\f\\r ]", "");
        String unpadded = plain.length() % 4 == 0 ? plain.replaceFirst("={1,2}$", "") : plain;
        try {
            return unpadded.contains("=") ? null : Base64.getDecoder().decode(unpadded);
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    private static WebhookEvent readEvent(byte[] payload, String id) {
        Map<String, Object> body = null;
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
            body = Fields.asObject(Json.parseUnambiguous(text.startsWith("\uFEFF") ? text.substring(1) : text));
        } catch (CharacterCodingException | IllegalArgumentException error) {
            // Refused below.
        }
        Double sequence = body == null ? null : Fields.asNumber(body.get("sequence"));
        boolean isCount = sequence != null && sequence == Math.rint(sequence) && Math.abs(sequence) <= SAFE_INTEGER_MAX;
        boolean isEvent = isCount && body.get("type") instanceof String && body.get("timestamp") instanceof String && body.get("data") instanceof Map;
        boolean isOwned = isEvent && (!body.containsKey("account") || body.get("account") instanceof String);
        refuseIf(!isOwned, "malformed_body", "the body is signed, but is not {type, timestamp, sequence, account, data} as JSON, each once");
        return new WebhookEvent(Fields.mapOf("id", id, "type", body.get("type"), "timestamp", body.get("timestamp"), "sequence", sequence.longValue(), "account", body.get("account"), "data", body.get("data")));
    }
}
