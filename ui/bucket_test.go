package ui_test

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"confab/service"
	"confab/service/pictures"
	"confab/ui"
)

// downBucket is a bucket that takes pictures only once it is up.
type downBucket struct {
	pictures.Bucket
	isUp atomic.Bool
}

// Put implements pictures.Bucket.
func (b *downBucket) Put(context.Context, string, []byte) error {
	if b.isUp.Load() {
		return nil
	}
	return errors.New("the bucket is down")
}

// List implements pictures.Bucket.
func (b *downBucket) List(context.Context, string) iter.Seq2[pictures.Object, error] {
	return func(func(pictures.Object, error) bool) {}
}

// Address implements pictures.Bucket.
func (b *downBucket) Address(name string) string { return "s3://bucket/" + name }

// TestTheHeaderCountsPicturesNotUploaded makes a picture while the bucket is down.
func TestTheHeaderCountsPicturesNotUploaded(t *testing.T) {
	run(t, func(t *testing.T) {
		bucket := &downBucket{}
		s := open(t, 120, 40, withPictureService(), func(_ *ui.Options, so *service.Options) {
			so.Pictures.Bucket = bucket
		})
		s.draw("a fox under a lamp")
		s.shows("1 picture not uploaded")
		bucket.isUp.Store(true)
		s.pass(5 * time.Minute)
		s.press("ctrl+n")
		s.settle()
		s.lacks("not uploaded")
	})
}
