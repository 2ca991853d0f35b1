/** Closed in this version, and open in the document: later versions add kinds and reasons. */
export const openList = (words: readonly string[]) => ({
  jsonSchema: { type: "string", "x-known-values": words },
});
