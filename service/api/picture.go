package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
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

// JudgeImage tells what picture the bytes are, whatever a label says: a whole PNG or JPEG. The error is an [Error]:
// too_large for a header that claims a giant which the bytes cannot hold, bad_image for everything else.
//
// A picture of up to maxPixels is decoded to see that it is whole, within the memory of package pixels. A larger
// one, or one that would take more than 5 bytes of memory for each of maxPixels, is not; it is IsTooLarge. When ctx
// ends, also while another picture is decoded, the error is that of ctx.
func JudgeImage(ctx context.Context, b []byte, maxPixels int) (ImageFacts, error) {
	decodeHeader, decode, measure := png.DecodeConfig, png.Decode, measurePNG
	facts := ImageFacts{ContentType: "image/png"}
	switch what := sniff(b); what {
	case isPNG:
	case isJPEG:
		decodeHeader, decode, measure = jpeg.DecodeConfig, jpeg.Decode, measureJPEG
		facts.ContentType = "image/jpeg"
	default:
		return ImageFacts{}, badImage("The picture is %s, and not PNG or JPEG: try again, or try another model.", what)
	}
	header, err := decodeHeader(bytes.NewReader(b))
	if err == nil && header.Width*header.Height == 0 {
		err = errors.New("it has no pixels")
	}
	if err != nil {
		return ImageFacts{}, damaged(err)
	}
	count := int64(header.Width) * int64(header.Height)
	cost, most, isWhole := measure(b, header, count)
	giant := count > int64(maxPixels)
	switch {
	case giant && count > most:
		return ImageFacts{}, &Error{Code: CodeTooLarge, Message: fmt.Sprintf("The picture claims to be %d×%d px, "+
			"which its %s cannot hold: it is not shown or kept.", header.Width, header.Height, size(int64(len(b))))}
	case !isWhole || count > most:
		return ImageFacts{}, damaged(errors.New("it ends too early"))
	case giant || cost > bytesPerPixel*int64(maxPixels):
		facts.IsTooLarge = true
	default:
		if err := decodable(ctx, b, decode, cost); err != nil {
			if ctx.Err() != nil {
				return ImageFacts{}, ctx.Err()
			}
			return ImageFacts{}, damaged(err)
		}
	}
	facts.Width, facts.Height = header.Width, header.Height
	if pixels.IsOnItsSide(b) {
		facts.Width, facts.Height = facts.Height, facts.Width
	}
	return facts, nil
}

// Each byte that holds pixels of a PNG stands for 1,032 at most before it was compressed, of eight pixels each, and
// each of a JPEG for 512 pixels: a block of 64 takes one bit at least.
const (
	maxPNG  = 1032 * 8
	maxJPEG = 512
)

// measurePNG returns the bytes that decoding a PNG takes, the most pixels that it can hold, and whether its chunks are
// whole.
func measurePNG(b []byte, header image.Config, count int64) (cost, most int64, isWhole bool) {
	for kind, body := range pixels.Chunks(b) {
		switch kind {
		case "IDAT":
			most += maxPNG * int64(len(body))
		case "IEND":
			isWhole = true
		}
	}
	if !isWhole {
		most = maxPNG * int64(len(b))
	}
	_, isPalette := header.ColorModel.(color.Palette)
	switch {
	case isPalette:
		cost = count
	case header.ColorModel == color.RGBA64Model, header.ColorModel == color.NRGBA64Model,
		header.ColorModel == color.Gray16Model:
		cost = 8 * count
	default:
		cost = 4 * count // also of grey ones: a color that is marked as transparent gives them four channels
	}
	if isInterlaced := b[28] != 0; isInterlaced {
		cost += cost / 2 // the last pass is half of it, decoded apart
	}
	return cost, most, isWhole
}

// measureJPEG is [measurePNG] of a JPEG. A progressive one takes its coefficients as well, four bytes each, and one
// that is not YCbCr is converted.
func measureJPEG(b []byte, header image.Config, count int64) (cost, most int64, isWhole bool) {
	for marker, whole := range jpegSegments(b) {
		frame := whole[bytes.IndexByte(whole, marker)+1:]
		switch {
		case marker == 0xd9:
			isWhole = true
		case marker >= 0xc0 && marker <= 0xc2 && len(frame) >= 8+3*int(frame[7]):
			var samples, widest, highest int64
			for i := range int(frame[7]) {
				h, v := int64(frame[9+3*i]>>4), int64(frame[9+3*i]&15)
				samples += h * v
				widest, highest = max(widest, h), max(highest, v)
			}
			cost = count * samples / max(1, widest*highest)
			if marker == 0xc2 {
				cost *= 5
			}
		}
	}
	if header.ColorModel != color.YCbCrModel && header.ColorModel != color.GrayModel {
		cost += 4 * count
	}
	return cost, maxJPEG * int64(len(b)), isWhole
}

// decodable decodes a picture and throws it away.
func decodable(ctx context.Context, b []byte, decode func(io.Reader) (image.Image, error), cost int64) (err error) {
	release, err := pixels.Acquire(ctx, cost)
	if err != nil {
		return err
	}
	defer release()
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("decoder: %v", fault)
		}
	}()
	if _, err := decode(&ctxReader{ctx, bytes.NewReader(b)}); err != nil {
		return err
	}
	if cost > handBack {
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
