package httpclient

import (
	"bufio"
	"compress/gzip"
	"io"
)

// Decompress returns a body without compression that was not asked for. It goes by the bytes: labels lie.
func Decompress(body io.ReadCloser) io.ReadCloser {
	return &plainBody{Closer: body, in: bufio.NewReader(body)}
}

// plainBody looks at the beginning of a body when it is first read, since before that it would have to wait.
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
				return 0, err //nolint:wrapcheck // judged by the caller
			}
			b.out = z
		}
	}
	return b.out.Read(p) //nolint:wrapcheck // a reader's error
}
