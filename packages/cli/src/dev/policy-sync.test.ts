import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CommandFailure } from "../frame/exit-code.ts";
import type { PolicyNews } from "./policy-news.ts";
import type { PolicyToPut } from "./policy-store.ts";
import { PolicySync } from "./policy-sync.ts";

const policy = (id: string, agent = "agent-1"): string =>
  `id: ${id}\nagent_id: ${agent}\ntools: { allowed: [pay] }\n`;

function setUp(refuse: (put: PolicyToPut) => CommandFailure | null = () => null) {
  const workingDirectory = mkdtempSync(join(tmpdir(), "svc-sync-"));
  onTestFinished(() => rmSync(workingDirectory, { recursive: true }));
  const asked: string[] = [];
  const news: PolicyNews[] = [];
  let version = 0;
  const sync = new PolicySync({
    store: {
      put: async (put) => {
        const refusal = refuse(put);
        if (refusal !== null) throw refusal;
        asked.push(`put ${put.id}`);
        version += 1;
        return { policy_id: put.id, version };
      },
      remove: async (id) => void asked.push(`remove ${id}`),
    },
    terminal: { workingDirectory, stdin: (async function* () {})() },
    onNews: (one) => news.push(one),
  });
  const write = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(workingDirectory, name), text);
    return sync.take({ written: [name], removed: [] });
  };
  return { workingDirectory, sync, write, asked, news, last: () => news.at(-1) };
}

const V1 = { policy_id: "p", version: 1 };

// proves CLI-71
it.each([
  ["is not YAML", "id: [", "policy_refused"],
  ["has an unknown field", "id: p\nrulez: []\n", "policy_refused"],
  ["is empty", "", "policy_refused"],
  ["is not UTF-8", new Uint8Array([0xff, 0xfe]), "policy_not_taken"],
  ["is too large", `# ${"x".repeat(4 * 1024 * 1024)}`, "policy_refused"],
])("leaves the version before in force when a file %s", async (_, text, event) => {
  const { write, asked, news, last } = setUp();
  await write("a.yaml", policy("p"));
  expect(last()).toMatchObject({ event: "policy_loaded", file: "a.yaml", agent_id: "agent-1", ...V1 });
  await write("a.yaml", text);
  expect([last()?.event, asked]).toEqual([event, ["put p"]]);
  expect(last()).toMatchObject({ file: "a.yaml", in_force: V1 });
  await write("b.yaml", text);
  expect(last()).toMatchObject({ file: "b.yaml", in_force: null });
  await write("a.yaml", policy("p"));
  expect([news.length, asked]).toEqual([3, ["put p"]]);
});

// proves CLI-71
it("takes a file with other line ends, and says nothing of one that is saved unchanged", async () => {
  const { write, asked, news } = setUp();
  await write("a.yaml", policy("p"));
  await write("a.yaml", policy("p").replaceAll("\n", "\r\n"));
  await write("a.yaml", policy("p").replaceAll("\n", "\r\n"));
  expect(asked).toEqual(["put p", "put p"]);
  expect(news).toHaveLength(2);
});

// proves CLI-71
it("takes the policy of a file that is gone out of force, and says so", async () => {
  const { sync, write, asked, last } = setUp();
  await write("a.yaml", policy("p"));
  await sync.take({ written: [], removed: ["a.yaml", "never-in-force.yaml"] });
  expect(asked).toEqual(["put p", "remove p"]);
  expect(last()).toEqual({ event: "policy_removed", file: "a.yaml", policy_id: "p" });
  await write("a.yaml", policy("p"));
  expect(asked.at(-1)).toBe("put p");
});

it("keeps a policy in force whose file gets another name", async () => {
  const { workingDirectory, sync, write, asked, last } = setUp();
  await write("a.yaml", policy("p"));
  writeFileSync(join(workingDirectory, "b.yaml"), policy("p"));
  await sync.take({ written: ["b.yaml"], removed: ["a.yaml"] });
  expect(asked).toEqual(["put p"]);
  await write("b.yaml", "id: [");
  expect(last()).toMatchObject({ file: "b.yaml", in_force: V1 });
});

it("removes the policy whose id a file no longer has", async () => {
  const { write, asked } = setUp();
  await write("a.yaml", policy("p"));
  await write("a.yaml", policy("q"));
  expect(asked).toEqual(["put p", "remove p", "put q"]);
});

it("takes one of two files with the same policy, and the other when the first is gone", async () => {
  const { sync, write, asked, last } = setUp();
  await write("a.yaml", policy("p"));
  await write("b.yaml", policy("p", "agent-2"));
  expect(last()).toMatchObject({
    event: "policy_not_taken",
    reason: "a.yaml holds the policy p, and one file holds a policy",
  });
  await sync.take({ written: [], removed: ["a.yaml"] });
  expect(asked).toEqual(["put p", "remove p", "put p"]);
  expect(last()).toMatchObject({ event: "policy_loaded", file: "b.yaml" });
});

it("goes on when the server refuses a file, and ends when it does not answer", async () => {
  const failures = [new CommandFailure("failed", "bound"), new CommandFailure("unreachable", "gone")];
  const { write, last } = setUp(() => failures.shift() ?? null);
  await write("a.yaml", policy("p"));
  expect(last()).toMatchObject({ event: "policy_not_taken", reason: "bound", in_force: null });
  await expect(write("a.yaml", policy("p", "agent-2"))).rejects.toMatchObject({ exitCode: 3 });
});
