package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"confab/internal/testserver"
	"confab/service/api"
)

// bothRows hold on the text and the picture endpoint.
func bothRows() []row {
	var rows []row
	add := func(code api.Code, says string, names ...string) {
		for _, name := range names {
			rows = append(rows, row{name: name, code: code, says: says, patient: code == api.CodeTimeout})
		}
	}
	add("", "", "ok", "late", "slow-body", "keepalive-close", "gzip-ok", "no-type", "json-as-text", "name-traversal",
		"esc-file", "cached")
	add(api.CodeNetwork, "closed the connection before it answered", "close", "rst", "accept-close")
	add(api.CodeTimeout, "did not answer within 1 second", "hang", "accept-stall", "slow-header")
	add(api.CodeTimeout, "sent nothing for 1 second after", "stall-start", "stall-body")
	add(api.CodeService, "HTTP 500", "endless-error", "status-500", "esc-reason")
	add(api.CodeNetwork, "of 5000 bytes of the answer", "truncate-cl", "truncate-rst")
	add(api.CodeNetwork, "after 3 bytes of the answer", "truncate-chunked")
	add(api.CodeTooLarge, "larger than the limit of 1 MiB", "endless-chunked", "image-huge", "gzip-bomb")
	add(api.CodeBadResponse, "larger than 64 KiB", "header-flood", "header-many", "flood-1xx")
	add(api.CodeBadResponse, "is not an HTTP service", "garbage", "garbage-line", "garbage-rst", "garbage-flood",
		"garbage-header", "garbage-status", "garbage-esc", "http09", "banner", "cl-two", "cl-negative",
		"echo-key-garbage")
	add(api.CodeBadResponse, "broke the rules of HTTP", "chunk-bad")
	add(api.CodeBadResponse, "HTTP 101", "switch-101")
	add(api.CodeBadResponse, "HTTP 204", "no-content-204")
	add(api.CodeBadResponse, "nothing at all", "body-empty")
	add(api.CodeBadRequest, "too large for the service (HTTP 413", "status-413", "early-413", "early-413-stall")
	add(api.CodeBadResponse, "compressed with gzip, and is not", "gzip-lie", "gzip-cut")
	add(api.CodeBadResponse, "(“br”)", "br-lie")
	add(api.CodeBadResponse, "a web page, perhaps a login page, titled “Sign in & <b>pay</b>”", "html-200")
	add(api.CodeUnauthorized, "The service refused the key (HTTP 401, “Incorrect API key provided: ••••”)", "echo-key")
	add(api.CodeUnauthorized, "••••", "echo-key-plain", "echo-key-hidden", "echo-key-url", "echo-key-base64",
		"echo-request")
	add(api.CodeUnauthorized, "(HTTP 401)", "echo-key-html", "echo-key-reason", "status-401-auth")
	add(api.CodeUnauthorized, "", "echo-key-late")
	add(api.CodeUnauthorized, "set CONFAB_API_KEY", "status-401", "status-403", "status-407")
	add(api.CodeBadResponse, "titled “key ••••”", "echo-key-title")
	add(api.CodeBadRequest, "“no, because”", "status-400", "status-402", "status-405", "status-415", "status-422")
	add(api.CodeUnknownModel, "no model “status-404” at “http://127.0.0.1:", "status-404")
	add(api.CodeTimeout, "HTTP 504", "status-504")
	add(api.CodeService, "(HTTP 502)", "status-502-html")
	add(api.CodeService, "BEGIN", "esc-error")
	add(api.CodeTimeout, "HTTP 408", "status-408")
	add(api.CodeBadResponse, "does not promise", "status-418", "status-999", "status-300", "status-206", "status-201",
		"status-000")
	add(api.CodeBadResponse, "which is not followed", "redirect-301-other-host", "redirect-302-other-host",
		"redirect-303-other-host",
		"redirect-307-other-host", "redirect-308-other-host", "redirect-loop", "redirect-esc", "echo-key-location")
	add(api.CodeBadResponse, "check that base_url is the address of the service, as its operator gave it to you",
		"redirect-302-other-host")
	add(api.CodeBadResponse, "to another path of the same host, “/elsewhere”,", "redirect-301-same-host",
		"redirect-302-same-host", "redirect-303-same-host", "redirect-307-same-host", "redirect-308-same-host")
	rows = append(rows,
		row{name: "endless-cl", code: api.CodeTooLarge, says: "1 MiB",
			check: func(t *testing.T, _ api.Response, e api.Exchange, _ *api.Error) {
				if e.Received != 0 || e.Head != "" {
					t.Errorf("%d bytes were read although the header said how many come", e.Received)
				}
			}},
		row{name: "status-503-empty", code: api.CodeService, says: "HTTP 503", requests: 3},
		row{name: "status-429", code: api.CodeRateLimited, says: "HTTP 429", requests: 3},
		row{name: "flaky-2", requests: 3},
		row{name: "flaky-503-2", requests: 3},
		row{name: "flaky-9", code: api.CodeRateLimited, requests: 3},
		row{name: "flaky-503-9", code: api.CodeService, requests: 3},
		row{name: "status-429-ra1", requests: 2, patient: true},
		row{name: "stall-error", code: api.CodeService, says: "HTTP 500", patient: true},
		row{name: "accept-rst", code: api.CodeNetwork}, // before or after the connection stood
		row{name: "status-429-ra0", requests: 2},
		row{name: "status-429-radate", requests: 2},
		row{name: "status-503-rahuge", code: api.CodeService, says: "try again",
			check: func(t *testing.T, _ api.Response, _ api.Exchange, err *api.Error) {
				if err.RetryAfter < 365*24*time.Hour {
					t.Errorf("got %v", err.RetryAfter)
				}
			}},
		row{name: "echo-key-header", check: func(t *testing.T, _ api.Response, e api.Exchange, _ *api.Error) {
			if got := fmt.Sprint(e.Header["X-Debug"], e.Header["Set-Cookie"]); !strings.Contains(got, "••••") {
				t.Errorf("got header %s", got)
			}
		}})
	return rows
}

