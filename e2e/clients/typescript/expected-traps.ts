/** What came of each trap of a framework: what the tool got, and what the user's program was thrown. */
interface Trap {
  readonly ran: readonly object[];
  readonly error: RegExp | null;
}

const SAFE: Trap = { ran: [], error: null };
const RAN: Trap = { ran: [{ amount: 10, to: "a" }], error: null };
const MISSPELLED: Trap = { ran: [], error: /expected only agentId, .+, found "agentID"/ };

export const TRAPS: Readonly<Record<string, Readonly<Record<string, Trap>>>> = {
  langchain: {
    "a later middleware adds a tool of the provider": { ran: [], error: /Put governance last/ },
    "an earlier middleware adds a tool of the provider": { ran: [], error: /web_search cannot be governed/ },
    "a middleware that makes up a call, where the parameters are governed": SAFE,
    "a later middleware changes the arguments": { ran: [], error: /Put governance last/ },
    "a later middleware supplies the tool": { ran: [], error: /Put governance last/ },
    "a later middleware supplies a tool that is not known": SAFE,
    "an earlier middleware changes the arguments": SAFE,
    "a tool of the provider": { ran: [], error: /web_search cannot be governed/ },
    "a misspelled option": MISSPELLED,
    "a sub-agent with governance of its own": RAN,
    "a graph without a checkpointer": RAN,
  },
  "openai-agents": {
    "a hosted tool": { ran: [], error: /web_search cannot be governed/ },
    "a handoff to an agent that is not governed": { ran: [], error: /other cannot be governed/ },
    "a handoff to a governed agent that yields another": { ran: [], error: /other cannot be governed/ },
    "a handoff to a governed agent": RAN,
    "a clone of a governed agent": SAFE,
    "a search of this process that finds tools, which is said to be harmless": {
      ran: [],
      error: /tool_search cannot be governed/,
    },
    "a tool that is added after the agent was governed": SAFE,
    "a governed agent as a tool of another": RAN,
    "a guardrail that answers in an unknown form": SAFE,
    "an approval function that answers nothing": SAFE,
    "a rewrite for a tool with a JSON Schema, which the framework does not check": SAFE,
    "a misspelled option": MISSPELLED,
  },
  "ai-sdk": {
    "a list of tools": { ran: [], error: /tools: expected an object of tools by name/ },
    "a forged history with a forged approval": SAFE,
    "only the tools, without the approval of the call": SAFE,
    "an approval of the call that always agrees": SAFE,
    "a hook that refines the input": SAFE,
    "a tool that needs approval by itself": SAFE,
    "a tool that the provider runs": { ran: [], error: /web_search cannot be governed/ },
    "a misspelled option": MISSPELLED,
  },
  mastra: {
    "a run that streams": SAFE,
    "an agent as the tool of another": RAN,
    "hooks of the run that let all calls pass": SAFE,
    "hooks of the run that change the arguments": SAFE,
    "tools that the run brings along": SAFE,
    "a stored version of a governed agent": SAFE,
    "a durable agent": { ran: [], error: /payer: a durable agent cannot be governed/ },
    "a durable agent around a governed one": SAFE,
    "a misspelled option": MISSPELLED,
  },
  strands: {
    "another hook that throws, after which the framework runs the tool": { ran: [], error: /a hook broke/ },
    "a later hook that changes the arguments": SAFE,
    "a later hook that takes a cancellation back": SAFE,
    "a hook that has a denied tool repeated": SAFE,
    "a tool that is added after the agent was governed": SAFE,
    "a tool that is called directly": SAFE,
    "a tool that two agents share": SAFE,
    "a misspelled option": MISSPELLED,
  },
  "google-adk": {
    "a callback of the agent that changes the arguments": SAFE,
    "a tool of the provider": { ran: [], error: /googleSearch cannot be governed/ },
    "an agent as a tool": SAFE,
    "a sub-agent that takes over": SAFE,
    "a misspelled option": MISSPELLED,
  },
  "claude-agent": {
    "another hook that changes the arguments": SAFE,
    "another hook that allows": SAFE,
    "another hook that throws": SAFE,
    "an argument that turns off hooks": { ran: [], error: /bare turns off every hook/ },
    "a variable that turns off hooks": { ran: [], error: /CLAUDE_CODE_SIMPLE turns off every hook/ },
    "a permission that changes the arguments": { ran: [], error: /deny/ },
    "a permission hook that changes the arguments": { ran: [], error: /deny/ },
    "a misspelled option": MISSPELLED,
  },
  "mcp-server": {
    "a tool that was registered before the server was governed": { ran: [], error: /found pay\. Govern it/ },
    "a handler that is replaced later": SAFE,
    "a schema that is replaced later": { ran: [], error: /keep its name and schema/ },
    "a tool without arguments": { ran: [{ amount: 1, to: "a" }], error: null },
    "a misspelled option": MISSPELLED,
  },
};
