import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApprovalRecord } from "@svc/contract/approval";
import type { Remote } from "@svc/process/service-call";
import { describe, expect, it, onTestFinished } from "vitest";
import { editorText } from "./approval-page.ts";
import { html } from "./markup.ts";
import { PageThread } from "./page-thread.ts";
import type { pageWork } from "./page-work.ts";

type Pages = Remote<typeof pageWork>;

const A = { org: "a", id: "key_a" };

function started(): PageThread {
  const thread = new PageThread();
  onTestFinished(() => thread.close());
  return thread;
}

const SHOWN = { args: { a: "\u200b", b: 1 }, edited_args: null };

const compare =
  (text: string, shown: Pick<ApprovalRecord, "args" | "edited_args"> = SHOWN) =>
  (pages: Pages) =>
    pages.isEdited(shown, text);

const render = (shown: ReturnType<typeof shownCall>) => (pages: Pages) => pages.renderApproval(shown);

describe("the thread of approval pages", () => {
  it("says whether the text area says something else than it showed", async () => {
    const thread = started();
    const same = [String.raw`{"a":"\u200b","b":1}`, '{"b":1.0,"a":"\u200b"}'];
    for (const text of same) expect(await thread.do(A, compare(text))).toBe(false);
    for (const text of ['{"a":"","b":1}', "{", ""]) expect(await thread.do(A, compare(text))).toBe(true);
  });

  // proves APR-42
  it.each([
    ["many short numbers", { rows: Array.from({ length: 3_000 }, () => Array.from({ length: 9 }, () => 1)) }],
    ["hidden characters", { text: "\u200b".repeat(80_000) }],
    ["plain text", { text: "a".repeat(262_000) }],
    ["quotes", { text: '"'.repeat(130_000) }],
  ])("takes the largest call of %s for unchanged when it is sent back as shown", async (_, args) => {
    const text = editorText(args) ?? "";
    const shown = { args, edited_args: null };
    expect(await started().do(A, compare(text.replaceAll("\n", "\r\n"), shown))).toBe(false);
    expect(await started().do(A, compare(text.replace("{", '{"x":1,'), shown))).toBe(true);
  });

  it("shows arguments in one line, or says that they are too long, where a form has no room", async () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? Array.from({ length: 60_000 }, () => 1) : [deep(levels - 1)];
    expect(editorText({ a: deep(20) })).not.toContain("\n");
    const args = { text: "\u007f".repeat(250_000) };
    const page = await started().do(A, render(shownCall(args)));
    expect(page).toContain("too long for this page");
  });

  it("U1: leaves the serving thread to calls while it makes the longest page", async () => {
    const thread = started();
    const args = { text: "a\u200b\u0430 ".repeat(30_000) };
    const page = thread.do(A, render(shownCall(args)));
    let turns = 0;
    let isMade = false;
    void page.then(() => {
      isMade = true;
    });
    for (; !isMade; turns += 1) await nextTurn();
    expect(turns).toBeGreaterThan(100);
    expect(await page).toContain("[U+200B]");
  });

  // proves APR-48
  it("makes the page of another organization next, however many pages of the first wait", async () => {
    const thread = started();
    const made: string[] = [];
    const ask = async (org: string, id: string) => {
      if ((await thread.do({ org, id }, compare("{}"))) !== null) made.push(org);
    };
    const asked = Array.from({ length: 60 }, (_, n) => ask("a", `key_${String(n % 10)}`));
    asked.push(ask("b", "key_b"));
    await Promise.all(asked);
    expect(made).toHaveLength(51);
    expect(made.indexOf("b")).toBeLessThan(3);
  });

  it("refuses all jobs once it is closed", async () => {
    const thread = started();
    expect(await thread.do(A, compare("{}"))).toBe(true);
    await thread.close();
    expect(await thread.do(A, compare("{}"))).toBeNull();
  });
});

function shownCall(args: Record<string, string>) {
  const record = {
    id: "apr_1",
    status: "pending",
    approval_url: "http://localhost/approvals/apr_1",
    org_id: "default",
    namespace: "default",
    agent_id: "a",
    session_id: null,
    tool: "pay",
    args,
    args_masked: false,
    edited_args: null,
    call_digest: null,
    reason: "the rule r requires approval of this call",
    rule_id: "r",
    policy_id: "p",
    policy_version: 1,
    decision_id: "gw_a.0",
    requested_by: "k",
    requested_at: "2026-01-02T03:04:05.678Z",
    expires_at: "2026-01-03T03:04:05.678Z",
    workflow: null,
    required: 1,
    scope: "session",
    covers: [],
    max_uses: 1,
    votes: [],
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    grant: null,
    suspended_because: null,
    void_because: null,
  } as const;
  return { record, rule: null, session: null, banner: html``, message: null, written: {}, token: "t" };
}
