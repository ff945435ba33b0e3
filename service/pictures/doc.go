// Package pictures keeps picture files and makes them reachable.
//
// A [Files] is one folder of pictures: files are written whole or not at all, never over another file, have names by
// which people find them again, and have a file of provenance beside them. An [UploadCommand] or a
// [BucketPublisher] makes a local picture reachable for a service that fetches the source of an edit itself.
//
// The package imports no screen and sends nothing to models.
package pictures
