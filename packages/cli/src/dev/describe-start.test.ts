import { expect, it } from "vitest";
import { describeStart, type StartNews } from "./describe-start.ts";

const NEWS = { policies: 1, folder: "policies", url: "http://127.0.0.1:8080", key: "k" } as StartNews;

// proves CLI-84
it("quotes the call to try for a shell, whatever its names hold", () => {
  const call = { agent_id: "Ana's bot", session_id: "s-1", tool: "Create Issue", args: {} };
  const text = describeStart({ ...NEWS, call })
    .map((piece) => (typeof piece === "string" ? piece : piece.text))
    .join("");
  expect(text).toContain(`-d '{"agent_id":"Ana'\\''s bot","session_id":"s-1"`);
});
