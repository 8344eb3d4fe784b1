// Verifies a log with the packages that verify Go's checksum database, which share no code with this project:
// the checkpoint's signature, every tile that a proof needs, and the proofs that the installation gives out.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type task struct {
	URL           string   `json:"url"`
	APIKey        string   `json:"api_key"`
	LogKey        string   `json:"log_key"`
	Proofs        []string `json:"proofs"`
	Leaves        []string `json:"leaves"`
	OldCheckpoint string   `json:"old_checkpoint"`
	Consistency   []string `json:"consistency"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func get(t task, path string) []byte {
	request, err := http.NewRequest("GET", t.URL+path, nil)
	check(err)
	request.Header.Set("X-API-Key", t.APIKey)
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	check(err)
	if response.StatusCode != 200 {
		check(fmt.Errorf("%s answered %d", path, response.StatusCode))
	}
	return body
}

func openCheckpoint(t task, text []byte) tlog.Tree {
	verifier, err := note.NewVerifier(t.LogKey)
	check(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		check(fmt.Errorf("the origin is %q, not %q", lines[0], verifier.Name()))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	hash, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: hash}
}

// tiles reads the installation's tiles under the paths of C2SP tlog-tiles, which leave out the height.
type tiles struct {
	task task
	read int
}

func (*tiles) Height() int { return 8 }

func (reader *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range wanted {
		body := get(reader.task, "/log/"+strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if len(body) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes", tile.Path(), len(body))
		}
		data = append(data, body)
		reader.read++
	}
	return data, nil
}

func (*tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func parseHashes(lines []string) []tlog.Hash {
	hashes := []tlog.Hash{}
	for _, line := range lines {
		bytes, err := base64.StdEncoding.DecodeString(line)
		check(err)
		var hash tlog.Hash
		copy(hash[:], bytes)
		hashes = append(hashes, hash)
	}
	return hashes
}

func equal(ours, theirs []tlog.Hash) error {
	if len(ours) != len(theirs) {
		return fmt.Errorf("the path has %d hashes, not %d", len(theirs), len(ours))
	}
	for i := range ours {
		if !bytes.Equal(ours[i][:], theirs[i][:]) {
			return fmt.Errorf("hash %d of the path differs", i)
		}
	}
	return nil
}

func main() {
	var t task
	check(json.NewDecoder(os.Stdin).Decode(&t))
	newest := openCheckpoint(t, get(t, "/log/checkpoint"))
	reader := &tiles{task: t}
	hashes := tlog.TileHashReader(newest, reader)

	for i, proof := range t.Proofs {
		header, checkpoint, found := strings.Cut(proof, "\n\n")
		if !found {
			check(fmt.Errorf("proof %d has no checkpoint", i))
		}
		tree := openCheckpoint(t, []byte(checkpoint))
		lines := strings.Split(header, "\n")
		// The version and the extra line.
		index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
		check(err)
		path := parseHashes(lines[3:])
		leaf := tlog.RecordHash([]byte(t.Leaves[i]))
		check(tlog.CheckRecord(path, tree.N, tree.Hash, index, leaf))
		own, err := tlog.ProveRecord(tree.N, index, hashes)
		check(err)
		check(equal(own, path))
		stored, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		check(err)
		check(equal(stored, []tlog.Hash{leaf}))
	}

	old := openCheckpoint(t, []byte(t.OldCheckpoint))
	path := parseHashes(t.Consistency)
	check(tlog.CheckTree(path, newest.N, newest.Hash, old.N, old.Hash))
	own, err := tlog.ProveTree(newest.N, old.N, hashes)
	check(err)
	check(equal(own, path))
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"size": newest.N, "proofs": len(t.Proofs), "old_size": old.N, "tiles": reader.read > 0}))
}
