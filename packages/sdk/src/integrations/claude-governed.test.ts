import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished, vi } from "vitest";
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

/** A gateway that gives these answers, one after the other. */
async function answering(...answers: readonly object[]): Promise<SvcClient> {
  const left = [...answers];
  const gateway = await startHttpGateway((request, response) => {
    request.resume().on("end", () => {
      const answer = request.url?.endsWith("/execute") === true ? left.shift() : {};
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  const client = new SvcClient({ baseUrl: gateway.url });
  onTestFinished(async () => {
    await client.settled();
    await gateway.close();
  });
  return client;
}

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };
const SHAPED = { ...ALLOW, args_constrained: true, shaped_args: { amount: 5 } };
const DENY = { decision: "deny", reason: "a kill switch", reason_code: "killed", fail_closed: false };
const CALL = { tool_name: "pay", tool_input: { amount: 9 }, tool_use_id: "c", session_id: "s" };

type Hook = (input: unknown, id: string, options: object) => Promise<object>;
type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;
const hookOf = ({ hooks }: { readonly hooks?: object }): Hook =>
  (hooks as Hooks)["PreToolUse"]?.at(-1)?.hooks[0] ?? expect.unreachable();

describe("permissions of the program", () => {
  it("are asked about rewritten arguments, too", async () => {
    const client = await answering(SHAPED);
    const answer = await hookOf(governed({}, { agentId: "agent-1", client }))(CALL, "c", {});
    expect(answer).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { amount: 5 } },
    });
  });

  it.each([
    ["at once", 0, DENY, "allow"],
    ["after a while", 5_000, DENY, "deny"],
    ["after a while, while the gateway agrees", 5_000, { ...ALLOW, repeated: true }, "allow"],
  ])("that agree %s are followed by the gateway's word of that time", async (_, waitMs, later, behavior) => {
    const client = await answering(ALLOW, later);
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const canUseTool = () => {
      nowMs += waitMs;
      return Promise.resolve({ behavior: "allow" });
    };
    const options = governed({ canUseTool }, { agentId: "agent-1", client });
    expect(await hookOf(options)(CALL, "c", {})).toEqual({});
    const about = { toolUseID: "c" };
    expect(await options.canUseTool?.("pay", { amount: 9 }, about)).toMatchObject({ behavior });
  });

  it("of a tool are refused, because it could change the arguments", () => {
    for (const given of [
      { permissionPromptToolName: "mcp__auth__prompt" },
      { extraArgs: { "permission-prompt-tool": "x" } },
    ])
      expect(() => governed(given, OPTIONS)).toThrow(/^permissionPromptToolName: the tool may change/);
  });
});
