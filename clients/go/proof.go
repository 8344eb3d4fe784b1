package assay

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	ed25519Kind        = 1
	cosignatureKind    = 4
	pathLengthMax      = 63
	proofCharactersMax = 512 * 1024
	noteCharactersMax  = 256 * 1024
	noteSignaturesMax  = 100
	noteDash           = "— "
)

var (
	receiptPattern = regexp.MustCompile(`^([1-9][0-9]{0,14})\.([0-9a-f]{64})$`)
	leafPattern    = regexp.MustCompile(`^assay-receipt-1\n([\x21-\x7e]{1,100})\n([1-9][0-9]{0,15})\n([0-9a-f]{64})\n$`)
	decimalPattern = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,15})$`)
)

// VerifiedProof says where a receipt's entry is in the log.
type VerifiedProof struct {
	// AccountID is your account's id.
	AccountID string
	// Seq is the number of the entry in your account's chain.
	Seq int64
	// Hash of the entry.
	Hash string
	// Origin is the name of the log.
	Origin string
	// Index is the place of the entry in the log, from 0.
	Index int64
	// Size of the log at the checkpoint.
	Size int64
	// WitnessedBy has those of the given witnesses that have cosigned the checkpoint.
	WitnessedBy []Witness
}

// Witness that has cosigned a checkpoint.
type Witness struct {
	// Name of the witness.
	Name string
	// AtMs is when it says that it saw the checkpoint, in milliseconds since 1970.
	AtMs int64
}

type noteSignature struct {
	name, keyID string
	content     []byte
}

type noteKey struct {
	name, keyID string
	kind        byte
	publicKey   []byte
}

func refuseProof(what, message string) error {
	return &ProofError{"malformed_" + what, "The " + what + " is malformed: " + message + "."}
}

// VerifyProof verifies, offline, that a trusted log contains the receipt's entry, or returns a *ProofError. receipt is
// <seq>.<hash>, as in Meta. logKeys come from GET /log/key; witnessKeys are those of witnesses that you trust.
func VerifyProof(proof, receipt string, logKeys, witnessKeys []string) (*VerifiedProof, error) {
	wanted := receiptPattern.FindStringSubmatch(receipt)
	if wanted == nil {
		return nil, errors.New("assay: a receipt is the value of an Assay-Receipt header, <seq>.<hash>")
	}
	index, path, leaf, note, err := parseProof(proof)
	if err != nil {
		return nil, err
	}
	claimed := leafPattern.FindSubmatch(leaf)
	if claimed == nil {
		return nil, refuseProof("proof", "it does not say which receipt it is for")
	}
	seq, isSeq := parseDecimal(string(claimed[2]))
	if !isSeq {
		return nil, refuseProof("proof", "it does not say which receipt it is for")
	}
	if string(claimed[2]) != wanted[1] || string(claimed[3]) != wanted[2] {
		return nil, &ProofError{"other_receipt", "The proof is for another receipt."}
	}
	verified, root, err := openCheckpoint(note, logKeys, witnessKeys)
	if err != nil {
		return nil, err
	}
	if !isIncluded(leaf, index, verified.Size, root, path) {
		return nil, &ProofError{"not_included", "The proof does not lead from the receipt to the root of its checkpoint."}
	}
	verified.AccountID, verified.Seq, verified.Hash, verified.Index = string(claimed[1]), seq, wanted[2], index
	return verified, nil
}

// decodeStrict takes only the one way to write these bytes.
func decodeStrict(text string) ([]byte, bool) {
	content, err := base64.StdEncoding.DecodeString(text)
	return content, err == nil && base64.StdEncoding.EncodeToString(content) == text
}

func decodeHash(text string) ([]byte, bool) {
	content, ok := decodeStrict(text)
	return content, ok && len(content) == 32
}

func parseDecimal(text string) (int64, bool) {
	value, err := strconv.ParseInt(text, 10, 64)
	return value, err == nil && decimalPattern.MatchString(text) && value <= safeIntegerMax
}

// isPlain allows no control characters but line feeds.
func isPlain(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(each rune) bool { return each < ' ' && each != '\n' }) < 0
}

func isKeyName(name string) bool {
	isOdd := func(each rune) bool { return each == '+' || unicode.Is(unicode.White_Space, each) }
	return name != "" && isPlain(name) && strings.IndexFunc(name, isOdd) < 0
}

func parseProof(text string) (index int64, path [][]byte, extra []byte, note string, err error) {
	head, note, hasEmptyLine := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if utf8.RuneCountInString(text) > proofCharactersMax || !hasEmptyLine || lines[0] != "c2sp.org/tlog-proof@v1" {
		return 0, nil, nil, "", refuseProof("proof", "it is too long, or has no proper first line, or no empty line before its checkpoint")
	}
	lines = lines[1:]
	isGood := true
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		extra, isGood = decodeStrict(strings.TrimPrefix(lines[0], "extra "))
		lines = lines[1:]
	}
	if !isGood || len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") || len(lines)-1 > pathLengthMax {
		return 0, nil, nil, "", refuseProof("proof", fmt.Sprintf("it has an index and a path of at most %d hashes", pathLengthMax))
	}
	if index, isGood = parseDecimal(strings.TrimPrefix(lines[0], "index ")); !isGood {
		return 0, nil, nil, "", refuseProof("proof", "its index is a decimal without leading zeros below 2^53")
	}
	for _, line := range lines[1:] {
		hash, ok := decodeHash(line)
		if !ok {
			return 0, nil, nil, "", refuseProof("proof", "each line of its path is a SHA-256 hash in base64")
		}
		path = append(path, hash)
	}
	return index, path, extra, note, nil
}

func parseNote(note string) (string, []noteSignature, error) {
	// Empty lines may be part of the text; the last one ends it.
	end := strings.LastIndex(note, "\n\n")
	isLong := utf8.RuneCountInString(note) > noteCharactersMax
	if isLong || !isPlain(note) || end < 0 || !strings.HasSuffix(note, "\n") || end+2 == len(note) {
		return "", nil, refuseProof("note", "it is text, an empty line and signatures, each of which ends with a line feed")
	}
	lines := strings.Split(note[end+2:len(note)-1], "\n")
	if len(lines) > noteSignaturesMax {
		return "", nil, refuseProof("note", fmt.Sprintf("it has more than %d signatures", noteSignaturesMax))
	}
	var signatures []noteSignature
	for _, line := range lines {
		name, encoded, _ := strings.Cut(strings.TrimPrefix(line, noteDash), " ")
		content, ok := decodeStrict(encoded)
		if !ok || !strings.HasPrefix(line, noteDash) || !isKeyName(name) || len(content) <= 4 {
			return "", nil, refuseProof("note", "a signature is a dash, a name and base64, with a key id of 4 bytes in front")
		}
		signatures = append(signatures, noteSignature{name, hex.EncodeToString(content[:4]), content[4:]})
	}
	return note[:end+1], signatures, nil
}

func parseKeys(vkeys []string, kind byte) ([]noteKey, error) {
	var keys []noteKey
	for _, vkey := range vkeys {
		name, rest, _ := strings.Cut(vkey, "+")
		keyID, encoded, _ := strings.Cut(rest, "+")
		material, ok := decodeStrict(encoded)
		if !ok || !isKeyName(name) || len(material) != 33 || material[0] != kind {
			return nil, refuseProof("key", "it is a name, an id and an Ed25519 key of the right kind in base64, joined by plus signs")
		}
		if keyID != hex.EncodeToString(sha256Of([]byte(name+"\n"), material)[:4]) {
			return nil, refuseProof("key", "its id is not the one of its name and bytes")
		}
		keys = append(keys, noteKey{name, keyID, kind, material[1:]})
	}
	return keys, nil
}

// verify returns the time in seconds that the signature states, 0 if its kind states none.
func (k noteKey) verify(text string, content []byte) (int64, bool) {
	if k.kind == ed25519Kind {
		return 0, verifyEd25519(k.publicKey, []byte(text), content)
	}
	if len(content) != 72 {
		return 0, false
	}
	seconds := binary.BigEndian.Uint64(content)
	if seconds == 0 || seconds > safeIntegerMax/1_000 {
		return 0, false
	}
	cosigned := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, text)
	return int64(seconds), verifyEd25519(k.publicKey, []byte(cosigned), content[8:])
}

// judge returns the latest time that the key states, and whether it has signed at all.
func (k noteKey) judge(text string, signatures []noteSignature) (latest int64, hasSigned bool, err error) {
	for _, signature := range signatures {
		if signature.name != k.name || signature.keyID != k.keyID {
			continue
		}
		seconds, ok := k.verify(text, signature.content)
		if !ok {
			return 0, false, &ProofError{"bad_signature", "The signature of " + k.name + " on the checkpoint is wrong."}
		}
		hasSigned = true
		if seconds > latest {
			latest = seconds
		}
	}
	return latest, hasSigned, nil
}

func openCheckpoint(note string, logKeys, witnessKeys []string) (*VerifiedProof, []byte, error) {
	text, signatures, err := parseNote(note)
	if err != nil {
		return nil, nil, err
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	malformed := refuseProof("checkpoint", "its lines are its origin, its size and its root")
	if len(lines) < 3 {
		return nil, nil, malformed
	}
	size, hasSize := parseDecimal(lines[1])
	root, hasRoot := decodeHash(lines[2])
	for _, line := range lines {
		hasSize = hasSize && line != ""
	}
	if !hasSize || !hasRoot {
		return nil, nil, malformed
	}
	keys, err := parseKeys(logKeys, ed25519Kind)
	if err != nil {
		return nil, nil, err
	}
	isKnown := false
	for _, key := range keys {
		if key.name != lines[0] {
			continue
		}
		_, hasSigned, err := key.judge(text, signatures)
		if err != nil {
			return nil, nil, err
		}
		isKnown = isKnown || hasSigned
	}
	if !isKnown {
		return nil, nil, &ProofError{"unknown_log", "The checkpoint is not signed by a known key of the log that it names."}
	}
	witnesses, err := findWitnesses(text, signatures, witnessKeys)
	return &VerifiedProof{Origin: lines[0], Size: size, WitnessedBy: witnesses}, root, err
}

func findWitnesses(text string, signatures []noteSignature, witnessKeys []string) ([]Witness, error) {
	keys, err := parseKeys(witnessKeys, cosignatureKind)
	if err != nil {
		return nil, err
	}
	witnesses := []Witness{}
	// A key under two names is one witness.
	counted := map[string]bool{}
	for _, key := range keys {
		seconds, hasSigned, err := key.judge(text, signatures)
		if err != nil {
			return nil, err
		}
		if hasSigned && !counted[string(key.publicKey)] {
			counted[string(key.publicKey)] = true
			witnesses = append(witnesses, Witness{key.name, seconds * 1_000})
		}
	}
	return witnesses, nil
}

// isIncluded goes from the leaf upwards: node is the place reached on its level, last that of the level's last node.
func isIncluded(leaf []byte, index, size int64, root []byte, path [][]byte) bool {
	if index >= size {
		return false
	}
	node, last := index, size-1
	reached := sha256Of([]byte{0}, leaf)
	for _, sibling := range path {
		if last == 0 {
			return false
		}
		// A node without a right sibling moves up unchanged until it is a right child.
		for node == last && node%2 == 0 {
			node, last = node/2, last/2
		}
		if node%2 == 1 {
			reached = sha256Of([]byte{1}, sibling, reached)
		} else {
			reached = sha256Of([]byte{1}, reached, sibling)
		}
		node, last = node/2, last/2
	}
	return last == 0 && bytes.Equal(reached, root)
}
