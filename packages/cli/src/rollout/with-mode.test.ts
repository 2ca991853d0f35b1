import { readPolicy } from "@svc/engine/read-policy";
import { describe, expect, it } from "vitest";
import { withMode } from "./with-mode.ts";

const yaml = (source: string) => ({ name: "p.yaml", source, mediaType: "application/yaml" as const });

describe("withMode", () => {
  // proves CLI-46
  it.each([
    ["in place of a mode", "id: p\ngovernance_mode: enforcement # now\ntools: { allowed: [a] }\n"],
    ["in place of a quoted mode", 'id: p\n"governance_mode": "enforcement"\ntools: { allowed: [a] }\n'],
    ["without a mode", "# about p\nid: p\ntools: { allowed: [a] }\n"],
    ["after the start of a document", "---\n# about p\nid: p\ntools: { allowed: [a] }\n"],
    ["in brackets", "{id: p, tools: {allowed: [a]}}\n"],
    ["with lines of Windows", "id: p\r\ngovernance_mode: enforcement\r\ntools: { allowed: [a] }\r\n"],
    ["indented", "  id: p\n  tools: { allowed: [a] }\n"],
  ])("writes the mode %s, and leaves the rest of the text as it is", (_name, source) => {
    const changed = withMode(yaml(source), "shadow").source;
    const reading = readPolicy(changed);
    expect(reading.ok && reading.document.mode).toBe("shadow");
    const lines = source.split("\n").filter((line) => !line.includes("governance_mode") && line.length > 0);
    if (!source.startsWith("{")) expect(changed.split("\n")).toEqual(expect.arrayContaining(lines));
    expect(withMode(yaml(changed), "enforcement").source).toContain("governance_mode");
  });

  it("writes JSON where the policy is JSON", () => {
    const file = { name: "p.json", source: '{"id":"p"}', mediaType: "application/json" as const };
    expect(JSON.parse(withMode(file, "audit_only").source)).toEqual({
      id: "p",
      governance_mode: "audit_only",
    });
  });

  it.each(["- a\n- b\n", "a: [", "just a text"])("refuses what is not one policy: %j", (source) => {
    expect(() => withMode(yaml(source), "shadow")).toThrow("expected one policy");
  });
});
