import { describe, expect, it } from "vitest";
import { withoutSkillShells } from "./find-hooks.ts";
import { parseSettings } from "./settings-file.ts";

describe("the shell commands of skills", () => {
  // proves CODE-04
  it.each([
    ["", { disableSkillShellExecution: true }],
    ['{"model": "opus"}', { model: "opus", disableSkillShellExecution: true }],
    [
      '{"disableSkillShellExecution": false, "model": "opus"}',
      { disableSkillShellExecution: true, model: "opus" },
    ],
  ])("are turned off, and no other setting changes: %s", (text, settings) => {
    expect(parseSettings(withoutSkillShells(text))).toEqual(settings);
  });

  it("stay as they are where they are turned off", () => {
    const text = '{ "disableSkillShellExecution":true }';
    expect(withoutSkillShells(text)).toBe(text);
  });
});
