package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"image/jpeg"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"confab/history"
	"confab/internal/pixels"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

// ParseSource returns the source for a typed path or address. The service fetches http and https addresses; file
// addresses are files of this machine. It refuses other schemes.
func ParseSource(text string) (history.Source, error) {
	// A Windows drive is a single letter, so it does not match.
	match := regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):(//)?`).FindStringSubmatch(text)
	if match == nil {
		return history.Source{Path: text}, nil
	}
	switch scheme := strings.ToLower(match[1]); {
	case scheme == "http", scheme == "https":
		return history.Source{URL: text}, nil
	case scheme == "data":
		return history.Source{}, problem.Usage("a data: address cannot be the source, because the service fetches " +
			"the picture itself; save the picture to a file and give its path")
	case scheme == "file":
		path, ok := filePath(text)
		if !ok {
			return history.Source{},
				problem.Usage(
					"the address %s does not name a file of this machine; write file:///, then the whole path",
					termtext.Quote(text))
		}
		return history.Source{Path: path}, nil
	case match[2] != "":
		return history.Source{},
			problem.Usage("the source %s is neither a file nor an http or https address", termtext.Quote(text))
	}
	return history.Source{Path: text}, nil // a file name may contain a colon
}

// filePath returns the path of a file address of this machine.
func filePath(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.RawQuery != "" || u.Fragment != "" || u.Host != "" &&
		!strings.EqualFold(u.Host, "localhost") {
		return "", false
	}
	path := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, `\`)
	}
	return path, filepath.IsAbs(path)
}

// CheckSourceURL returns an error for an invalid address of a source.
func CheckSourceURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return problem.Usage("the source must be an http or https address that anyone can fetch, without a user name " +
			"or password")
	}
	return nil
}

// CheckSource returns the source of a turn with its path or URL set, or an error if it cannot be edited. It publishes
// nothing.
func (f *Files) CheckSource(ctx context.Context, src *history.Source) (*history.Source, error) {
	if src == nil || *src == (history.Source{}) {
		return nil, nil
	}
	if src.URL != "" {
		if err := CheckSourceURL(src.URL); err != nil {
			return nil, err
		}
		return &history.Source{URL: f.host.Mask.String(src.URL)}, nil
	}
	full, err := f.sourcePath(ctx, *src)
	if err != nil {
		return nil, err
	}
	b, image, err := f.readSource(ctx, full)
	if err != nil {
		return nil, err
	}
	answer := src.Answer
	if answer == 0 {
		answer = f.answerWith(ctx, b)
	}
	if image.IsTooLarge {
		return nil, problem.New(api.CodeTooLarge, nil,
			"the source picture %s has more than 40 megapixels; scale it down first",
			filepath.Base(full))
	}
	return &history.Source{Answer: answer, Path: full}, nil
}

// answerWith returns the newest answer with this picture, so that an edit of a copy, such as a file of ask -o, counts
// as an edit of the picture; 0 for none.
func (f *Files) answerWith(ctx context.Context, b []byte) (answer int64) {
	db, err := f.host.History(ctx)
	if err != nil {
		return 0 // sending reports the error of the history
	}
	sum, clean := SHA256(b), SHA256(CleanCopy(b))
	for h, err := range pictureHits(ctx, db) {
		if err == nil && (h.Answer.Picture.SHA256 == sum || h.Answer.Picture.SHA256 == clean) {
			answer = max(answer, h.Answer.ID)
		}
	}
	return answer
}

// notAPicture returns the error for a file that cannot be decoded.
func notAPicture(name string, err error) *api.Error {
	return problem.New(api.CodeBadImage, err, "the source picture %s is not a whole PNG, JPEG, GIF or WebP picture; "+
		"choose another, or convert it", name)
}

// newFormat names a modern picture format that few programs read, as phones and web sites produce; "" for others.
func newFormat(b []byte) string {
	if len(b) < 12 || string(b[4:8]) != "ftyp" {
		return ""
	}
	switch string(b[8:12]) {
	case "avif", "avis":
		return "an AVIF picture"
	case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1":
		return "a HEIC picture"
	}
	return ""
}

// readSource reads a picture to edit and converts GIF and WebP to PNG. The error tells why it cannot be edited.
func (f *Files) readSource(ctx context.Context, path string) ([]byte, api.ImageFacts, error) {
	b, err := f.Read(ctx, path)
	if err != nil {
		return nil, api.ImageFacts{}, err
	}
	return usable(ctx, filepath.Base(path), b)
}

// usable returns a picture as models take it, PNG or JPEG. The error tells why it cannot be used.
func usable(ctx context.Context, name string, b []byte) ([]byte, api.ImageFacts, error) {
	if format := newFormat(b); format != "" {
		return nil, api.ImageFacts{}, problem.New(api.CodeBadImage, nil, "the source picture %s is %s, which is not "+
			"read here; convert it first, for example with: magick %s picture.png", name, format, name)
	}
	if pixels.IsConvertible(b) {
		var err error
		if b, err = pixels.Convert(ctx, b, api.DefaultLimits().Pixels); err != nil {
			return nil, api.ImageFacts{}, notAPicture(name, err)
		}
	}
	image, err := api.JudgeImage(context.WithoutCancel(ctx), b, api.DefaultLimits().Pixels)
	var known *api.Error
	if errors.As(err, &known) {
		err = problem.New(known.Code, err, "the source picture %s cannot be used: %s", name,
			problem.Clause(known.Message))
	}
	return b, image, err
}

// ReadSource returns the bytes of the picture that an edit was made from. Where the history has the answer whose
// picture that is, another one is refused as [Files.ReadPicture] does.
func (f *Files) ReadSource(ctx context.Context, src history.Source) ([]byte, error) {
	if src.Answer != 0 {
		switch a, err := f.host.Answer(ctx, src.Answer); {
		case err == nil && a.Picture != nil:
			return f.ReadPicture(ctx, *a.Picture)
		case err != nil && !errors.Is(err, history.ErrNotFound):
			return nil, err
		}
	}
	return f.Read(ctx, src.Path)
}

// sourcePath returns the absolute path of a source's file.
func (f *Files) sourcePath(ctx context.Context, src history.Source) (string, error) {
	path := src.Path
	if src.Answer != 0 {
		a, err := f.host.Answer(ctx, src.Answer)
		if errors.Is(err, history.ErrNotFound) {
			return "", problem.New(api.CodeUsage, err,
				"the picture to edit is no longer in the history; choose another")
		}
		if err != nil {
			return "", err
		}
		if a.Picture == nil {
			return "", problem.New(api.CodeUsage, errNoPicture, "the chosen answer has no picture; choose another")
		}
		path = a.Picture.Path
		if history.IsUnsavedPicture(path) {
			return "", problem.Usage("the chosen picture is not saved yet; save it again first")
		}
		if _, err := f.ReadPicture(ctx, *a.Picture); err != nil {
			return "", err
		}
	}
	full, err := f.host.Root.Confine(f.locate(path))
	if err != nil {
		return "", err
	}
	if full, err = filepath.Abs(full); err != nil {
		return "", problem.New(api.CodeUsage, err, "the source's path cannot be made out; give the whole path")
	}
	return full, nil
}

// Pictures for text models are scaled to at most attachedSide px on the longer side and compressed to at most
// attachedBytes, and to attachedInAll together: models use no more, and requests are limited.
const (
	attachedSide  = 1568
	attachedBytes = 700 << 10
	attachedInAll = 2600 << 10
)

// ForModel returns one of a number of pictures for a text model: a JPEG of bounded size without metadata of the file,
// such as its location. Transparent parts become white.
func (f *Files) ForModel(ctx context.Context, path string, number int) ([]byte, error) {
	name := filepath.Base(path)
	b, err := f.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	decoded, err := pixels.Decode(ctx, b, api.DefaultLimits().Pixels)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, notAPicture(name, err)
	}
	size := decoded.Bounds().Size()
	scale := min(1, float64(attachedSide)/float64(max(size.X, size.Y)))
	scaled := pixels.Scale(decoded, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale)))
	pixels.Flatten(scaled, color.RGBA{255, 255, 255, 255})
	for quality := 88; quality >= 28; quality -= 20 {
		var out bytes.Buffer
		if err := jpeg.Encode(&out, scaled, &jpeg.Options{Quality: quality}); err != nil {
			return nil, notAPicture(name, fmt.Errorf("encode: %w", err))
		}
		if out.Len() <= min(attachedBytes, attachedInAll/max(1, number)) {
			return out.Bytes(), nil
		}
	}
	return nil, problem.New(api.CodeTooLarge, nil, "the picture %s is too large to be looked at; scale it down", name)
}
