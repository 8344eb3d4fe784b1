package dev.assay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proof that a ledger entry is in the log (C2SP tlog-proof), and its verification, which makes no request. */
public final class Proof {
    private static final String FIRST_LINE = "c2sp.org/tlog-proof@v1";
    private static final int PROOF_CHARACTERS_MAX = 512 * 1024;
    private static final int NOTE_CHARACTERS_MAX = 256 * 1024;
    private static final int SIGNATURES_MAX = 100;
    /** The longest path of a tree whose size a 64-bit number holds. */
    private static final int PATH_LENGTH_MAX = 63;
    private static final int HASH_BYTES = 32;
    private static final int KEY_ID_BYTES = 4;
    private static final int TIME_BYTES = 8;
    private static final long SAFE_INTEGER_MAX = (1L << 53) - 1;
    private static final byte LOG_KEY = 1;
    private static final byte WITNESS_KEY = 4;
    private static final Pattern RECEIPT = Pattern.compile("([1-9][0-9]{0,14})\\.([0-9a-f]{64})");
    private static final Pattern LEAF = Pattern.compile("assay-receipt-1\n([!-~]{1,100})\n([1-9][0-9]{0,15})\n([0-9a-f]{64})\n");
    private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]{0,15}");
    private static final Pattern NOT_PLAIN = Pattern.compile("[\\x00-\\x09\\x0b-\\x1f]|\\p{Cs}");
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[\\p{IsWhite_Space}+]");
    private static final String DASH = "\u2014 ";

    private final String text;
    private final Meta meta;

    Proof(String text, Meta meta) {
        this.text = text;
        this.meta = meta;
    }

    /**
     * The proof as the service gave it, not verified.
     *
     * @return never null
     */
    public String getText() {
        return text;
    }

    /**
     * Facts about the call.
     *
     * @return never null
     */
    public Meta getMeta() {
        return meta;
    }

    /**
     * Verifies that a log that you trust has the entry of a receipt.
     *
     * @param proof the text of a proof
     * @param receipt as {@link Meta#getReceipt()} has it, {@code <seq>.<hash>}
     * @param logKeys public keys of the log, {@code name+id+base64}
     * @param witnessKeys public keys of witnesses; may be empty
     * @return what the proof shows, never null
     * @throws ProofException if it does not show that
     * @throws IllegalArgumentException if the receipt is not one
     */
    public static VerifiedProof verify(String proof, String receipt, Collection<String> logKeys, Collection<String> witnessKeys) {
        Matcher wanted = RECEIPT.matcher(receipt);
        if (!wanted.matches()) throw new IllegalArgumentException("receipt must be the value of an Assay-Receipt header, <seq>.<hash>");
        Parsed parsed = new Parsed(proof);
        Matcher leaf = LEAF.matcher(parsed.extra == null ? "" : new String(parsed.extra, java.nio.charset.StandardCharsets.UTF_8));
        refuseIf(!leaf.matches() || parseDecimal(leaf.group(2)) < 0, "malformed_proof", "The proof does not say which receipt it is for.");
        boolean isWanted = leaf.group(2).equals(wanted.group(1)) && leaf.group(3).equals(wanted.group(2));
        refuseIf(!isWanted, "other_receipt", "The proof is for another receipt.");
        Note note = new Note(parsed.note);
        String[] lines = note.text.substring(0, note.text.length() - 1).split("\n", -1);
        long size = lines.length > 1 ? parseDecimal(lines[1]) : -1;
        byte[] root = lines.length > 2 ? decodeHash(lines[2]) : null;
        boolean isCheckpoint = !Arrays.asList(lines).contains("") && size >= 0 && root != null;
        refuseIf(!isCheckpoint, "malformed_checkpoint", "The checkpoint is malformed: it has an origin, a size below 2^53 and a root, and no empty line.");
        boolean isSigned = false;
        for (Key key : parseKeys(logKeys, LOG_KEY)) {
            isSigned |= key.name.equals(lines[0]) && key.signedAtSeconds(note) != null;
        }
        refuseIf(!isSigned, "unknown_log", "The checkpoint is not signed by a known key of the log that it names.");
        // A key under two names is one witness.
        Map<String, Object> witnesses = new LinkedHashMap<>();
        for (Key key : parseKeys(witnessKeys, WITNESS_KEY)) {
            Long atSeconds = key.signedAtSeconds(note);
            if (atSeconds != null) witnesses.putIfAbsent(Bytes.hex(key.publicKey), Fields.mapOf("name", key.name, "at_ms", atSeconds * 1_000));
        }
        boolean isIncluded = isIncluded(Bytes.sha256(new byte[] {0}, parsed.extra), parsed.index, size, root, parsed.path);
        refuseIf(!isIncluded, "not_included", "The proof does not lead from the receipt to the root of its checkpoint.");
        return new VerifiedProof(Fields.mapOf(
            "account_id", leaf.group(1), "seq", Long.valueOf(leaf.group(2)), "hash", leaf.group(3),
            "origin", lines[0], "index", parsed.index, "size", size, "witnessed_by", List.copyOf(witnesses.values())));
    }

    private static void refuseIf(boolean isWrong, String code, String message) {
        if (isWrong) throw new ProofException(code, message);
    }

    /** The lines of a proof. */
    private static final class Parsed {
        final long index;
        final List<byte[]> path = new ArrayList<>();
        final byte[] extra;
        final String note;

        Parsed(String text) {
            refuse(text.length() > PROOF_CHARACTERS_MAX, "it is too long");
            int end = text.indexOf("\n\n");
            refuse(end < 0, "it has no empty line before its checkpoint");
            String[] lines = text.substring(0, end).split("\n", -1);
            refuse(!lines[0].equals(FIRST_LINE), "its first line is not " + FIRST_LINE);
            int at = 1;
            boolean hasExtra = lines.length > at && lines[at].startsWith("extra ");
            extra = hasExtra ? decodeBase64(lines[at++].substring("extra ".length())) : null;
            refuse(hasExtra && extra == null, "its extra line is not base64");
            String line = lines.length > at ? lines[at++] : "";
            index = line.startsWith("index ") ? parseDecimal(line.substring("index ".length())) : -1;
            refuse(index < 0, "its index is a decimal without leading zeros below 2^53");
            refuse(lines.length - at > PATH_LENGTH_MAX, "its path is too long");
            while (at < lines.length) path.add(decodeHash(lines[at++]));
            refuse(path.contains(null), "each line of its path is a SHA-256 hash in base64");
            note = text.substring(end + 2);
        }

        private static void refuse(boolean isWrong, String why) {
            refuseIf(isWrong, "malformed_proof", "The proof is malformed: " + why + ".");
        }
    }

    private static final class Signature {
        final String name;
        final String keyId;
        final byte[] bytes;

        Signature(String name, byte[] bytes) {
            this.name = name;
            this.keyId = Bytes.hex(Arrays.copyOf(bytes, KEY_ID_BYTES));
            this.bytes = Arrays.copyOfRange(bytes, KEY_ID_BYTES, bytes.length);
        }
    }

    /** A signed note: text that several keys sign. */
    private static final class Note {
        /** With its final line feed, without the empty line that follows. */
        final String text;
        final List<Signature> signatures = new ArrayList<>();

        Note(String note) {
            refuse(note.length() > NOTE_CHARACTERS_MAX, "it is too long");
            refuse(NOT_PLAIN.matcher(note).find(), "it contains a control character");
            // Empty lines may be part of the text; the last one ends it.
            int end = note.lastIndexOf("\n\n");
            refuse(end < 0 || !note.endsWith("\n"), "it is text, an empty line and signatures, each of which ends with a line feed");
            text = note.substring(0, end + 1);
            String[] lines = note.substring(end + 2, Math.max(end + 2, note.length() - 1)).split("\n", -1);
            refuse(lines.length > SIGNATURES_MAX, "it has too many signatures");
            for (String line : lines) {
                String[] parts = line.startsWith(DASH) ? line.substring(DASH.length()).split(" ", -1) : new String[0];
                byte[] bytes = parts.length == 2 && isKeyName(parts[0]) ? decodeBase64(parts[1]) : null;
                refuse(bytes == null || bytes.length <= KEY_ID_BYTES, "a signature is a dash, a name and base64, with a key id of 4 bytes in front");
                signatures.add(new Signature(parts[0], bytes));
            }
        }

        private static void refuse(boolean isWrong, String why) {
            refuseIf(isWrong, "malformed_note", "The signed note is malformed: " + why + ".");
        }
    }

    private static List<Key> parseKeys(Collection<String> vkeys, byte type) {
        List<Key> keys = new ArrayList<>();
        for (String vkey : vkeys) keys.add(new Key(vkey, type));
        return keys;
    }

    /** A key that verifies notes, {@code name+id+base64}. */
    private static final class Key {
        final String name;
        final String keyId;
        final byte type;
        final byte[] publicKey;

        Key(String vkey, byte type) {
            String[] parts = vkey.split("\\+", 3);
            byte[] material = parts.length == 3 ? decodeBase64(parts[2]) : null;
            refuse(material == null || !isKeyName(parts[0]), "it is a name, an id and base64, joined by plus signs");
            refuse(material.length != 1 + Ed25519.KEY_BYTES, "an Ed25519 key has 32 bytes, after one for its type");
            String id = Bytes.hex(Arrays.copyOf(Bytes.sha256(Bytes.utf8(parts[0] + "\n"), material), KEY_ID_BYTES));
            refuse(!parts[1].equals(id), "its id is not the one of its name and bytes");
            refuse(material[0] != type, parts[0] + " is not one for a " + (type == LOG_KEY ? "log" : "witness"));
            this.name = parts[0];
            this.keyId = id;
            this.type = type;
            this.publicKey = Arrays.copyOfRange(material, 1, material.length);
        }

        private static void refuse(boolean isWrong, String why) {
            refuseIf(isWrong, "malformed_key", "The key cannot be used: " + why + ".");
        }

        /**
         * The latest time that the key states with its signatures, 0 for a log's key, which states none; null if it has
         * not signed. Throws if a signature with its name and id is wrong.
         */
        Long signedAtSeconds(Note note) {
            Long latest = null;
            for (Signature signature : note.signatures) {
                if (!signature.name.equals(name) || !signature.keyId.equals(keyId)) continue;
                refuseIf(!Ed25519.isSupported(), "no_ed25519", "This Java cannot verify Ed25519 signatures: version 15 can.");
                long atSeconds = 0;
                boolean isRight;
                if (type == LOG_KEY) {
                    isRight = Ed25519.verify(publicKey, signature.bytes, Bytes.utf8(note.text));
                } else {
                    boolean isComplete = signature.bytes.length == TIME_BYTES + Ed25519.SIGNATURE_BYTES;
                    atSeconds = isComplete ? ByteBuffer.wrap(signature.bytes).getLong() : 0;
                    byte[] message = Bytes.utf8("cosignature/v1\ntime " + atSeconds + "\n" + note.text);
                    isRight = atSeconds > 0 && atSeconds <= SAFE_INTEGER_MAX / 1_000 && Ed25519.verify(publicKey, Arrays.copyOfRange(signature.bytes, TIME_BYTES, signature.bytes.length), message);
                }
                refuseIf(!isRight, "bad_signature", "The signature of " + name + " on the checkpoint is wrong.");
                latest = latest == null ? atSeconds : Math.max(latest, atSeconds);
            }
            return latest;
        }
    }

    /**
     * From the leaf upwards: {@code node} is the position of the hash reached so far on its level, {@code last} that of the
     * level's last node. A node without a right sibling moves up unchanged until it is a right child.
     */
    private static boolean isIncluded(byte[] leafHash, long index, long size, byte[] root, List<byte[]> path) {
        long node = index;
        long last = size - 1;
        byte[] reached = leafHash;
        if (node > last) return false;
        for (byte[] sibling : path) {
            if (last == 0) return false;
            while (node == last && node % 2 == 0) {
                node >>= 1;
                last >>= 1;
            }
            reached = node % 2 == 1 ? Bytes.sha256(new byte[] {1}, sibling, reached) : Bytes.sha256(new byte[] {1}, reached, sibling);
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && Arrays.equals(reached, root);
    }

    private static boolean isKeyName(String name) {
        return !name.isEmpty() && !NOT_PLAIN.matcher(name).find() && !NOT_IN_NAMES.matcher(name).find();
    }

    /** Only the one way in which these bytes are written: no spaces, no missing padding, no stray bits. Null if it is not. */
    private static byte[] decodeBase64(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    private static byte[] decodeHash(String text) {
        byte[] bytes = decodeBase64(text);
        return bytes != null && bytes.length == HASH_BYTES ? bytes : null;
    }

    /** -1 unless it is a decimal without sign or leading zeros below 2^53. */
    private static long parseDecimal(String text) {
        long value = DECIMAL.matcher(text).matches() ? Long.parseLong(text) : -1;
        return value <= SAFE_INTEGER_MAX ? value : -1;
    }
}
