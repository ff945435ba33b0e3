package config

// FilePath returns where the configuration file is, or would be, without
// reading it: it may be missing, or be what has to be repaired. Errors are
// [*api.Error] of code config.
func FilePath(o Sources) (string, error) {
	p, err := newPlaces(o, newEnvironment(o.Env))
	return p.configFile, err
}
