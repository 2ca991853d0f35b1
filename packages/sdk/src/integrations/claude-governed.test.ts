import { describe, expect, it } from "vitest";
import { SvcClient } from "../svc-client.ts";
import { governed } from "./claude-governed.ts";

const OPTIONS = { agentId: "agent-1", client: new SvcClient({ baseUrl: "http://127.0.0.1:1" }) };

describe("the settings of a governed query", () => {
  it.each([
    ["none", undefined, { disableSkillShellExecution: true }],
    ["those of the user", { model: "opus" }, { model: "opus", disableSkillShellExecution: true }],
    ["the opposite", { disableSkillShellExecution: false }, { disableSkillShellExecution: true }],
  ])("keep the shell commands of skills from running: %s", (_, settings, expected) => {
    const given: Parameters<typeof governed>[0] = settings === undefined ? {} : { settings };
    expect(governed(given, OPTIONS).settings).toEqual(expected);
  });

  it("are not read from a file, because they could not be completed", () => {
    expect(() => governed({ settings: "settings.json" }, OPTIONS)).toThrow(
      /^settings: expected an object, because it gets disableSkillShellExecution/,
    );
  });
});
