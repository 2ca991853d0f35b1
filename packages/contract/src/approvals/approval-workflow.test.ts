import { describe, expect, it } from "vitest";
import { parseWorkflowCreation, parseWorkflowUpdate } from "./approval-workflow.ts";

describe("the body of a workflow", () => {
  it("gets a default for everything but the id", () => {
    expect(parseWorkflowCreation({ id: "finance" })).toEqual({
      ok: true,
      value: {
        id: "finance",
        name: null,
        required: 1,
        approvers: { roles: null, keys: null, groups: null },
        expires_in_seconds: 86_400,
        channels: [],
        on_expiry: "deny",
      },
    });
  });

  it.each([
    [{ required: 0 }, "/required"],
    [{ required: 11 }, "/required"],
    [{ required: 2, approvers: { keys: ["k-1", "k-1"] } }, "/required"],
    [{ approvers: { roles: ["agent"] } }, "/approvers/roles/0"],
    [{ approvers: { roles: [] } }, "/approvers/roles"],
    [{ expires_in_seconds: 59 }, "/expires_in_seconds"],
    [{ on_expiry: "allow" }, "/on_expiry"],
    [{ channels: [{ mail: "x" }] }, "/channels/0/mail"],
    [{ id: "x" }, "/id"],
  ])("that is wrong is refused with its place: %j", (body, pointer) => {
    const parsed = parseWorkflowUpdate(body);
    expect(parsed.ok ? [] : parsed.errors.map((error) => error.pointer)).toContain(pointer);
  });
});
