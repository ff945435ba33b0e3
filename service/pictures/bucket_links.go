package pictures

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/problem"
)

// linkExpiry is the validity of a link to a picture.
const linkExpiry = 24 * time.Hour

// HasBucket reports whether pictures go to a bucket.
func (f *Files) HasBucket() bool { return f.o.Bucket != nil }

// Link returns a URL of a picture in the bucket from which anyone can fetch it for a day.
func (f *Files) Link(ctx context.Context, path string) (string, error) {
	if f.o.Bucket == nil {
		return "", problem.Usage("pictures are in a folder of this machine; links need pictures.url")
	}
	if history.IsUnsavedPicture(path) {
		return "", problem.Usage("the picture is not saved yet; save it again first")
	}
	if owner, _, _, ok := history.SharedPicture(path); ok {
		return "", problem.Usage("the picture belongs to %s, who can make a link to it", owner)
	}
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	name := filepath.Base(path)
	if _, err := os.Lstat(f.locate(path)); err == nil && !f.isCopy(folder, name) {
		return "", problem.Usage("the picture is not in the bucket yet; try again when it has been uploaded")
	}
	link, err := f.o.Bucket.Link(ctx, name, linkExpiry)
	if err != nil {
		return "", bucketProblem("make a link", err)
	}
	return link, nil
}

// publishedFolder holds copies that services fetch during a request.
const publishedFolder = "published/"

// publishedExpiry exceeds the maximum time of a request.
const publishedExpiry = 25 * time.Hour

// BucketPublisher publishes a picture as an object during a request.
type BucketPublisher struct{ Bucket Bucket }

// Plan describes what Publish would put where.
func (p BucketPublisher) Plan(path string) string {
	return filepath.Base(path) + " will be uploaded to " + p.Bucket.Address("") + " under a random name; who has the " +
		"link can fetch it until the request has ended."
}

// Publish uploads the file and returns a link to it. The release function deletes the object.
func (p BucketPublisher) Publish(ctx context.Context, path string) (string, func(), error) {
	b, err := fileio.Read(path, MaxBytes)
	if err != nil {
		return "", nil, err
	}
	name := publishedFolder + filepath.Base(path)
	err = p.Bucket.Put(ctx, name, b)
	link := ""
	if err == nil {
		link, err = p.Bucket.Link(ctx, name, publishedExpiry)
	}
	release := func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = p.Bucket.Remove(ctx, name) // [Files.FindOrphans] finds what remains
	}
	if err != nil {
		release()
		return "", nil, bucketProblem("upload the source picture", err)
	}
	return link, release, nil
}
