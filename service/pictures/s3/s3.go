// Package s3 keeps pictures in a bucket of S3-compatible object storage.
package s3

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"

	"confab/internal/fileio"
	"confab/internal/httpclient"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// callTimeout bounds one object of the largest size on a slow line.
const callTimeout = 5 * time.Minute

// hashName is the metadata with the sha256 of an object.
const hashName = "X-Amz-Meta-Sha256"

// Options is what a [Bucket] is made of.
type Options struct {
	URL string // s3://bucket/prefix?endpoint=https://host:port&region=name
	// Key returns the id of the access key and its secret with a colon between, empty for what AWS' programs use: the
	// environment, their files and the role of the machine. It is called before the first request, and again only when
	// it failed.
	Key func(ctx context.Context) (string, error)
}

// Bucket is a [pictures.Bucket]. It is safe for concurrent use.
type Bucket struct {
	client *client
	name   string
	prefix string // empty, or it ends with a slash
}

var _ pictures.Bucket = Bucket{}

// New returns a bucket. It connects to nothing.
func New(o Options) (Bucket, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return Bucket{}, problem.New(api.CodeConfig, nil, "pictures.url is no address of a bucket") // it may hold a key
	}
	query, err := url.ParseQuery(u.RawQuery)
	endpoint, badEndpoint := url.Parse(query.Get("endpoint"))
	if err != nil || badEndpoint != nil {
		return Bucket{}, problem.New(api.CodeConfig, nil, "the endpoint in pictures.url is no address")
	}
	c := &client{bucket: u.Host, region: cmp.Or(query.Get("region"), "us-east-1"),
		keys: credentials.New(&keyProvider{key: o.Key})}
	if endpoint.Host != "" {
		c.endpoint = endpoint
	}
	certificates, err := httpclient.TLS(os.Getenv("SSL_CERT_FILE"))
	if err != nil {
		certificates = nil // the system's own do
	}
	c.http = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:       http.ProxyFromEnvironment,
			DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
			ResponseHeaderTimeout: time.Minute, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 16,
			TLSClientConfig: certificates, DisableCompression: true,
		},
	}
	return Bucket{client: c, name: u.Host}.Within(strings.Trim(u.Path, "/")), nil
}

// Within returns the part of the bucket below a folder.
func (b Bucket) Within(folder string) Bucket {
	if folder != "" {
		b.prefix += folder + "/"
	}
	return b
}

// Address implements [pictures.Bucket].
func (b Bucket) Address(name string) string { return "s3://" + b.name + "/" + b.prefix + name }

// Put implements [pictures.Bucket].
func (b Bucket) Put(ctx context.Context, name string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	if stored, err := b.hash(ctx, name); err == nil {
		return sameContent(stored, hash)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	header := http.Header{hashName: {hash}, "If-None-Match": {"*"}}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		header.Set("Content-Type", kind)
	}
	write := func() error {
		response, err := b.client.send(ctx, http.MethodPut, b.prefix+name, nil, header, content)
		if err == nil {
			_ = response.Body.Close() // the object is there
		}
		return err
	}
	err := write()
	if r := (*refusal)(nil); !errors.As(err, &r) || r.status != http.StatusPreconditionFailed {
		return b.explain(ctx, err)
	}
	stored, err := b.hash(ctx, name)
	switch {
	case err == nil: // another process was faster, or the first try succeeded unheard
		return sameContent(stored, hash)
	case errors.Is(err, fs.ErrNotExist): // a server that was killed left a part of it, which nobody can read
		header.Del("If-None-Match")
		return b.explain(ctx, write())
	}
	return err
}

func sameContent(stored, hash string) error {
	if stored != hash {
		return fs.ErrExist
	}
	return nil
}

// hash returns the sha256 with which an object was written.
func (b Bucket) hash(ctx context.Context, name string) (string, error) {
	response, err := b.client.send(ctx, http.MethodHead, b.prefix+name, nil, nil, nil)
	if err != nil {
		return "", b.explain(ctx, err)
	}
	return response.Header.Get(hashName), response.Body.Close()
}

// Get implements [pictures.Bucket].
func (b Bucket) Get(ctx context.Context, name string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := b.client.send(ctx, http.MethodGet, b.prefix+name, nil, nil, nil)
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	defer response.Body.Close()
	content, err := fileio.ReadAll(response.Body, limit)
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	if sum := sha256.Sum256(content); response.Header.Get(hashName) != hex.EncodeToString(sum[:]) {
		return nil, problem.New(api.CodeBadImage, nil, "%s is not as it was uploaded: its sha256 is another one",
			b.Address(name))
	}
	return content, nil
}

