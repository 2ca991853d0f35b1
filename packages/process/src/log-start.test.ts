import { describe, expect, it } from "vitest";
import type { EnvironmentTable } from "./environment-table.ts";
import { logStart } from "./log-start.ts";
import { parseText } from "./parsers.ts";
import { withoutUnknown } from "./unknown-variables.ts";
import { VERSION } from "./version.ts";

const variable = { parse: parseText, fallback: "", meaning: "m" };
const table = {
  SVC_LISTEN: { ...variable, defaultText: "127.0.0.1:1" },
  SVC_ROLE: { ...variable, defaultText: "all" },
  SVC_NAMESPACE: { ...variable, defaultText: "none" },
  SVC_API_KEY: { ...variable, defaultText: "none", secret: true },
  SVC_BOOTSTRAP_API_KEY: { ...variable, defaultText: "none", secret: true },
} satisfies EnvironmentTable;

type Line = readonly [level: string, fields: object, message: string];

function linesOf(env: Readonly<Record<string, string>>): readonly Line[] {
  const lines: Line[] = [];
  const write =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push([level, fields, message]);
  logStart({ info: write("info"), warn: write("warn") }, table, env);
  return lines;
}

// proves OPS-31
describe("the first lines of a log", () => {
  it("name the version and the settings that differ from their defaults, and show no secret", () => {
    const env = {
      SVC_LISTEN: "127.0.0.1:2",
      SVC_ROLE: "all",
      SVC_NAMESPACE: "",
      SVC_API_KEY: "svc_secret",
      SVC_BOOTSTRAP_API_KEY_FILE: "/run/key",
      PATH: "/bin",
    };
    const settings = { SVC_LISTEN: "127.0.0.1:2", SVC_API_KEY: "set", SVC_BOOTSTRAP_API_KEY: "set" };
    const fields = { version: VERSION, node: process.versions.node, settings };
    expect(linesOf(env)).toEqual([["info", fields, "starting"]]);
  });
});

// proves OPS-32
describe("a variable that no program reads", () => {
  it.each([
    ["SVC_MCP_UPSTREM_URL", "SVC_MCP_UPSTREAM_URL"],
    ["SVC_LISTENS", "SVC_LISTEN"],
    ["SVC_AGENTID", "SVC_AGENT_ID"],
    ["SVC_API_KEY_FIEL", "SVC_API_KEY_FILE"],
  ])("%s is warned of, and the likely name with it", (name, meant) => {
    const [, warning] = linesOf({ [name]: "secret value" });
    expect(warning?.[0]).toBe("warn");
    expect(warning?.[1]).toEqual({ variable: name });
    expect(warning?.[2]).toContain(`unknown variable ${name}, did you mean ${meant}?`);
    expect(JSON.stringify(warning)).not.toContain("secret value");
  });

  it("has no likely name when none is near", () => {
    expect(linesOf({ SVC_SOMETHING_ELSE_ENTIRELY: "1" })[1]?.[2]).not.toContain("did you mean");
  });

  it.each([
    ["SVC_MCP_LISTEN", "of another program"],
    ["SVC_EXTPROC_SERVICE_HOST", "of a Kubernetes service"],
    ["SVC_EXTPROC_SERVICE_PORT_GRPC", "of a Kubernetes service"],
    ["SVC_EXTPROC_PORT_9002_TCP_ADDR", "of a Kubernetes service"],
  ])("%s is not one: it is the name %s", (name) => {
    expect(linesOf({ [name]: "1" })).toHaveLength(1);
  });

  it("is not one when Kubernetes set it to an address", () => {
    expect(linesOf({ SVC_EXTPROC_PORT: "tcp://10.0.0.1:9002" })).toHaveLength(1);
  });

  it("is left out for programs that start later in the same process", () => {
    expect(withoutUnknown({ SVC_LISTENS: "x", SVC_LISTEN: "y", PATH: "z" }, table)).toEqual({
      SVC_LISTEN: "y",
      PATH: "z",
    });
  });
});