func textRows() []row {
	var rows []row
	add := func(code api.Code, says string, names ...string) {
		for _, name := range names {
			rows = append(rows, row{name: name, code: code, says: says})
		}
	}
	add(api.CodeBadResponse, "not whole and valid JSON", "truncate-close", "truncate-last", "json-trailing", "json-two",
		"json-cut", "json-nan", "json-deep", "json-deep-whole", "plain-200", "esc-plain", "esc-ctype", "image-text")
	add(api.CodeBadResponse, "", "json-utf16", "image-noise")
	add(api.CodeBadResponse, "web page, perhaps a login page", "html-as-json", "html-as-png")
	add(api.CodeBadResponse, "a PNG picture where a text belongs", "png-as-octet")
	add(api.CodeService, "status 500 inside an HTTP 200 answer, “the model fell over”", "json-status-500")
	add(api.CodeService, "“BEGIN END”", "esc-in200")
	add(api.CodeUnauthorized, "who are you", "json-status-401")
	add(api.CodeBadRequest, "no credit left", "json-status-402")
	add(api.CodeRateLimited, "slow down", "json-status-429")
	add(api.CodeBadResponse, "status 302 inside", "json-status-302")
	add(api.CodeBadResponse, "no whole number as its status", "json-status-string", "json-status-float",
		"json-status-exp",
		"json-status-huge", "json-status-none", "json-status-null", "json-case", "json-null", "json-array",
		"json-string", "json-empty")
	add(api.CodeBadResponse, "holds no text", "json-data-null", "json-data-none", "json-data-array", "json-data-string",
		"json-text-null", "json-text-number", "json-text-object", "json-text-none")
	add("", "x", "json-extra", "json-model-none", "json-model-number", "json-bom")
	add("", "BEGIN", "uni-invalid", "uni-surrogate", "esc-c1-raw", "esc-overlong", "esc-literal")
	add(api.CodeTooLarge, "1 MiB", "huge-text", "long-word", "newlines")
	served := func(want string) func(*testing.T, api.Response, api.Exchange, *api.Error) {
		return func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
			if r.ServedModel != want {
				t.Errorf("served as %q, want %q", r.ServedModel, want)
			}
		}
	}
	exactly := func(want string) func(*testing.T, api.Response, api.Exchange, *api.Error) {
		return func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
			if r.Text != want || r.IsMasked || r.SHA256 != "" {
				t.Errorf("got %q, masked %v, want %q", r.Text, r.IsMasked, want)
			}
		}
	}
	sum := sha256.Sum256([]byte("Your key is " + testKey + ", keep it safe."))
	return append(rows,
		row{name: "json-model-other", says: "x", check: served("another-model")},
		row{name: "json-model-long", code: api.CodeTooLarge},
		row{name: "esc-model", check: served("\x1b]0;PWNED\x07model")},
		row{name: "echo-key-model", check: served("••••")},
		row{name: "json-text-empty", check: exactly("")},
		row{name: "json-text-space", check: exactly(" \n\t ")},
		row{name: "uni-emoji", check: exactly("👩‍👩‍👧 é 中文 العربية")},
		row{name: "esc-text", check: exactly("BEGIN \x1b]0;PWNED\x07\x1b[2J\u009b31m\u009d0;PWNED\u009c\u202e END")},
		row{name: "echo-key-text", says: "Your key is ••••, keep it safe.",
			check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
				if !r.IsMasked || r.SHA256 != hex.EncodeToString(sum[:]) {
					t.Errorf("masked %v, sum %s", r.IsMasked, r.SHA256)
				}
			}},
		row{name: "echo-request-text", says: `You sent {"apikey":"••••"`},
	)
}

