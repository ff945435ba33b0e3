package pictures

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// attachedAge is the age at which a copy that no prompt was sent with is deleted. A draft may name a younger one.
const attachedAge = 7 * 24 * time.Hour

// Attach keeps a copy of a picture that goes with a prompt; see [Files.Keep].
func (f *Files) Attach(ctx context.Context, name string, b []byte) (history.File, error) {
	p, err := f.Keep(ctx, name, b)
	if err != nil {
		return history.File{}, err
	}
	return history.File{Name: name, Kind: history.PictureFile, Bytes: p.Bytes, SHA256: p.SHA256, Path: p.Path}, nil
}

// Keep keeps a copy of a picture that no model here has made in the picture folder. The same picture is kept once. GIF
// and WebP become PNG.
func (f *Files) Keep(ctx context.Context, name string, b []byte) (history.Picture, error) {
	if len(b) > MaxBytes {
		return history.Picture{}, problem.New(api.CodeTooLarge, nil, "the picture %s is larger than 64 MiB", name)
	}
	b, image, err := usable(ctx, name, b)
	if err != nil {
		return history.Picture{}, err
	}
	if image.IsTooLarge {
		return history.Picture{}, problem.New(api.CodeTooLarge, nil,
			"the picture %s has more than 40 megapixels; scale it down first", name)
	}
	in, err := f.folder()
	if err != nil {
		return history.Picture{}, err
	}
	kept := history.Picture{Bytes: int64(len(b)), SHA256: SHA256(b), ContentType: image.ContentType, Width: image.Width,
		Height: image.Height}
	base, ext := "attached-"+kept.SHA256[:16], export.PictureExt(image.ContentType)
	kept.Path = filepath.Join(in.dir, base+ext)
	switch there, err := in.read(base+ext, MaxBytes); {
	case err == nil && SHA256(there) == kept.SHA256:
		return kept, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return history.Picture{}, problem.Disk("look for the picture "+name, err)
	}
	facts := provenance{MadeBy: "confab", IsAttached: true, BytesReceived: kept.Bytes, SHA256Received: kept.SHA256,
		Asked: f.host.Now().UTC()}
	facts.ContentType, facts.Width, facts.Height = image.ContentType, image.Width, image.Height
	saved, err := folder{dir: in.dir, template: base}.save(newPicture{image: b, ext: ext, describe: facts.encode})
	if err != nil {
		return history.Picture{}, problem.Disk("keep the picture "+name, err)
	}
	kept.Path = saved.path
	return kept, nil
}

// CheckAttached returns an error if the kept copy of a picture is gone or was changed.
func (f *Files) CheckAttached(ctx context.Context, file history.File) error {
	b, err := f.Read(ctx, file.Path)
	if err != nil {
		return err
	}
	if file.SHA256 != "" && SHA256(b) != file.SHA256 {
		return problem.New(api.CodeBadImage, nil, "the copy of the picture %s was changed; attach it again", file.Name)
	}
	return nil
}

// removeUnsent deletes an old copy that no prompt was sent with, and reports whether it is a copy at all.
func (c comparison) removeUnsent(name string, p provenance, now time.Time) (isCopy, isRemoved bool) {
	if !p.IsAttached || p.File != name {
		return false, false
	}
	return true, now.Sub(p.Asked) >= attachedAge && c.remove(c.path(name)) == nil
}
