import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withHooks, withoutHooks } from "./find-hooks.ts";
import { hookGroups } from "./installed-command.ts";
import { parseSettings } from "./settings-file.ts";

const PROGRAM = { node: "/opt/node 24/bin/node", script: "/opt/svc/dist/main.js" };
const OPTIONS = { agent: "coder", namespace: undefined, url: "http://g.example", apiKeyFile: undefined };
const GROUPS = hookGroups(PROGRAM, OPTIONS);

const OTHERS = `{
\t"zebra": [1, 2],
\t"hooks": {
\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ],
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [ { "type": "command", "command": "check-bash" } ] }
\t\t]
\t},
\t"cost": 1e3, "note": "\\u00e4"
}
`;

describe("withHooks", () => {
  // proves CODE-04
  it("keeps every other setting, their order and their spelling", () => {
    const text = withHooks(OTHERS, GROUPS);
    expect(Object.keys(parseSettings(text))).toEqual(["zebra", "hooks", "cost", "note"]);
    for (const kept of ['"zebra": [1, 2]', '"cost": 1e3, "note": "\\u00e4"', '"say done"'])
      expect(text).toContain(kept);
    expect(withHooks(text, GROUPS)).toBe(text);
    expect(parseSettings(withoutHooks(text))).toEqual(parseSettings(OTHERS));
  });

  // proves CODE-04
  it("replaces a hook that another version installed, also one that stands beside others", () => {
    const old = { type: "command", command: "svc-cli hook claude-code --agent old", timeout: 5 };
    const other = { type: "command", command: "check" };
    const before = { hooks: { PreToolUse: [{ hooks: [old, other] }, { matcher: "Bash", hooks: [old] }] } };
    const after = parseSettings(withHooks(JSON.stringify(before), GROUPS));
    expect(after["hooks"]).toEqual({
      ...GROUPS_IN_LISTS,
      PreToolUse: [{ hooks: [other] }, GROUPS["PreToolUse"]],
    });
  });

  // proves CODE-04
  it.each([
    "/opt/other/guard hook claude-code --strict || exit 2",
    "echo svc-cli hook claude-code is off; /opt/guard.sh",
    "node /opt/guard.js hook claude-code",
  ])("takes %s for the guard of somebody else", (command) => {
    const before = { hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } };
    expect(parseSettings(withoutHooks(JSON.stringify(before)))).toEqual(before);
  });

  // proves CODE-04
  it("takes a hook out of the end of a list in one line", () => {
    const text = `{"hooks":{"PreToolUse":[{"hooks":[{"a":1}]},${JSON.stringify(GROUPS["PreToolUse"])}]}}`;
    expect(withoutHooks(text)).toBe('{"hooks":{"PreToolUse":[{"hooks":[{"a":1}]}]}}');
  });

  // proves CODE-04
  it("leaves a file of one line one line", () => {
    const text = withHooks('{"model": "opus", "hooks": {"Stop": []}}\n', GROUPS);
    expect(text).toMatch(/^\{"model": "opus", "hooks": .*\}\n$/);
    expect(parseSettings(text)).toEqual({ model: "opus", hooks: { Stop: [], ...GROUPS_IN_LISTS } });
  });

  it("makes the file where there is none", () => {
    expect(parseSettings(withHooks("", GROUPS))).toEqual({ hooks: GROUPS_IN_LISTS });
  });

  it.each([
    ["a comment", '{ // mine\n"a": 1}', "Comments are not JSON"],
    ["a comma too many", '{"a": 1,}', "line 1, column 9"],
    ["a key twice", '{"a": 1, "a": 2}', "line 1"],
    ["a list", "[]", "expected a JSON object"],
    ["hooks that are a list", '{"hooks": []}', "hooks: expected an object"],
    [
      "an event that is an object",
      '{"hooks": {"PreToolUse": {}}}',
      "hooks.PreToolUse: expected a list, found an object",
    ],
    [
      "hooks that are null",
      '{"hooks": null}',
      "hooks: expected an object with a list for each event, found null",
    ],
    [
      "a group that is a text",
      '{"hooks": {"Stop": [{"hooks": []}, "a"]}}',
      "hooks.Stop[1]: expected an object",
    ],
    [
      "a group without hooks",
      '{"hooks": {"Stop": [{}]}}',
      "hooks.Stop[0].hooks: expected a list, found none",
    ],
    [
      "a hook that is a number",
      '{"hooks": {"Stop": [{"hooks": [7]}]}}',
      "hooks.Stop[0].hooks[0]: expected an object",
    ],
  ])("refuses %s", (_, text, message) => {
    expect(() => withHooks(text, GROUPS)).toThrow(message);
  });

  it("changes nothing else in any settings", () => {
    const hook = fc.record({ type: fc.constant("command"), command: fc.string() });
    const group = fc.record(
      { matcher: fc.string(), hooks: fc.array(hook, { maxLength: 3 }) },
      { requiredKeys: ["hooks"] },
    );
    const event = fc.constantFrom("PreToolUse", "PostToolUse", "Stop");
    const hooks = fc.dictionary(event, fc.array(group, { minLength: 1, maxLength: 3 }), { minKeys: 1 });
    const settings = fc.record({ a: fc.integer(), hooks, z: fc.string() }, { requiredKeys: [] });
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, "\t"), (before, space) => {
        const text = JSON.stringify(before, null, space);
        const installed = withHooks(text, GROUPS);
        expect(withHooks(installed, GROUPS)).toBe(installed);
        expect(parseSettings(withoutHooks(installed))).toEqual(parseSettings(text));
      }),
    );
  });
});

const GROUPS_IN_LISTS = Object.fromEntries(Object.entries(GROUPS).map(([event, group]) => [event, [group]]));
