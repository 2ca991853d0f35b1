import { describe, expect, it } from "vitest";
import { MAX_TASKS, TASK_MEMORY_MS } from "../limits.ts";
import { ownTasksOnly, Tasks, taskIdOf } from "./tasks.ts";

const SCOPE = { agentId: "a", namespace: "n", sessionId: "s", tool: "t" };

describe("Tasks", () => {
  it("M7: a task belongs to the agent that began it, in its namespace and in all its sessions", () => {
    const tasks = new Tasks(() => 0);
    tasks.began(SCOPE, "t-1");
    expect(tasks.of(SCOPE, "t-1")).toEqual(SCOPE);
    expect(tasks.of({ agentId: "a", namespace: "n" }, "t-1")).toEqual(SCOPE);
    for (const other of [
      { agentId: "b", namespace: "n" },
      { agentId: "a", namespace: "m" },
      { agentId: "a", namespace: null },
      { agentId: null, namespace: "n" },
    ])
      expect(tasks.of(other, "t-1")).toBeNull();
    expect(tasks.of(SCOPE, "t-2")).toBeNull();
  });

  it("M7: one id given to two agents is two tasks", () => {
    const tasks = new Tasks(() => 0);
    const other = { ...SCOPE, agentId: "b", tool: "u" };
    tasks.began(SCOPE, "1");
    tasks.began(other, "1");
    expect([tasks.of(SCOPE, "1")?.tool, tasks.of(other, "1")?.tool]).toEqual(["t", "u"]);
    tasks.killed(other, "1");
    expect([tasks.isKilled(SCOPE, "1"), tasks.isKilled(other, "1")]).toEqual([false, true]);
  });

  it("names that are equal when joined stay different", () => {
    const tasks = new Tasks(() => 0);
    tasks.began({ ...SCOPE, agentId: "a", namespace: "b" }, 'c","d');
    expect(tasks.of({ agentId: "a", namespace: 'b","c' }, "d")).toBeNull();
  });

  it("a task that nobody asks for is forgotten; one that is asked for is not", () => {
    let nowMs = 0;
    const tasks = new Tasks(() => nowMs);
    tasks.began(SCOPE, "asked");
    tasks.began(SCOPE, "idle");
    nowMs += TASK_MEMORY_MS;
    expect(tasks.of(SCOPE, "asked")).not.toBeNull();
    nowMs += 1;
    expect(tasks.of(SCOPE, "idle")).toBeNull();
    expect(tasks.of(SCOPE, "asked")).not.toBeNull();
  });

  it("past the limit the least used one is forgotten", () => {
    const tasks = new Tasks(() => 0);
    tasks.began(SCOPE, "first");
    tasks.began(SCOPE, "second");
    tasks.of(SCOPE, "first");
    for (let count = 0; count < MAX_TASKS - 1; count += 1) tasks.began(SCOPE, String(count));
    expect([tasks.of(SCOPE, "first"), tasks.of(SCOPE, "second")]).toEqual([SCOPE, null]);
  });
});

describe("the task in a result", () => {
  it.each<[unknown, string | null]>([
    [{ task: { taskId: "t" } }, "t"],
    [{ resultType: "task", taskId: "t" }, "t"],
    [{ resultType: "complete", taskId: "t" }, null],
    [{ taskId: "t" }, null],
    [{ content: [] }, null],
    [{ task: "t" }, null],
    [{ task: { taskId: 7 } }, null],
    [{ task: { taskId: "" } }, null],
    [{ task: { taskId: "x".repeat(1_025) } }, null],
    [null, null],
    ["t", null],
  ])("of %j is %j", (result, wanted) => {
    expect(taskIdOf(result)).toBe(wanted);
  });
});

describe("M7: a list of tasks", () => {
  const tasks = new Tasks(() => 0);
  tasks.began(SCOPE, "own");
  it.each<[unknown, unknown]>([
    [
      { tasks: [{ taskId: "own", x: 1 }, { taskId: "foreign" }, "own", null, {}], nextCursor: "c" },
      { tasks: [{ taskId: "own", x: 1 }], nextCursor: "c" },
    ],
    [{ tasks: { taskId: "foreign" } }, { tasks: [] }],
    [{ other: 1 }, { other: 1, tasks: [] }],
    ["foreign", "foreign"],
  ])("%j becomes %j", (result, wanted) => {
    expect(ownTasksOnly(result, SCOPE, tasks)).toEqual(wanted);
  });
});