// Remove implements [pictures.Bucket].
func (b Bucket) Remove(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := b.client.send(ctx, http.MethodDelete, b.prefix+name, nil, nil, nil)
	if err == nil {
		return response.Body.Close()
	}
	if err = b.explain(ctx, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List implements [pictures.Bucket].
func (b Bucket) List(ctx context.Context, folder string) iter.Seq2[pictures.Object, error] {
	return func(yield func(pictures.Object, error) bool) {
		for token, isFirst := "", true; isFirst || token != ""; isFirst = false {
			p, err := b.client.list(ctx, b.prefix+folder, token)
			if err != nil {
				yield(pictures.Object{}, b.explain(ctx, err))
				return
			}
			for _, o := range p.Contents {
				name := strings.TrimPrefix(o.Key, b.prefix)
				isFolder := strings.HasSuffix(name, "/") || name == ""
				if !isFolder && !yield(pictures.Object{Name: name, Bytes: o.Size, Modified: o.LastModified}, nil) {
					return
				}
			}
			token = p.NextContinuationToken
		}
	}
}

// Link implements [pictures.Bucket].
func (b Bucket) Link(ctx context.Context, name string, expiry time.Duration) (string, error) {
	region := b.client.regionNow()
	request, err := b.client.request(ctx, http.MethodGet, b.prefix+name, nil, region)
	if err != nil {
		return "", b.explain(ctx, err)
	}
	key, err := b.client.key(ctx)
	if err != nil {
		return "", b.explain(ctx, err)
	}
	signed := signer.PreSignV4(*request, key.AccessKeyID, key.SecretAccessKey, key.SessionToken, region,
		int64(expiry.Seconds()))
	return signed.URL.String(), nil
}

// explain returns an error of the client for people. What is missing is [fs.ErrNotExist].
func (b Bucket) explain(ctx context.Context, err error) error {
	if err == nil || api.CodeOf(err) != "" || errors.Is(err, fileio.ErrTooLarge) {
		return err
	}
	response := &refusal{}
	errors.As(err, &response)
	var wrongCertificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &wrongCertificate):
		return problem.New(api.CodeStore, err, "the certificate of the bucket %s is not trusted; the file that "+
			"SSL_CERT_FILE names has to hold its authority", b.name)
	case response.Code == "NoSuchKey":
		return fmt.Errorf("%s: %w", b.Address(""), fs.ErrNotExist)
	case response.Code == "NoSuchBucket":
		return problem.New(api.CodeStore, err, "there is no bucket %s; make it, or see to pictures.url", b.name)
	case response.status == http.StatusForbidden || response.status == http.StatusUnauthorized:
		return problem.New(api.CodeStore, err, "the key of the pictures does not open the bucket %s", b.name)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return problem.New(api.CodeStore, err, "the bucket %s did not answer in time", b.name)
	case ctx.Err() != nil:
		return problem.New(api.CodeCancelled, context.Cause(ctx), "cancelled before the bucket %s had answered", b.name)
	case response.status != 0:
		return problem.New(api.CodeStore, err, "the bucket %s refused it with status %d", b.name, response.status)
	}
	return problem.New(api.CodeStore, err, "the bucket %s cannot be reached", b.name)
}

// keyProvider asks for the access key when it is needed first.
type keyProvider struct {
	key func(ctx context.Context) (string, error)

	mu   sync.Mutex
	aws  *credentials.Credentials // where no key is set
	isOK bool
}

// RetrieveWithCredContext implements [credentials.Provider].
func (p *keyProvider) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx := context.Background()
	if c != nil && c.Context != nil {
		ctx = c.Context
	}
	key, err := p.key(ctx)
	if err != nil {
		return credentials.Value{}, err
	}
	if key == "" {
		if p.aws == nil {
			p.aws = credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{},
				&credentials.FileAWSCredentials{}, &credentials.IAM{}})
		}
		return p.aws.GetWithContext(c)
	}
	id, secret, ok := strings.Cut(key, ":")
	if !ok || id == "" || secret == "" {
		return credentials.Value{}, problem.New(api.CodeConfig, nil,
			"the key of the pictures must be the id of an access key, a colon and its secret")
	}
	p.isOK = true
	return credentials.Value{AccessKeyID: id, SecretAccessKey: secret, SignerType: credentials.SignatureV4}, nil
}

// Retrieve implements [credentials.Provider].
func (p *keyProvider) Retrieve() (credentials.Value, error) { return p.RetrieveWithCredContext(nil) }

// IsExpired implements [credentials.Provider].
func (p *keyProvider) IsExpired() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.isOK && (p.aws == nil || p.aws.IsExpired())
}
