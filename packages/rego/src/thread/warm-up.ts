import { parseJson } from "@svc/text/parse-json";
import type { Reactor } from "./reactor.ts";

/** Uses what most modules use, and denies nothing. */
const TEXT = `package warm

deny contains message if {
	some name, value in input.args
	startswith(name, data.prefix)
	not value in {1, 2, 3}
	message := sprintf("%s: %v", [name, concat(",", split(value, "."))])
}

require_approval contains lower(input.tool) if {
	count([x | some x in input.args.list; x > data.limit]) > 0
	regex.match("^[a-z]+$", input.tool)
}
`;

const DATA = { prefix: "deny_", limit: 10 };

const INPUT = JSON.stringify({
  tool: "warm",
  args: { deny_this: "a.b", other: 1, list: [1, 2, 30] },
  time: "2026-01-01T00:00:00Z",
});

/** Evaluations until the compiled code of OPA has been made and used, as count. */
const EVALUATIONS = 20;

/**
 * Evaluates a module of our own until OPA is warm. The first evaluation of an instance takes many times as
 * long as the others, and no policy should be charged with that.
 */
export function warmUp(reactor: Reactor): void {
  const answer = reactor.call(JSON.stringify({ op: "prepare", text: TEXT, data: DATA }));
  const { handle } = parseJson(answer.text) as { readonly handle?: number };
  if (handle === undefined) throw new Error(`the first module does not compile: ${answer.text}`);
  for (let count = 0; count < EVALUATIONS; count++) {
    const { kind, text } = reactor.evaluate(handle, INPUT);
    if (kind === "error" || !text.includes("deny_this: a,b"))
      throw new Error(`the first module gave ${text}`);
  }
  reactor.call(JSON.stringify({ op: "drop", handle }));
}
