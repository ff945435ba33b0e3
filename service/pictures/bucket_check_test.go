package pictures_test

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"testing"
	"time"

	"confab/service/api"
	"confab/service/pictures"
)

// limitedBucket is a bucket in memory that refuses some operations.
type limitedBucket struct {
	pictures.Bucket
	objects map[string][]byte
	refused string
}

var errRefused = errors.New("access denied")

func (b *limitedBucket) may(what string) error {
	if b.refused == what {
		return errRefused
	}
	return nil
}

func (b *limitedBucket) List(context.Context, string) iter.Seq2[pictures.Object, error] {
	return func(yield func(pictures.Object, error) bool) {
		if err := b.may("list"); err != nil {
			yield(pictures.Object{}, err)
			return
		}
		_ = yield(pictures.Object{Name: "one", Modified: time.Now()}, nil) && yield(pictures.Object{Name: "two"}, nil)
	}
}

func (b *limitedBucket) Put(_ context.Context, name string, content []byte) error {
	b.objects[name] = content
	return b.may("put")
}

func (b *limitedBucket) Get(_ context.Context, name string, _ int64) ([]byte, error) {
	if content, ok := b.objects[name]; ok {
		return content, b.may("get")
	}
	return nil, fs.ErrNotExist
}

func (b *limitedBucket) Remove(_ context.Context, name string) error {
	delete(b.objects, name)
	return b.may("remove")
}

// A read-only bucket is detected before the first upload, and nothing remains in it.
func TestCheckBucket(t *testing.T) {
	for _, refused := range []string{"", "list", "put", "get", "remove"} {
		b := &limitedBucket{objects: map[string][]byte{}, refused: refused}
		err := pictures.CheckBucket(t.Context(), b)
		if (err == nil) != (refused == "") || err != nil && (!errors.Is(err, errRefused) || api.CodeOf(err) == "") {
			t.Errorf("refusing to %s: %v", refused, err)
		}
		if refused != "put" && len(b.objects) != 0 {
			t.Errorf("refusing to %s: left %v", refused, b.objects)
		}
	}
}
