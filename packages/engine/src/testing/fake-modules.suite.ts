import type { JsonObject } from "@svc/text/json-value";
import type { ModuleResult } from "../evaluation.ts";
import type { ModuleRuntime } from "../evaluator-factory.ts";

/**
 * Runs modules without Rego. Each line of a module is `deny`, `ask` or `fail`, then a tool and a message; the
 * module `broken` is not valid, and the module `lost` cannot be prepared now. It keeps the inputs.
 */
export function fakeModules() {
  const inputs: JsonObject[] = [];
  const runtime: ModuleRuntime = {
    prepare: async ({ text }) => {
      if (text === "broken") throw Object.assign(new Error("the module is not Rego"), { problems: [] });
      if (text === "lost") throw new Error("no thread");
      return {
        evaluate: async (input) => {
          const asked = JSON.parse(input) as JsonObject;
          inputs.push(asked);
          return resultOf(text, asked["tool"]);
        },
        close: () => undefined,
      };
    },
    explain: ({ text }, input) =>
      Promise.resolve({
        result: text.startsWith("late")
          ? { kind: "failed", code: "rego_timeout", message: "" }
          : resultOf(text, (JSON.parse(input) as JsonObject)["tool"]),
        trace: `asked ${text.split("\n")[0] ?? ""}`,
        coverage: { covered: [{ first: 1, last: 1 }], notCovered: [{ first: 2, last: 4 }], percent: 25 },
      }),
  };
  return { runtime, inputs };
}

function resultOf(text: string, tool: JsonObject[string] | undefined): ModuleResult {
  const about = text.split("\n").flatMap((line) => {
    const [, word = "", glob = "", message = ""] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    return glob === "*" || glob === tool ? [{ word, message }] : [];
  });
  const failure = about.find(({ word }) => word === "fail");
  if (failure !== undefined) return { kind: "failed", code: "rego_timeout", message: failure.message };
  const messagesOf = (wanted: string) =>
    about.filter(({ word }) => word === wanted).map(({ message }) => message);
  return { kind: "messages", deny: messagesOf("deny"), requireApproval: messagesOf("ask") };
}
