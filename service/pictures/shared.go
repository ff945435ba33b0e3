package pictures

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// readShared returns the picture of an answer that another user shares, from that one's folder of the bucket.
func (f *Files) readShared(ctx context.Context, path string) ([]byte, error) {
	owner, answer, original, ok := history.SharedPicture(path)
	switch {
	case !ok:
		return nil, problem.Usage("there is no picture %s", path)
	case answer == 0:
		return nil, problem.Usage("the picture %s is a file of %s and not shared", filepath.Base(original), owner)
	case f.o.SharedBucket == nil:
		return nil, problem.Usage("the picture is on a machine of %s; pictures of others are shown where they are in "+
			"a bucket (pictures.url)", owner)
	}
	if _, err := f.o.Answer(ctx, answer); err != nil {
		if api.CodeOf(err) == api.CodeUsage {
			return nil, problem.New(api.CodeUsage, err, "%s does not share the picture any more", owner)
		}
		return nil, err
	}
	b, err := f.o.SharedBucket(owner).Get(ctx, filepath.Base(original), maxPicture+maxTextAdded)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(api.CodeUsage, err, "the picture of %s is not in the bucket", owner)
	}
	if err != nil {
		return nil, bucketProblem("fetch the picture of "+owner, err)
	}
	return b, nil
}
