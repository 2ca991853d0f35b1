import { expect, it } from "vitest";
import { RowChoice } from "./follow-rows.ts";

const decision = (session: string, tool: string) => ({ kind: "decision", session_id: session, tool });
const outcome = (id: string) => ({ kind: "outcome", decision_id: id });

// proves CLI-52
it("chooses by session and tool as a list does: reports go with their decision", async () => {
  const read: string[] = [];
  const choice = new RowChoice({ session: "s-1,s-2", tool: "pay" }, async (id) => {
    read.push(id);
    return decision(id === "old.1" ? "s-2" : "s-3", "pay");
  });
  expect(await choice.takes("gw.1", decision("s-1", "pay"))).toBe(true);
  expect(await choice.takes("gw.2", decision("s-1", "read"))).toBe(false);
  expect(await choice.takes("gw.3", outcome("gw.1"))).toBe(true);
  expect(await choice.takes("gw.4", outcome("gw.2"))).toBe(false);
  expect(await choice.takes("gw.5", outcome("old.1"))).toBe(true);
  expect(await choice.takes("gw.6", outcome("old.2"))).toBe(false);
  expect(read).toEqual(["old.1", "old.2"]);
});

// proves CLI-52
it("takes the kill switches of a tool, and everything without a choice", async () => {
  const never = () => Promise.reject(new Error("not read"));
  const row = { kind: "kill_switch", scope: "tool", target_id: "pay" };
  expect(await new RowChoice({ tool: "pay" }, never).takes("gw.1", row)).toBe(true);
  expect(await new RowChoice({ tool: "read" }, never).takes("gw.1", row)).toBe(false);
  expect(await new RowChoice({}, never).takes("gw.1", { kind: "key" })).toBe(true);
});
