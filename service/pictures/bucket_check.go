package pictures

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
)

// CheckBucket checks that a bucket allows listing, writing, reading and deleting. It writes and deletes a small
// object with a random name.
func CheckBucket(ctx context.Context, b Bucket) (err error) {
	for _, err := range b.List(ctx, "") {
		if err != nil {
			return bucketProblem("look into the bucket", err)
		}
		break
	}
	// The sweep of published copies removes it if deleting fails.
	name, content := publishedFolder+"check-"+strings.ToLower(rand.Text()), []byte("confab looked whether it may write")
	if err := b.Put(ctx, name, content); err != nil {
		return bucketProblem("write into the bucket", err)
	}
	defer func() {
		if failed := b.Remove(context.WithoutCancel(ctx), name); failed != nil && err == nil {
			err = bucketProblem("delete from the bucket", failed)
		}
	}()
	got, err := b.Get(ctx, name, int64(len(content)))
	if err == nil && !bytes.Equal(got, content) {
		err = errors.New("what was written is read as something else")
	}
	if err != nil {
		return bucketProblem("read from the bucket", err)
	}
	return nil
}
