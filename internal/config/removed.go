package config

// replacement returns what a setting that earlier releases had was taken out for, as the end of a sentence; "" for a
// name that never was one.
func replacement(setting string) string {
	switch setting {
	case "service.public_url", "service.public_listen":
		return "was taken out; use service.upload_command, or keep pictures in a bucket (pictures.url), whose signed " +
			"links a remote service can fetch"
	}
	return ""
}
