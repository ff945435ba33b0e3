// start evaluates a script, and finish returns what came of it as JSON.
const { start, finish } = (() => {
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const { isFinite } = Number;
  const { InternalError } = globalThis;
  let value, failure, unsupported, stopped;

  // miss lets a script that needs what is not here be told from one that is wrong.
  const miss = (object, prefix, names) => {
    for (const name of names) {
      defineProperty(object, name, {
        get() {
          unsupported = prefix + name;
          throw new Error(unsupported + " is not supported");
        },
      });
    }
  };
  miss(globalThis, "", ["process", "require", "module", "fetch", "setTimeout", "setInterval", "Buffer", "URL",
    "URLSearchParams", "TextEncoder", "TextDecoder", "structuredClone", "crypto", "performance", "Intl"]);
  globalThis.console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };

  return {
    start(input) {
      const { body, output, context } = { context: {}, ...parse(input) };
      miss(context, "context.", ["provider", "providerResponse", "logProbs", "metadata", "trace", "config"]);
      (async () => new Function("output", "context", body)(output, context))().then(
        (v) => { value = v; },
        (e) => {
          stopped = e === null || e instanceof InternalError; // time or memory
          failure = String(e?.message ?? e) || "it threw an error";
        });
    },
    finish() {
      if (unsupported !== undefined) return stringify({ unsupported });
      if (stopped) return stringify({ stopped });
      if (failure !== undefined) return stringify({ failure });
      const score = isFinite(value) ? value : 0;
      switch (typeof value) {
        case "boolean": return stringify({ passed: value });
        case "number": return stringify({ score });
      }
      const { pass, score: given, reason } = value ?? {};
      if (typeof pass === "boolean" && typeof given === "number" && typeof reason === "string")
        return stringify({ passed: pass, score: isFinite(given) ? given : 0, reason });
      return stringify({ failure: `it returned ${value === null ? "null" : "a value of the type " + typeof value}` });
    },
  };
})();
