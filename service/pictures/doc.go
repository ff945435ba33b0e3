// Package pictures stores picture files and publishes them.
//
// A [Files] is one folder of pictures. It writes files atomically, never overwrites one, gives them descriptive names
// and writes their provenance beside them. An [UploadCommand] or a [BucketPublisher] publishes a local picture for a
// service that fetches the source of an edit itself.
//
// The package imports no screen and sends nothing to models.
package pictures
