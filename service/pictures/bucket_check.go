package pictures

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
)

// CheckBucket tells whether a bucket can be listed, written, read and deleted from: it puts a small object into it
// under a random name and takes it out again.
func CheckBucket(ctx context.Context, b Bucket) (err error) {
	for _, err := range b.List(ctx, "") {
		if err != nil {
			return bucketProblem("look into the bucket", err)
		}
		break
	}
	// Where it is left, it is swept like a published copy.
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
