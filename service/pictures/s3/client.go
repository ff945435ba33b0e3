package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
	"github.com/minio/minio-go/v7/pkg/signer"
)

const (
	retryWait    = 300 * time.Millisecond
	maxErrorBody = 64 << 10
)

// client sends the requests of a bucket. What signs them and finds keys is minio-go's; its own client links
// eight modules more.
type client struct {
	http     *http.Client
	endpoint *url.URL // nil for Amazon's
	bucket   string
	keys     *credentials.Credentials

	mu     sync.Mutex
	region string
}

// refusal is an answer of the server other than success.
type refusal struct {
	status int
	Code   string `xml:"Code"`
}

func (r *refusal) Error() string {
	return strings.TrimSpace(fmt.Sprintf("status %d %s", r.status, r.Code))
}

// send sends a request for an object, or for the bucket where key is "". It tries once more where the server is busy,
// cannot be reached or names another region.
func (c *client) send(ctx context.Context, method, key string, query url.Values, header http.Header,
	body []byte) (*http.Response, error) {
	for isLast := false; ; isLast = true {
		region := c.regionNow()
		request, err := c.request(ctx, method, key, query, region)
		if err != nil {
			return nil, err
		}
		for name, values := range header {
			request.Header[name] = values
		}
		sum := sha256.Sum256(body)
		request.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
		if body != nil {
			request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		keys, err := c.key(ctx)
		if err != nil {
			return nil, err
		}
		signed := signer.SignV4(*request, keys.AccessKeyID, keys.SecretAccessKey, keys.SessionToken, region)
		response, err := c.http.Do(signed)
		switch {
		case err != nil && (isLast || ctx.Err() != nil):
			return nil, err
		case err == nil && response.StatusCode < 300:
			return response, nil
		case err == nil:
			failed := readRefusal(response, key)
			moved := c.learnRegion(response.Header.Get("X-Amz-Bucket-Region"), region)
			isBusy := failed.status >= 500 || failed.status == http.StatusTooManyRequests ||
				failed.status == http.StatusRequestTimeout
			if isLast || !moved && !isBusy {
				return nil, failed
			}
			if moved {
				continue
			}
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(retryWait):
		}
	}
}

// request returns a request without a signature.
func (c *client) request(ctx context.Context, method, key string, query url.Values, region string) (*http.Request,
	error) {
	u := url.URL{Scheme: "https", Host: "s3." + region + ".amazonaws.com", RawQuery: query.Encode()}
	if c.endpoint != nil {
		u.Scheme, u.Host = c.endpoint.Scheme, c.endpoint.Host
	}
	u.Path = "/" + c.bucket + "/" + key
	if c.endpoint == nil && !strings.Contains(c.bucket, ".") {
		u.Host, u.Path = c.bucket+"."+u.Host, "/"+key
	}
	u.RawPath = s3utils.EncodePath(u.Path)
	return http.NewRequestWithContext(ctx, method, u.String(), nil)
}

func (c *client) key(ctx context.Context) (credentials.Value, error) {
	return c.keys.GetWithContext(&credentials.CredContext{Client: c.http, Context: ctx})
}

func (c *client) regionNow() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.region
}

// learnRegion reports whether the server has named a region other than that of the request.
func (c *client) learnRegion(named, asked string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if named == "" || named == asked {
		return false
	}
	c.region = named
	return true
}

func readRefusal(response *http.Response, key string) *refusal {
	defer response.Body.Close()
	r := &refusal{status: response.StatusCode}
	_ = xml.NewDecoder(io.LimitReader(response.Body, maxErrorBody)).Decode(r) // the status is enough
	if r.Code == "" && r.status == http.StatusNotFound && key != "" {
		r.Code = "NoSuchKey"
	}
	return r
}

// page is a part of a list of objects.
type page struct {
	Contents []struct {
		Key          string
		Size         int64
		LastModified time.Time
	}
	NextContinuationToken string
}

// list returns the objects with a prefix, without those of subfolders; token is that of the page before.
func (c *client) list(ctx context.Context, prefix, token string) (page, error) {
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}, "delimiter": {"/"}, "encoding-type": {"url"}}
	if token != "" {
		query.Set("continuation-token", token)
	}
	response, err := c.send(ctx, http.MethodGet, "", query, nil, nil)
	if err != nil {
		return page{}, err
	}
	defer response.Body.Close()
	var p page
	if err := xml.NewDecoder(response.Body).Decode(&p); err != nil {
		return page{}, fmt.Errorf("read the list of objects: %w", err)
	}
	for i := range p.Contents {
		if p.Contents[i].Key, err = url.QueryUnescape(p.Contents[i].Key); err != nil {
			return page{}, fmt.Errorf("read the list of objects: %w", err)
		}
	}
	return p, nil
}
