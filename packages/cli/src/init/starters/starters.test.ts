import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeStart } from "../describe-start.ts";
import { proveStart } from "../prove-start.ts";
import { renderCases } from "../render-cases.ts";
import { renderPolicy } from "../render-policy.ts";
import type { StartingTool } from "../starting-tool.ts";
import { asStarterSays, matchingStarter, toolsOfStarter } from "./starter.ts";
import { STARTERS } from "./starter-table.ts";

const FOLDER = join(import.meta.dirname, "../../../../../policies/mcp");

// `npm test -- packages/cli/src/init/starters -u` writes the files.
// proves MCP-39
describe.each(STARTERS)("the starter policy $name", (starter) => {
  const tools = toolsOfStarter(starter);
  const agent = `${starter.name}-agent`;
  const policy = renderPolicy(`${starter.name}.yaml`, {
    agent,
    mode: "enforcement",
    tools,
    fromServer: true,
    starter,
  });
  const cases = renderCases(tools);

  it("is the one in policies/mcp, has no finding, and passes its cases", async () => {
    const file = { name: `${starter.name}.yaml`, source: policy, mediaType: "application/yaml" } as const;
    await proveStart(file, { name: `${starter.name}.test.json`, text: cases });
    await expect(policy).toMatchFileSnapshot(join(FOLDER, `${starter.name}.yaml`));
    await expect(cases).toMatchFileSnapshot(join(FOLDER, `${starter.name}.test.json`));
  });

  it("lets approvals cover calls of tools that ask, and of no others", () => {
    for (const name of Object.keys(starter.covers))
      expect(["changes", "destroys"]).toContain(starter.tools[name]);
  });

  it("is offered for the tools of its server, also when some are new or gone", () => {
    const listed = Object.keys(starter.tools).map((name): StartingTool => ({ name, effect: "unmarked" }));
    const command = `npx -y ${starter.package}@${starter.version} --verbose`;
    expect(matchingStarter(STARTERS, listed, command)).toBe(starter);
    // Any server may have one tool of that name.
    expect(matchingStarter(STARTERS, listed, "http://x/mcp")).toBe(listed.length > 1 ? starter : null);
    const other: StartingTool = { name: "brand.new", effect: "unmarked" };
    if (listed.length > 5) expect(matchingStarter(STARTERS, [...listed.slice(1), other], null)).toBe(starter);
    expect(asStarterSays([...listed, other], starter)).toEqual([...tools, other]);
  });
});

// proves MCP-39
it("the policy of an archived server says that nobody maintains it", () => {
  const archived = STARTERS.filter((starter) => starter.isArchived === true).map(({ name }) => name);
  expect(archived).toEqual(["github", "google-maps", "postgres", "puppeteer", "slack"]);
  for (const starter of STARTERS) {
    const start = {
      agent: "a",
      mode: "enforcement",
      tools: toolsOfStarter(starter),
      fromServer: true,
    } as const;
    const says = [
      renderPolicy("a.yaml", { ...start, starter }),
      describeStart({ ...start, files: [], starter, offered: null }),
      describeStart({ ...start, files: [], starter: null, offered: starter }),
    ].map((text) => text.includes("is archived: nobody maintains it"));
    const isArchived = archived.includes(starter.name);
    expect(says).toEqual([isArchived, isArchived, isArchived]);
  }
});

it("policies/mcp holds these policies alone, and no starter is offered for other tools", () => {
  const files = STARTERS.flatMap(({ name }) => [`${name}.test.json`, `${name}.yaml`]);
  expect(readdirSync(FOLDER).toSorted()).toEqual(files.toSorted());
  expect(matchingStarter(STARTERS, [{ name: "orders.read", effect: "reads" }], null)).toBeNull();
});