func pictureRows() []row {
	var rows []row
	picture := func(contentType string, w, h int, tooLarge bool, names ...string) {
		for _, name := range names {
			rows = append(rows,
				row{name: name, check: func(t *testing.T, r api.Response, e api.Exchange, _ *api.Error) {
					if r.ContentType != contentType || r.Width != w || r.Height != h || r.IsTooLarge != tooLarge {
						t.Errorf("got %s %d×%d %v", r.ContentType, r.Width, r.Height, r.IsTooLarge)
					}
					sum := sha256.Sum256(r.Image)
					if r.SHA256 != hex.EncodeToString(sum[:]) || int64(len(r.Image)) != e.Received || r.Text != "" ||
						r.IsMasked {
						t.Errorf("sum %s of %d bytes, %d received", r.SHA256, len(r.Image), e.Received)
					}
				}})
		}
	}
	add := func(code api.Code, says string, names ...string) {
		for _, name := range names {
			rows = append(rows, row{name: name, code: code, says: says})
		}
	}
	picture("image/jpeg", 32, 16, false, "jpeg", "jpeg-as-png")
	picture("image/png", 32, 16, false, "png-as-jpeg", "png-as-octet", "png-as-html", "png-no-type", "png-trailing")
	picture("image/png", 8000, 8000, true, "png-giant")
	const bad = api.CodeBadImage
	add(bad, "damaged or cut off", "truncate-close", "truncate-last", "truncate-png", "truncate-jpeg", "png-no-iend",
		"png-bad-crc", "png-signature", "png-bomb-modest", "png-giant-cut")
	add(bad, "damaged", "png-zero")
	add(bad, "with a web page", "html-as-png")
	add(bad, "with nothing where", "image-empty")
	add(bad, "a GIF picture where", "gif")
	add(bad, "a WebP picture where", "webp")
	add(bad, "an SVG drawing where", "svg")
	add(bad, "an AVIF", "avif")
	add(bad, "a text where", "image-text", "plain-200", "esc-plain")
	add(bad, "unknown kind", "image-noise")
	add(bad, "“no such style”", "image-in-json")
	add(bad, "“the model fell over”", "json-status-500")
	add(bad, "the address of a picture", "image-url-json")
	add(bad, "JSON where", "image-other-json", "json-empty", "json-array", "json-cut", "json-deep")
	add(api.CodeBadResponse, "a web page", "html-as-json")
	add(api.CodeTooLarge, "50000×50000 px", "png-bomb-header")
	add(api.CodeTooLarge, "2147483647×1 px", "png-bomb-wide")
	add(api.CodeTooLarge, "1073741824×536870912 px", "png-bomb-panic")
	add(api.CodeTooLarge, "65535×65535 px", "jpeg-bomb-header")
	for _, name := range []string{"echo-key-text", "echo-request-text"} {
		rows = append(rows, row{name: name, check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
			if !r.IsMasked || !bytes.Equal(r.Image, testserver.PNG(32, 16)) {
				t.Errorf("masked %v, %d bytes", r.IsMasked, len(r.Image))
			}
		}})
	}
	return rows
}
