// Package server serves the service contract over HTTP: it judges requests, asks an engine, keeps pictures by nonce
// and fetches the sources of edits without being turned against its own network.
//
// What the contract leaves open, it decides so:
//   - A missing, empty or wrongly typed required field is 400 bad_request; an apikey that is not accepted is 401
//     unauthorized; an optional field may be null or empty. Unknown fields are ignored, names are exact.
//   - A slug that no model has, or one of the other kind, is 404 unknown_model.
//   - A systemprompt for a model that takes none is ignored.
//   - An aspect ratio is two numbers from 1:4 to 4:1; without one it is the model's own or 1:1.
//   - A source that cannot be fetched, for whatever reason, is 422 image_unreachable; one that is no PNG or JPEG is 422
//     bad_image; one that is too large is 422 too_large.
//   - Too many requests at once are 429 rate_limited with Retry-After.
//   - A picture that is reused carries "X-Cache: HIT".
//
// It imports service/api and service/engine, and nothing of turns or screens.
package server
