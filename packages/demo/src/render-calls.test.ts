import { describe, expect, it } from "vitest";
import { callsToTry } from "./calls-to-try.ts";
import { renderCalls } from "./render-calls.ts";

const DOORS = {
  gatewayUrl: "http://127.0.0.1:1",
  checkgwUrl: "http://127.0.0.1:2",
  mcpUrl: "http://127.0.0.1:3/mcp",
  envoy: { kind: "running", url: "http://127.0.0.1:4" },
  nginx: { kind: "missing", what: "nginx, on the PATH" },
} as const;

describe("the printed calls", () => {
  const text = renderCalls(callsToTry(DOORS));

  it("stand on lines of their own, each above what comes back", () => {
    const lines = text.split("\n");
    const commands = lines.flatMap((line, index) => (line.startsWith("    curl ") ? [index] : []));
    expect(commands).toHaveLength(10);
    for (const index of commands) expect(lines[index + 1]).toMatch(/^ {4}-> \d{3} \.\.\. \S.* \.\.\.$/);
  });

  it("are one that is allowed and one that is denied for each seam that is there", () => {
    const seams = callsToTry(DOORS).filter(({ calls }) => calls.length > 0);
    const outcomes = seams.map(({ calls }) => calls.map(({ outcome }) => outcome).join(" "));
    expect(outcomes).toEqual([...Array.from({ length: 4 }, () => "allowed denied"), "stopped denied"]);
  });

  it("say what is needed for a seam that is not there", () => {
    const lines = text.split("\n");
    const nginx = lines.findIndex((line) => line.startsWith("nginx, which asks svc-checkgw"));
    expect(lines[nginx + 1]).toBe("  not started: it needs nginx, on the PATH");
  });
});
