import { describe, expect, it } from "vitest";
import { adminPrincipal } from "../testing/principals.ts";
import { refuseBinding } from "./refuse-binding.ts";

const CALL = { agent_id: "a-1", namespace: "payments" };

describe("refuseBinding", () => {
  it.each([
    ["not bound", {}, CALL, null],
    ["bound to the agent", { agents: new Set(["a-1"]) }, CALL, null],
    ["bound to the namespace", { namespaces: new Set(["payments"]) }, CALL, null],
    ["bound to another agent", { agents: new Set(["a-2"]) }, CALL, "agent a-2; the request names agent a-1"],
    [
      "bound to both, one of which fits",
      { agents: new Set(["a-1"]), namespaces: new Set(["hr"]) },
      CALL,
      "hr",
    ],
    [
      "bound to an agent that is not named",
      { agents: new Set(["a-1"]) },
      { ...CALL, agent_id: null },
      "no agent",
    ],
    [
      "bound to another namespace than that of the registration",
      { namespaces: new Set(["hr"]) },
      { ...CALL, implied: "registration" as const },
      "agent a-1 is registered in namespace payments. Use a key that is bound to it",
    ],
    [
      "bound to namespaces of which the default is none, for a heartbeat of an agent that nobody registered",
      { namespaces: new Set(["hr", "payments"]) },
      { ...CALL, namespace: "default", implied: "default_of_session" as const },
      "agent a-1 is not registered, so namespace default applies. Register the agent in",
    ],
    ["bound to nothing at all", { agents: new Set<string>() }, CALL, "agent a-1"],
    ["bound to many", { agents: new Set(["b", "c", "d", "e", "f", "g"]) }, CALL, "b, c, d, e, f and 1 more"],
  ])("a key that is %s", (_name, bound, subject, found) => {
    const problem = refuseBinding(adminPrincipal(bound), subject);
    if (found === null) expect(problem).toBeNull();
    else expect([problem?.code, problem?.detail]).toEqual(["forbidden", expect.stringContaining(found)]);
  });
});
