package pictures

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/pixels"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// Publisher publishes a local picture for a remote service. [UploadCommand] and [BucketPublisher] implement it.
type Publisher interface {
	// Plan describes in one sentence what Publish would put where.
	Plan(path string) string
	// Publish returns the picture's public URL, which is valid until release is called.
	Publish(ctx context.Context, path string) (url string, release func(), err error)
}

// LocalPublisher returns a URL at which the embedded service reads a local picture until release is called.
type LocalPublisher func(read func(context.Context) ([]byte, error)) (url string, release func())

// Publish publishes a local picture until release is called: by local for the embedded service, or else by the
// publisher. A publisher gets the picture as received, without the prompt that confab added to the file.
func (f *Files) Publish(ctx context.Context, path string, local LocalPublisher) (url string, release func(),
	err error) {
	if local != nil {
		return f.publishLocal(ctx, path, local)
	}
	if f.o.Publisher == nil {
		return "", nil, cannotPublish()
	}
	f.mu.Lock()
	wasAnnounced := f.announced[path]
	f.mu.Unlock()
	if !wasAnnounced {
		return "", nil, problem.Usage("the source picture was not published, because nobody was told where it would " +
			"go; send the prompt again and agree")
	}
	public, remove, err := f.publicCopy(ctx, path)
	if err != nil {
		return "", nil, err
	}
	url, releasePublished, err := f.o.Publisher.Publish(ctx, public)
	if err != nil {
		remove()
		if ctx.Err() != nil {
			return "", nil, context.Cause(ctx)
		}
		return "", nil, publishProblem(err)
	}
	return url, func() {
		if releasePublished != nil {
			releasePublished()
		}
		remove()
	}, nil
}

// publishLocal lets the embedded service read a local picture. It converts GIF and WebP to PNG.
func (f *Files) publishLocal(ctx context.Context, path string, local LocalPublisher) (url string, release func(),
	err error) {
	read := func(ctx context.Context) ([]byte, error) {
		b, err := f.Read(ctx, path)
		if err == nil && pixels.IsConvertible(b) {
			b, _, err = f.readSource(ctx, path)
		}
		return b, err
	}
	if _, err := read(ctx); err != nil { // an error of f.Read is clearer than the service's
		return "", nil, err
	}
	url, release = local(read)
	return url, release, nil
}

// publishProblem returns an error for people unchanged, and a general one for any other.
func publishProblem(err error) error {
	if api.CodeOf(err) != "" {
		return err
	}
	return problem.New(api.CodeImageUnreachable, err, "the source picture could not be published, the log says more")
}

// cannotPublish returns the error for a local picture and a remote service, with the settings that help.
func cannotPublish() *api.Error {
	return problem.New(api.CodeConfig, nil,
		"a remote service cannot fetch a picture from this machine; set "+
			"upload_command or keep pictures in a bucket (pictures.url), or give the picture's URL")
}

// publicCopy copies the received picture to a temporary folder under a random name, because an upload command may
// publish the name.
func (f *Files) publicCopy(ctx context.Context, path string) (public string, remove func(), err error) {
	b, image, err := f.readSource(ctx, path) // the file may have been replaced since the user was asked
	if err != nil {
		return "", nil, err
	}
	dir, err := f.host.Process.MakeTempFolder()
	if err != nil {
		return "", nil, problem.Disk("copy the source picture", err)
	}
	remove = func() {
		if err := os.RemoveAll(dir); err != nil {
			f.host.Log.Warn("Left a temporary copy of a picture", "error", err)
		}
	}
	public = filepath.Join(dir, strings.ToLower(rand.Text())+export.PictureExt(image.ContentType))
	if err := os.WriteFile(public, CleanCopy(b), 0o600); err != nil {
		remove()
		return "", nil, problem.Disk("copy the source picture", err)
	}
	return public, remove, nil
}

// PublishPlan describes in one sentence what sending a turn with this source publishes where; it is empty if nothing
// leaves the machine. An error means that the source is unusable. The caller asks the user before sending; a picture
// without a plan is not published.
func (f *Files) PublishPlan(ctx context.Context, src history.Source) (string, error) {
	if src == (history.Source{}) || src.URL != "" { // an address is public already
		return "", nil
	}
	path, err := f.sourcePath(ctx, src)
	if err != nil {
		return "", err
	}
	if f.host.IsEmbedded(ctx) {
		return "", nil
	}
	if f.o.Publisher == nil {
		return "", cannotPublish()
	}
	f.mu.Lock()
	f.announced[path] = true
	f.mu.Unlock()
	return f.o.Publisher.Plan(path), nil
}
