package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"confab/history"
)

// storedExchange is an [history.Exchange] whose texts survive JSON: as bytes, because a
// JSON string cannot hold what is not valid UTF-8.
type storedExchange struct {
	history.Exchange
	RequestBody []byte              `json:"request_body,omitempty"`
	Header      map[string][][]byte `json:"header,omitempty"`
	Head        []byte              `json:"head,omitempty"`
}

func storedExchangeOf(e history.Exchange) storedExchange {
	for _, d := range []*time.Duration{&e.QueueWait, &e.Connect, &e.FirstByte, &e.Total} {
		*d = max(0, *d)
	}
	stored := storedExchange{Exchange: e, RequestBody: []byte(e.RequestBody), Head: []byte(e.Head)}
	if e.Header != nil {
		stored.Header = make(map[string][][]byte, len(e.Header))
	}
	for name, values := range e.Header {
		for _, v := range values {
			stored.Header[name] = append(stored.Header[name], []byte(v))
		}
	}
	return stored
}

func (stored storedExchange) exchange() history.Exchange {
	e := stored.Exchange
	e.RequestBody, e.Head, e.Header = string(stored.RequestBody), string(stored.Head), nil
	if stored.Header != nil {
		e.Header = make(map[string][]string, len(stored.Header))
	}
	for name, values := range stored.Header {
		for _, v := range values {
			e.Header[name] = append(e.Header[name], string(v))
		}
	}
	return e
}

// SaveExchange stores the exact request and response of an answer, in place of
// an earlier one.
func (s *Store) SaveExchange(ctx context.Context, id int64, e history.Exchange) error {
	body, err := json.Marshal(storedExchangeOf(e))
	if err != nil {
		return storeError(ctx, "write the exchange", err)
	}
	return s.write(ctx, "save the exchange", func(tx *sql.Tx) error {
		if _, err := readAnswer(ctx, tx, id); err != nil {
			return err
		}
		return execute(ctx, tx, `insert into exchanges (answer, body) values (?, ?)
			on conflict (answer) do update set body = excluded.body`, id, string(body))
	})
}

// Exchange returns the exact request and response of an answer, [history.ErrNotFound]
// when none was saved.
func (s *Store) Exchange(ctx context.Context, id int64) (history.Exchange, error) {
	body, err := inRead(ctx, s, "read the exchange", func(tx *sql.Tx) (string, error) {
		if _, err := readVisibleAnswer(ctx, tx, id); err != nil {
			return "", err
		}
		return selectValue[string](ctx, tx, `select body from exchanges where answer = ?`, id)
	})
	if err != nil {
		return history.Exchange{}, err
	}
	var e storedExchange
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return history.Exchange{}, &history.StoreError{Step: "read the exchange", Kind: history.ErrCorrupt, Cause: err}
	}
	return e.exchange(), nil
}
