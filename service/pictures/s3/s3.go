// Package s3 keeps pictures in a bucket of S3-compatible object storage, with minio-go.
package s3

import (
	"bytes"
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
	"path"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"confab/internal/fileio"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// callTimeout bounds one object of the largest size on a slow line.
const callTimeout = 5 * time.Minute

// hashName is the metadata with the sha256 of the whole object, also of one that was uploaded in parts.
const hashName = "Sha256"

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
	client *minio.Client
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
	host, region := endpoint.Host, query.Get("region")
	if host == "" {
		host = "s3.amazonaws.com"
	} else if region == "" {
		region = "us-east-1" // what servers other than Amazon's take, and which saves asking them
	}
	secure := endpoint.Scheme != "http"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return Bucket{}, fmt.Errorf("prepare the connection to the bucket: %w", err)
	}
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	client, err := minio.New(host, &minio.Options{
		Creds: credentials.New(&keyProvider{key: o.Key}), Secure: secure, Region: region, Transport: transport,
		MaxRetries: 2,
	})
	if err != nil {
		return Bucket{}, problem.New(api.CodeConfig, err, "pictures.url names no bucket that can be used")
	}
	return Bucket{client: client, name: u.Host}.Within(strings.Trim(u.Path, "/")), nil
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

// partSize is from which size, in bytes, an object goes in parts.
const partSize = 16 << 20

// Put implements [pictures.Bucket]. Large objects go in parts. Once an object is there, those of its uploads that a
// process was killed in are removed; where that fails, a sweep finds them. That ends an upload of another process too,
// which takes the same content for its own.
func (b Bucket) Put(ctx context.Context, name string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	err := b.put(ctx, name, content, hash)
	if err != nil {
		if stored, failure := b.hash(ctx, name); failure == nil && stored == hash {
			return nil
		}
		return err
	}
	if len(content) >= partSize {
		_ = b.RemoveUnfinished(ctx, name)
	}
	return nil
}

func (b Bucket) put(ctx context.Context, name string, content []byte, hash string) error {
	if stored, err := b.hash(ctx, name); err == nil {
		return sameContent(stored, hash)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	o := minio.PutObjectOptions{ContentType: mime.TypeByExtension(path.Ext(name)), SendContentMd5: true,
		PartSize: partSize, UserMetadata: map[string]string{hashName: hash}}
	write := func(o minio.PutObjectOptions) error {
		_, err := b.client.PutObject(ctx, b.name, b.prefix+name, bytes.NewReader(content), int64(len(content)), o)
		return err
	}
	onlyNew := o
	onlyNew.SetMatchETagExcept("*")
	err := write(onlyNew)
	if minio.ToErrorResponse(err).StatusCode != http.StatusPreconditionFailed {
		return b.explain(ctx, err)
	}
	stored, err := b.hash(ctx, name)
	switch {
	case err == nil: // another process was faster
		return sameContent(stored, hash)
	case errors.Is(err, fs.ErrNotExist): // a server that was killed left a part of it, which nobody can read
		return b.explain(ctx, write(o))
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
	info, err := b.client.StatObject(ctx, b.name, b.prefix+name, minio.StatObjectOptions{})
	if err != nil {
		return "", b.explain(ctx, err)
	}
	return info.UserMetadata[hashName], nil
}

// Get implements [pictures.Bucket].
func (b Bucket) Get(ctx context.Context, name string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	object, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	defer object.Close()
	content, err := fileio.ReadAll(object, limit)
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	if sum := sha256.Sum256(content); info.UserMetadata[hashName] != hex.EncodeToString(sum[:]) {
		return nil, problem.New(api.CodeBadImage, nil, "%s is not as it was uploaded: its sha256 is another one",
			b.Address(name))
	}
	return content, nil
}

// Remove implements [pictures.Bucket].
func (b Bucket) Remove(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := b.explain(ctx, b.client.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveUnfinished implements [pictures.Bucket].
func (b Bucket) RemoveUnfinished(ctx context.Context, name string) error {
	return b.explain(ctx, b.client.RemoveIncompleteUpload(ctx, b.name, b.prefix+name))
}

// List implements [pictures.Bucket].
func (b Bucket) List(ctx context.Context, folder string) iter.Seq2[pictures.Object, error] {
	return func(yield func(pictures.Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx) // ends what still runs behind the list of uploads
		defer cancel()
		prefix := b.prefix + folder
		objects := b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix})
		for o := range objects {
			if strings.HasSuffix(o.Key, "/") {
				continue // a folder
			}
			name := strings.TrimPrefix(o.Key, b.prefix)
			object := pictures.Object{Name: name, Bytes: o.Size, Modified: o.LastModified}
			if !yield(object, b.explain(ctx, o.Err)) || o.Err != nil {
				return
			}
		}
		for o := range b.client.ListIncompleteUploads(ctx, b.name, prefix, false) {
			name := strings.TrimPrefix(o.Key, b.prefix)
			object := pictures.Object{Name: name, Modified: o.Initiated, IsUnfinished: true}
			if !yield(object, b.explain(ctx, o.Err)) || o.Err != nil {
				return
			}
		}
	}
}

// Link implements [pictures.Bucket].
func (b Bucket) Link(ctx context.Context, name string, expiry time.Duration) (string, error) {
	u, err := b.client.PresignedGetObject(ctx, b.name, b.prefix+name, expiry, nil)
	if err != nil {
		return "", b.explain(ctx, err)
	}
	return u.String(), nil
}

// explain returns an error of the library for people. What is missing is [fs.ErrNotExist].
func (b Bucket) explain(ctx context.Context, err error) error {
	if err == nil || api.CodeOf(err) != "" || errors.Is(err, fileio.ErrTooLarge) {
		return err
	}
	response := minio.ToErrorResponse(err)
	var wrongCertificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &wrongCertificate):
		return problem.New(api.CodeStore, err, "the certificate of the bucket %s is not trusted; the file that "+
			"SSL_CERT_FILE names has to hold its authority", b.name)
	case response.Code == minio.NoSuchKey || response.Code == minio.NoSuchUpload:
		return fmt.Errorf("%s: %w", b.Address(""), fs.ErrNotExist)
	case response.Code == minio.NoSuchBucket:
		return problem.New(api.CodeStore, err, "there is no bucket %s; make it, or see to pictures.url", b.name)
	case response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusUnauthorized:
		return problem.New(api.CodeStore, err, "the key of the pictures does not open the bucket %s", b.name)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return problem.New(api.CodeStore, err, "the bucket %s did not answer in time", b.name)
	case ctx.Err() != nil:
		return problem.New(api.CodeCancelled, context.Cause(ctx), "cancelled before the bucket %s had answered", b.name)
	case response.StatusCode != 0 && response.StatusCode != http.StatusOK:
		return problem.New(api.CodeStore, err, "the bucket %s refused it with status %d", b.name, response.StatusCode)
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
