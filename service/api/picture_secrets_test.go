package api

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
	"unicode/utf16"

	"confab/internal/redact"
)

const noteKey = "sk-live-7f3a9b2c4d5e6f70"

func deflated(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func wide(text string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// withChunks puts chunks behind the header of a PNG.
func withChunks(b []byte, chunks ...[]byte) []byte {
	const header = 33
	out := slices.Clone(b[:header])
	for _, c := range chunks {
		out = binary.BigEndian.AppendUint32(out, uint32(len(c)-4))
		out = binary.BigEndian.AppendUint32(append(out, c...), crc32.ChecksumIEEE(c))
	}
	return append(out, b[header:]...)
}

// withSegments puts segments behind the first marker of a JPEG.
func withSegments(b []byte, segments ...[]byte) []byte {
	out := slices.Clone(b[:2])
	for _, s := range segments {
		out = binary.BigEndian.AppendUint16(append(out, 0xff, s[0]), uint16(len(s)+1))
		out = append(out, s[1:]...)
	}
	return append(out, b[2:]...)
}

// TestNotesOfPicturesHoldNoSecret puts a key into the notes of pictures in every way that programs write them: the
// parts that hold it go, and nothing else.
func TestNotesOfPicturesHoldNoSecret(t *testing.T) {
	var plainPNG, plainJPEG bytes.Buffer
	must(t, png.Encode(&plainPNG, image.NewGray(image.Rect(0, 0, 8, 8))))
	must(t, jpeg.Encode(&plainJPEG, image.NewGray(image.Rect(0, 0, 8, 8)), nil))
	chunk := func(parts ...any) []byte {
		var b []byte
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				b = append(b, p...)
			case []byte:
				b = append(b, p...)
			}
		}
		return b
	}
	request := "api key: " + noteKey + " and more"
	encoded := base64.StdEncoding.EncodeToString([]byte(request))
	exif := append([]byte("Exif\x00\x00II*\x00UNICODE\x00"), wide(request, binary.LittleEndian)...)
	xmp := "http://ns.adobe.com/xmp/extension/\x00" + string(bytes.Repeat([]byte("g"), 40))
	half := len(request) - 16
	first, second := deflated(t, []byte(request[:half])), deflated(t, []byte(request[half:]))
	inHex := []byte("\nexif\n 117\n" + hex.EncodeToString([]byte(request)))
	icc := "\xe2ICC_PROFILE\x00\x01\x02"
	ours, theirs := chunk("tEXtSoftware\x00a camera"), chunk("\xfea comment")
	for name, c := range map[string][][]byte{
		"tEXt":                 {chunk("tEXtprompt\x00", request)},
		"zTXt":                 {chunk("zTXtprompt\x00\x00", deflated(t, []byte(request)))},
		"iTXt":                 {chunk("iTXtprompt\x00\x00\x00en\x00\x00", request)},
		"compressed iTXt":      {chunk("iTXtprompt\x00\x01\x00en\x00\x00", deflated(t, []byte(request)))},
		"iCCP":                 {chunk("iCCPprofile\x00\x00", deflated(t, []byte(request)))},
		"UTF-16 in eXIf":       {chunk("eXIf", exif)},
		"big-endian eXIf":      {chunk("eXIfMM\x00*", wide(request, binary.BigEndian))},
		"base64 in XMP":        {chunk("iTXtXML:com.adobe.xmp\x00\x00\x00\x00\x00<x>", encoded, "</x>")},
		"hex profile":          {chunk("zTXtRaw profile type exif\x00\x00", deflated(t, inHex))},
		"UTF-16 compressed":    {chunk("zTXtprompt\x00\x00", deflated(t, wide(request, binary.BigEndian)))},
		"split over chunks":    {chunk("tEXtprompt\x00", request[:half]), chunk("tEXtprompt\x00", request[half:])},
		"split and compressed": {chunk("zTXta\x00\x00", first), chunk("zTXtb\x00\x00", second)},
		"more than is judged":  {chunk("zTXtprompt\x00\x00", deflated(t, make([]byte, 2*maxInflated)))},
		"unknown critical":     {chunk("KEYS", request)},
	} {
		b := withChunks(plainPNG.Bytes(), c...)
		got, masked := withoutSecrets(redact.NewEchoMasker(noteKey), b)
		if !masked || !bytes.Equal(got, plainPNG.Bytes()) {
			t.Errorf("%s: masked %v, %d bytes, want %d", name, masked, len(got), plainPNG.Len())
		}
		if name == "tEXt" || name == "split over chunks" {
			continue // what is of the same kind goes as well
		}
		b = withChunks(plainPNG.Bytes(), append(c, ours)...)
		got, _ = withoutSecrets(redact.NewEchoMasker(noteKey), b)
		if !bytes.Equal(got, withChunks(plainPNG.Bytes(), ours)) {
			t.Errorf("%s: another chunk went as well", name)
		}
	}
	for name, c := range map[string][][]byte{
		"comment":          {chunk("\xfe", request)},
		"EXIF in UTF-16":   {chunk("\xe1", exif)},
		"APP7":             {chunk("\xe7vendor\x00", request)},
		"compressed APP11": {chunk("\xebvendor\x00", deflated(t, []byte(request)))},
		"base64 in XMP":    {chunk("\xe1http://ns.adobe.com/xap/1.0/\x00<x>", encoded[:20], "\n", encoded[20:])},
		"extended XMP":     {chunk("\xe1", xmp, request[:half]), chunk("\xe1", xmp, request[half:])},
		"split ICC":        {chunk(icc, request[:half]), chunk(icc, request[half:])},
	} {
		b := withSegments(plainJPEG.Bytes(), c...)
		got, masked := withoutSecrets(redact.NewEchoMasker(noteKey), b)
		if !masked || !bytes.Equal(got, plainJPEG.Bytes()) {
			t.Errorf("JPEG, %s: masked %v, %d bytes, want %d", name, masked, len(got), plainJPEG.Len())
		}
	}
	latin := redact.NewEchoMasker("clé-secrète-123")
	b := withChunks(plainPNG.Bytes(), chunk("tEXtprompt\x00cl\xe9-secr\xe8te-123"))
	if got, masked := withoutSecrets(latin, b); !masked || !bytes.Equal(got, plainPNG.Bytes()) {
		t.Error("a key in Latin-1 stayed")
	}
	for _, b := range [][]byte{withChunks(plainPNG.Bytes(), ours), withSegments(plainJPEG.Bytes(), theirs)} {
		if got, masked := withoutSecrets(redact.NewEchoMasker(noteKey), b); masked || !bytes.Equal(got, b) {
			t.Error("notes without a key went")
		}
	}
}

// The size of a picture is that which is seen: cameras turn pictures by a note.
func TestSizesAreOfTheUprightPicture(t *testing.T) {
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 4)), nil))
	turned := withSegments(b.Bytes(), []byte("\xe1Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12"+
		"\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"))
	if facts, err := JudgeImage(t.Context(), turned, 1e6); err != nil || facts.Width != 4 || facts.Height != 8 {
		t.Errorf("the picture is %+v, %v", facts, err)
	}
}
