package history

import "time"

// Exchange is the exact request and response of an answer with the key masked. Bodies are bytes, because stores write
// the exchange as JSON, whose strings hold only valid UTF-8.
type Exchange struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// RequestBody is empty where earlier turns were sent: it would repeat their text.
	RequestBody []byte              `json:"request_body,omitempty"`
	Status      int                 `json:"status,omitempty"`
	Proto       string              `json:"proto,omitempty"`
	Header      map[string][][]byte `json:"header,omitempty"`
	Head        []byte              `json:"head,omitempty"` // first 2 KiB of the response body
	Received    int64               `json:"received,omitempty"`
	Attempts    int                 `json:"attempts,omitempty"`
	QueueWait   time.Duration       `json:"queue_wait_ns,omitempty"`
	Connect     time.Duration       `json:"connect_ns,omitempty"`
	FirstByte   time.Duration       `json:"first_byte_ns,omitempty"`
	Total       time.Duration       `json:"total_ns,omitempty"`
}
