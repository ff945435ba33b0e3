package history

import (
	"encoding/json"
	"time"
)

// Exchange is the exact request and response of an answer, with the key masked, for people who want to look at it.
type Exchange struct {
	Method      string              `json:"method"`
	URL         string              `json:"url"`
	RequestBody string              `json:"request_body"`
	Status      int                 `json:"status,omitempty"`
	Proto       string              `json:"proto,omitempty"`
	Header      map[string][]string `json:"header,omitempty"`
	Head        string              `json:"head,omitempty"` // first 2 KiB of the response body
	Received    int64               `json:"received,omitempty"`
	Attempts    int                 `json:"attempts,omitempty"`
	QueueWait   time.Duration       `json:"queue_wait_ns,omitempty"`
	Connect     time.Duration       `json:"connect_ns,omitempty"`
	FirstByte   time.Duration       `json:"first_byte_ns,omitempty"`
	Total       time.Duration       `json:"total_ns,omitempty"`
}

// storedExchange is an exchange whose texts survive JSON: as bytes, because a
// JSON string cannot hold what is not valid UTF-8.
type storedExchange struct {
	exchangeFields
	RequestBody []byte              `json:"request_body,omitempty"`
	Header      map[string][][]byte `json:"header,omitempty"`
	Head        []byte              `json:"head,omitempty"`
}

// exchangeFields is an [Exchange] without its methods.
type exchangeFields Exchange

// MarshalJSON writes the exchange as stores keep it.
func (e Exchange) MarshalJSON() ([]byte, error) {
	for _, d := range []*time.Duration{&e.QueueWait, &e.Connect, &e.FirstByte, &e.Total} {
		*d = max(0, *d)
	}
	stored := storedExchange{exchangeFields: exchangeFields(e), RequestBody: []byte(e.RequestBody),
		Head: []byte(e.Head)}
	if e.Header != nil {
		stored.Header = make(map[string][][]byte, len(e.Header))
	}
	for name, values := range e.Header {
		for _, v := range values {
			stored.Header[name] = append(stored.Header[name], []byte(v))
		}
	}
	return json.Marshal(stored)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Exchange) UnmarshalJSON(b []byte) error {
	var stored storedExchange
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*e = Exchange(stored.exchangeFields)
	e.RequestBody, e.Head, e.Header = string(stored.RequestBody), string(stored.Head), nil
	if stored.Header != nil {
		e.Header = make(map[string][]string, len(stored.Header))
	}
	for name, values := range stored.Header {
		for _, v := range values {
			e.Header[name] = append(e.Header[name], string(v))
		}
	}
	return nil
}
