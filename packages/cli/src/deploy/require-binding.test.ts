import { describe, expect, it } from "vitest";
import type { ControlClient } from "../connection/control-client.ts";
import { requireBinding } from "./plan-policy.ts";

/** A client over the policies that the agent is assigned to. */
function assignedTo(...ids: readonly string[]): Pick<ControlClient, "ask"> {
  const ask = async () => ({ body: { policies: ids.map((id) => ({ id })), next_cursor: null } });
  return { ask: ask as unknown as ControlClient["ask"] };
}

const unasked = { ask: () => expect.unreachable() } as unknown as Pick<ControlClient, "ask">;

describe("requireBinding", () => {
  // proves CLI-42
  it("takes a new policy of a free agent, a version of its agent, and a policy of none", async () => {
    await requireBinding(assignedTo(), { id: "p", agentId: "a", isNew: true });
    await requireBinding(assignedTo("p"), { id: "p", agentId: "a", isNew: false });
    await requireBinding(unasked, { id: "p", agentId: null, isNew: true });
  });

  // proves CLI-42
  it.each([
    ["a new policy of another one's agent", ["other"], true, "is assigned to policy other"],
    ["a version that names another one's agent", ["other"], false, "is assigned to policy other"],
    ["a version that names a free agent", [], false, "is assigned to no policy"],
  ])("refuses %s", async (_name, policies, isNew, text) => {
    const asking = requireBinding(assignedTo(...policies), { id: "p", agentId: "a", isNew });
    await expect(asking).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(text) as string,
    });
  });
});
