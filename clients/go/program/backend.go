package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"

	"tarneebclient/tarneeb"
)

// backend is what all games share.
type backend struct {
	client *tarneeb.Client
	store  store
	words  *words
	*transcript
	views io.Writer
	// unsound is set once a check came out badly.
	unsound bool
}

func (b *backend) check(good bool) string {
	b.unsound = b.unsound || !good
	return checkText(good)
}

// transcript are lines, hashed as they are written.
type transcript struct {
	out  *bufio.Writer
	hash hash.Hash
}

func newTranscript(out io.Writer) *transcript {
	return &transcript{bufio.NewWriter(out), sha256.New()}
}

// tell writes a line; an error stays with the writer until it is flushed.
func (t *transcript) tell(format string, values ...any) {
	line := fmt.Appendf(nil, format+"\n", values...)
	t.hash.Write(line)
	t.out.Write(line)
}

func short(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:8]) }

// opened is a file to write to, or what stands for it where none is named.
func opened(path string, otherwise io.Writer) (io.Writer, func() error, error) {
	if path == "" {
		return otherwise, func() error { return nil }, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}
