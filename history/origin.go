package history

// Offline is the name of the engine that makes its answers up. No other engine
// of the embedded service may have it.
const Offline = "offline"

// Simulated tells that the answer was made up, as far as the service tells.
func (a Answer) Simulated() bool { return a.Engine == Offline }

// AnsweredBy says in few words who answered, such as "simulated", "by ollama as
// qwen3:8b" or "served as beta-2"; it is empty where that is the model that was
// asked for, or where nobody told. The names in it are as they came.
func (a Answer) AnsweredBy() string {
	by := ""
	switch {
	case a.Simulated():
		return "simulated"
	case a.Engine != "":
		by = "by " + a.Engine
		if a.EngineModel != "" && a.EngineModel != a.Model {
			by += " as " + a.EngineModel
		}
	}
	if a.ServedModel != "" && a.ServedModel != a.Model {
		if by != "" {
			by = ", " + by
		}
		by = "served as " + a.ServedModel + by
	}
	return by
}
