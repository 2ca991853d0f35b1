// long: it compiles Open Policy Agent
import { expect, test } from "vitest";
import { FORBIDDEN_BUILTINS } from "./forbidden-builtins.ts";
import { loadProgram } from "./load-program.ts";
import { startReactor } from "./thread/reactor.ts";

// proves REGO-05
test("every built-in function of OPA is either allowed or refused with advice", async () => {
  const reactor = await startReactor(await loadProgram(null));
  const answer = JSON.parse(reactor.call('{"op":"builtins"}').text) as {
    readonly builtins: readonly { readonly name: string; readonly is_allowed?: boolean }[];
  };
  const refused = answer.builtins.filter(({ is_allowed: isAllowed }) => isAllowed !== true);
  expect(refused.map(({ name }) => name).toSorted()).toEqual([...FORBIDDEN_BUILTINS.keys()].toSorted());
  expect(answer.builtins.length).toBeGreaterThan(200);
});
