package api

import (
	"net/http"
	"net/url"

	"confab/internal/httpclient"
)

// statusError judges a status other than 200, be it HTTP's or one inside the body; label says which.
func (k *call) statusError(status int, label string, header http.Header, body []byte) *Error {
	if status >= 300 && status < 400 && header.Get("Location") != "" {
		e := k.redirected(header.Get("Location"))
		e.Status = status
		return e
	}
	if status == http.StatusBadRequest && httpclient.WantsTLS(body) {
		e := k.speaksTLS(nil)
		e.Status = status
		return e
	}
	if text := cleanTo(maxReason, k.mask.String(message(body))); text != "" {
		label += ", “" + text + "”"
	}
	e := k.statusSentence(status, label, body)
	e.Status = status
	if e.Code == CodeRateLimited || e.Code == CodeService {
		e.RetryAfter = httpclient.RetryAfter(header, k.now())
	}
	return e
}

func (k *call) statusSentence(status int, label string, body []byte) *Error {
	if k.request.Model.Kind == Edit && status >= 400 {
		if e := k.sourceRefusal(label, body); e != nil {
			return e
		}
	}
	switch {
	case status == 401, status == 403, status == 407:
		return k.fail(CodeUnauthorized, nil, "The service refused the key (%s): set %s, or api_key_command in the "+
			"configuration, to a valid key.", label, keyVariable)
	case status == 404 && Code(errorCode(body)) == CodeUnknownModel: // the service is there
		return k.fail(CodeUnknownModel, nil, "The service has no model %s (%s): choose another one.",
			quote(k.request.Model.Slug), label)
	case status == 404, status == 410:
		return k.fail(CodeUnknownModel, nil, "There is no model %s at %s (%s): check the model and base_url.",
			quote(k.request.Model.Slug), quote(k.base.String()), label)
	case status == 413, status == 414, status == 431:
		return k.fail(CodeBadRequest, nil, "The prompt is too large for the service (%s): shorten it.", label)
	case status == 402:
		return k.fail(CodeBadRequest, nil, "The service asks for a payment (%s): look after the account that the key "+
			"belongs to.", label)
	case status == 400, status == 405, status == 406, status == 409, status == 411, status == 412, status == 415,
		status == 422, status == 451:
		return k.fail(CodeBadRequest, nil, "The service refused the request (%s): change the prompt or its settings.",
			label)
	case status == 408:
		return k.fail(CodeTimeout, nil, "The service waited too long for the request (%s): try again.", label)
	case status == 504:
		return k.fail(CodeTimeout, nil, "The service, or an engine behind it, took too long (%s): try again, or try "+
			"another model.", label)
	case status == 429:
		return k.fail(CodeRateLimited, nil, "The service takes no more requests for now (%s): try again later.", label)
	case status >= 500 && status < 600:
		return k.fail(CodeService, nil, "The service failed (%s): try again later, or try another model.", label)
	}
	return k.fail(CodeBadResponse, nil,
		"The service answered with something that it does not promise (%s): check that base_url is the address of "+
			"the service.", label)
}

// sourceRefusal judges by the code in the body what the service has against the source picture of an edit. It is nil
// when the body names nothing of the kind.
func (k *call) sourceRefusal(label string, body []byte) *Error {
	switch code := Code(errorCode(body)); code {
	case CodeImageUnreachable:
		return k.fail(code, nil, "The service could not fetch the source picture (%s): choose another address, "+
			"or a file.", label)
	case CodeTooLarge:
		return k.fail(code, nil, "The source picture or the prompt is too large for the service (%s): scale the "+
			"picture down, or shorten the prompt.", label)
	case CodeBadImage:
		return k.fail(code, nil, "The service cannot use the source picture (%s): choose a whole PNG or JPEG.", label)
	}
	return nil
}

// redirected names where a redirect leads. It is not followed: the request would carry the key there. Only for the same
// host is changing base_url suggested: another host must not get the key on the word of whoever answered.
func (k *call) redirected(location string) *Error {
	to, todo := "another address", "check that base_url is the address of the service, as its operator gave it to you."
	if u, err := k.base.Parse(location); err == nil && u.Host != "" {
		to = quote(u.Scheme + "://" + u.Host)
		switch {
		case u.Scheme == "https" && k.base.Scheme == "http" && u.Hostname() == k.base.Hostname():
			todo = "write https in base_url."
		case u.Scheme == k.base.Scheme && u.Host == k.base.Host:
			to = "another path of the same host, " + quote((&url.URL{Path: u.Path}).EscapedPath())
			todo = "check the path in base_url."
		}
	}
	return k.fail(CodeBadResponse, nil, "The service redirects to %s, which is not followed because the key would go "+
		"there: %s", to, todo)
}

func (k *call) webPage(code Code, body []byte) *Error {
	title := ""
	if t := clean(k.mask.String(httpclient.PageTitle(body))); t != "" {
		title = ", titled “" + t + "”"
	}
	return k.fail(code, nil, "The service answered with a web page, perhaps a login page%s: check base_url and the "+
		"network.", title)
}
