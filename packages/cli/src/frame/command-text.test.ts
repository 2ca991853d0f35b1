import { expect, it } from "vitest";
import { commandText } from "./command-text.ts";

it.each([
  ["agent-1", "svc-cli kill agent agent-1 --reason x"],
  ["Senior Researcher", "svc-cli kill agent 'Senior Researcher' --reason x"],
  ["-rf", "svc-cli kill agent --reason x -- -rf"],
  ["--yes", "svc-cli kill agent --reason x -- --yes"],
  ["- $(id)", "svc-cli kill agent --reason x -- '- $(id)'"],
])("a command about %s", (name, text) => {
  expect(commandText("svc-cli kill agent", name, " --reason x")).toBe(text);
});
