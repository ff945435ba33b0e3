package httpclient

import (
	"bufio"
	"compress/gzip"
	"io"
)

// Decompress returns a body without unrequested compression. It checks the bytes, because headers may be wrong.
func Decompress(body io.ReadCloser) io.ReadCloser {
	return &plainBody{Closer: body, in: bufio.NewReader(body)}
}

// plainBody checks the beginning of a body at the first read, because reading it earlier would block.
type plainBody struct {
	io.Closer
	in  *bufio.Reader
	out io.Reader // nil before the first read
}

// Read implements [io.Reader].
func (b *plainBody) Read(p []byte) (int, error) {
	if b.out == nil {
		b.out = b.in
		if magic, _ := b.in.Peek(2); string(magic) == "\x1f\x8b" {
			z, err := gzip.NewReader(b.in)
			if err != nil {
				return 0, err //nolint:wrapcheck // the caller converts it
			}
			b.out = z
		}
	}
	return b.out.Read(p) //nolint:wrapcheck // a reader's error
}
