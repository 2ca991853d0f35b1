// peers: python-mcp
// long: starts agents in Python, which load their frameworks
import { isLongRun } from "@svc/text/testing/runs";
import { describe, expect, it, onTestFinished } from "vitest";
import { ALLOW, DENY, PAUSE } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type GovernedServer, startGovernedServer } from "./governed-server.ts";
import { startEverythingServer } from "./mcp-servers.ts";
import { type AgentKind, runAgent } from "./python-agents.ts";
import { LAST_WORDS, type ModelTurn, startScriptedModel } from "./scripted-model.ts";

/** Longest test in milliseconds: a framework takes seconds to start, and more on a busy machine. */
const TIMEOUT_MS = 120_000;

type DenyAs = "error" | "tool_result";

/** Without its cache openai-agents lists the tools before each turn, which a dead server refuses. */
const HOW_TO_TELL: readonly (AgentKind & { denyAs: DenyAs; outlives: "refusals" | "its server" })[] = [
  { framework: "openai-agents", settings: "plain", denyAs: "tool_result", outlives: "refusals" },
  { framework: "pydantic-ai", settings: "told", denyAs: "error", outlives: "its server" },
  { framework: "langchain", settings: "plain", denyAs: "tool_result", outlives: "its server" },
  // Each framework in its other form, which starts the same code.
  ...(isLongRun
    ? ([
        { framework: "openai-agents", settings: "told", denyAs: "error", outlives: "its server" },
        { framework: "pydantic-ai", settings: "told", denyAs: "tool_result", outlives: "its server" },
        { framework: "langchain", settings: "told", denyAs: "error", outlives: "its server" },
      ] as const)
    : []),
];

function echo(message: string): NonNullable<ModelTurn["call"]> {
  return { tool: "echo", args: { message } };
}

/** What the model asks for, what happens before each of its calls, and what it receives after it. */
type Told = ModelTurn & { readonly told: unknown };

function refusals({ gateway }: GovernedServer): readonly Told[] {
  return [
    { before: () => gateway.answer(DENY), call: echo("1"), told: expect.stringContaining(DENY.reason) },
    {
      before: () => gateway.answer(PAUSE),
      call: echo("2"),
      told: expect.stringContaining(PAUSE.approval_url),
    },
    {
      before: () => gateway.server.close(),
      call: echo("3"),
      told: expect.stringContaining("No answer came from the gateway"),
    },
  ];
}

function deadServer({ gateway, link }: GovernedServer): Told {
  const before = async (): Promise<void> => {
    await gateway.server.reopen();
    gateway.answer(ALLOW);
    await link.cut();
  };
  return { before, call: echo("4"), told: expect.stringContaining("The MCP server cannot be reached") };
}

/** The gateway and the server are there, and the call is allowed. */
function atLast({ gateway, link }: GovernedServer): Told {
  const before = async (): Promise<void> => {
    await gateway.server.close();
    await gateway.server.reopen();
    gateway.answer(ALLOW);
    await link.cut();
    await link.mend();
  };
  return { before, call: echo("5"), told: "Echo: 5" };
}

async function governed(denyAs: DenyAs): Promise<GovernedServer> {
  const stage = await startGovernedServer(startEverythingServer, { SVC_MCP_DENY_AS: denyAs });
  onTestFinished(stage.stop);
  return stage;
}

/** Runs an agent with this model. Resolves with how it ended, and what the model received after each call. */
async function play(kind: AgentKind, { url }: GovernedServer, turns: readonly ModelTurn[]) {
  const model = await startScriptedModel(turns);
  onTestFinished(() => model.server.close());
  const end = await runAgent(kind, url, model.url);
  return { end, heard: model.heard() };
}

// skip: needs the Python frameworks, which the test runner installs where it can
describe.skipIf(missing["python-mcp"])("agents whose calls are refused", { timeout: TIMEOUT_MS }, () => {
  // proves MCP-11
  it.each(HOW_TO_TELL)(
    "$framework, $settings, $denyAs: the model learns why, goes on, and keeps its session",
    async ({ denyAs, outlives, ...kind }) => {
      const stage = await governed(denyAs);
      const dead = outlives === "its server" ? [deadServer(stage)] : [];
      const turns = [...refusals(stage), ...dead, atLast(stage)];
      const { end, heard } = await play(kind, stage, [...turns, {}]);
      expect(heard).toEqual(turns.map(({ told }) => told));
      expect(end).toEqual({ said: LAST_WORDS });
      const sessions = stage.gateway.calls().map((call) => call["session_id"]);
      expect(sessions.length).toBe(turns.length - 1);
      expect(new Set(sessions).size).toBe(1);
    },
  );

  it("openai-agents, plain, error: the model goes on, and is not told why", async () => {
    const stage = await governed("error");
    const turns = [...refusals(stage), deadServer(stage), atLast(stage)];
    const kind = { framework: "openai-agents", settings: "plain" } as const;
    const { end, heard } = await play(kind, stage, [...turns, {}]);
    expect(end).toEqual({ said: LAST_WORDS });
    const nothing = "An error occurred while running the tool. Please try again.";
    expect(heard).toEqual([nothing, nothing, nothing, nothing, "Echo: 5"]);
  });

  it("pydantic-ai, plain, error: the model learns why; two refusals in a row end the run", async () => {
    const stage = await governed("error");
    const { gateway } = stage;
    const { end, heard } = await play({ framework: "pydantic-ai", settings: "plain" }, stage, [
      { before: () => gateway.answer(DENY), call: echo("1") },
      { before: () => gateway.answer(ALLOW), call: echo("2") },
      { before: () => gateway.answer(DENY), call: echo("3") },
      { call: echo("4") },
    ]);
    const why = expect.stringContaining(DENY.reason);
    expect(heard).toEqual([why, "Echo: 2", why]);
    expect(end).toMatchObject({ raised: "UnexpectedModelBehavior" });
  });

  it("langchain, plain, error: a refusal ends the run, and its reason is what is raised", async () => {
    const stage = await governed("error");
    const { end } = await play({ framework: "langchain", settings: "plain" }, stage, [
      ...refusals(stage),
      {},
    ]);
    expect(end).toEqual({ raised: "McpError", message: DENY.reason });
  });
});
