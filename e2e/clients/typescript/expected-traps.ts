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
    "a later middleware changes the arguments": SAFE,
    "an earlier middleware changes the arguments": SAFE,
    "a tool of the provider": { ran: [], error: /web_search cannot be governed/ },
    "a misspelled option": MISSPELLED,
    "a sub-agent with governance of its own": RAN,
    "a graph without a checkpointer": RAN,
  },
};
