import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { prefers } from "./prefers.ts";

const accepting = (accept: string | undefined) => ({ headers: { accept } }) as unknown as IncomingMessage;

describe("Accept", () => {
  // proves POL-02
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["application/yaml", true],
    ["Application/YAML", true],
    ["text/x-yaml; charset=utf-8", true],
    ["application/json, application/yaml", false],
    ["application/yaml, application/json", true],
    ["application/json;q=0.5, application/yaml", true],
    ["application/yaml;q=0.5, application/json", false],
    ["application/yaml;q=0, */*", false],
    ["text/*", true],
    ["application/*", false],
    ["text/html, application/yaml;q=0.9, */*;q=0.1", true],
    ["image/png", false],
    [";;,,q=", false],
    [`${"a/b,".repeat(4_000)}application/yaml`, true],
  ])("%s asks for YAML: %s", (accept, wanted) => {
    expect(prefers(accepting(accept), "yaml")).toBe(wanted);
  });

  // proves POL-43
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ["*/*", false],
    ["text/plain", true],
    ["text/plain;charset=utf-8", true],
    ["application/json, text/plain;q=0.9", false],
    ["text/plain;q=0.9, application/json;q=0.1", true],
    ["text/*", true],
    ["text/plainer", false],
  ])("%s asks for plain text: %s", (accept, wanted) => {
    expect(prefers(accepting(accept), "text")).toBe(wanted);
  });
});
