package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"

	"confab/internal/pixels"
)

// ImageFacts is what the bytes of a picture tell.
type ImageFacts struct {
	ContentType string // image/png or image/jpeg
	Width       int    // px, of the upright picture
	Height      int    // px
	IsTooLarge  bool   // whole, but too large to be decoded and shown
}

// bytesPerPixel bounds what decoding may take: this many bytes for each of the pixels allowed. Four is a usual PNG,
// three a usual JPEG; sixteen-bit and progressive pictures take more and are too large earlier.
const bytesPerPixel = 5

// handBack is the size, in bytes, from which the memory of a decoded picture is handed back to the system at once.
const handBack = 64 << 20

// shape is what the header of a picture says, before anything is decoded.
type shape struct {
	ImageFacts
	fits bool  // whether the bytes can hold as many pixels at all
	cost int64 // bytes that decoding takes; of a giant it means nothing
}

// JudgeImage tells what picture the bytes are, whatever a label says: a whole PNG or JPEG. The error is an [Error]:
// too_large for a header that claims a giant which the bytes cannot hold, bad_image for everything else.
//
// A picture of up to maxPixels is decoded to see that it is whole, within the memory of package pixels. A larger
// one, or one that would take more than 5 bytes of memory for each of maxPixels, is only walked through;
// it is IsTooLarge. When ctx ends, also while another picture is decoded, the error is that of ctx.
func JudgeImage(ctx context.Context, b []byte, maxPixels int) (ImageFacts, error) {
	var s shape
	var damage error
	switch what := sniff(b); what {
	case isPNG:
		s, damage = walkPNG(b, nil)
	case isJPEG:
		s, damage = walkJPEG(b, nil)
	default:
		return ImageFacts{}, badImage("The picture is %s, and not PNG or JPEG: try again, or try another model.", what)
	}
	if s.Width <= 0 || s.Height <= 0 {
		if damage == nil {
			return ImageFacts{},
				badImage("The picture is %d×%d px, so that there is nothing to show: try again.", s.Width, s.Height)
		}
		return ImageFacts{}, damaged(damage)
	}
	giant := int64(s.Width)*int64(s.Height) > int64(maxPixels)
	switch {
	case giant && !s.fits:
		return ImageFacts{},
			&Error{Code: CodeTooLarge, Message: fmt.Sprintf("The picture claims to be %d×%d px, which its %s cannot "+
				"hold: it is not shown or kept.", s.Width, s.Height, size(int64(len(b))))}
	case damage != nil:
		return ImageFacts{}, damaged(damage)
	case !s.fits:
		return ImageFacts{}, damaged(errors.New("its pixels are missing"))
	case giant || s.cost > bytesPerPixel*int64(maxPixels):
		s.IsTooLarge = true
		return s.turned(b), nil
	}
	if err := decodable(ctx, b, s); err != nil {
		if ctx.Err() != nil {
			return ImageFacts{}, ctx.Err()
		}
		return ImageFacts{}, damaged(err)
	}
	return s.turned(b), nil
}

// turned returns the facts of a picture as it is seen: turned as its EXIF data says.
func (s shape) turned(b []byte) ImageFacts {
	if pixels.IsOnItsSide(b) {
		s.Width, s.Height = s.Height, s.Width
	}
	return s.ImageFacts
}

// decodable decodes a picture and throws it away.
func decodable(ctx context.Context, b []byte, s shape) (err error) {
	release, err := pixels.Acquire(ctx, s.cost)
	if err != nil {
		return err
	}
	defer release()
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("decoder: %v", fault)
		}
	}()
	decode := png.Decode
	if s.ContentType == "image/jpeg" {
		decode = jpeg.Decode
	}
	picture, err := decode(&ctxReader{ctx, bytes.NewReader(b)})
	if err != nil {
		return err
	}
	if got := picture.Bounds().Size(); got != image.Pt(s.Width, s.Height) {
		return fmt.Errorf("header says %d×%d, pixels %v", s.Width, s.Height, got)
	}
	if s.cost > handBack {
		picture = nil
		debug.FreeOSMemory()
	}
	return nil
}

// ctxReader ends when its context does.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

// Read reads on.
func (r *ctxReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

func badImage(format string, args ...any) *Error {
	return &Error{Code: CodeBadImage, Message: fmt.Sprintf(format, args...)}
}

func damaged(err error) *Error {
	e := badImage("The picture is damaged or cut off: try again.")
	e.Err = err
	return e
}

// judgePicture accepts the bytes of a PNG or JPEG.
func (k *call) judgePicture(ctx context.Context, header http.Header, body []byte) (Response, *Error) {
	label, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	labelled := strings.HasPrefix(label, "image/")
	switch what := sniff(body); {
	case what == isPNG, what == isJPEG:
	case what == isJSON:
		return Response{}, k.jsonForPicture(body)
	case what == isHTML && labelled:
		return Response{}, k.webPage(CodeBadImage, body)
	case what == isHTML:
		return Response{}, k.webPage(CodeBadResponse, body)
	case what == isEmpty && !labelled:
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with nothing at all: check that "+
			"base_url is the address of the service.")
	default:
		return Response{}, k.fail(CodeBadImage, nil, "The service answered with %s where a PNG or JPEG picture "+
			"belongs: try again, or try another model.", what)
	}
	facts, err := JudgeImage(ctx, body, k.limits.Pixels)
	if err != nil {
		var failure *Error
		if errors.As(err, &failure) {
			return Response{}, failure
		}
		return Response{}, contextError(ctx)
	}
	sum := sha256.Sum256(body)
	response := Response{ContentType: facts.ContentType, Width: facts.Width, Height: facts.Height,
		IsTooLarge: facts.IsTooLarge, SHA256: hex.EncodeToString(sum[:])}
	response.Image, response.IsMasked = withoutSecrets(k.mask, body)
	return response, nil
}

// jsonForPicture says what came as JSON where a picture belongs. An address in it is not fetched: nobody promised that
// it is harmless.
func (k *call) jsonForPicture(body []byte) *Error {
	if text := k.mask.String(message(body)); clean(text) != "" {
		return k.fail(CodeBadImage, nil, "The service answered with a message where a picture belongs (%s): try "+
			"again, or change the prompt.", quote(text))
	}
	head := body[:min(len(body), 64<<10)]
	if bytes.Contains(head, []byte(`"http://`)) || bytes.Contains(head, []byte(`"https://`)) {
		return k.fail(CodeBadImage, nil, "The service answered with the address of a picture where the picture "+
			"itself belongs, and it is not fetched: try another model.")
	}
	return k.fail(CodeBadImage, nil, "The service answered with JSON where a PNG or JPEG picture belongs: try again, "+
		"or try another model.")
}
