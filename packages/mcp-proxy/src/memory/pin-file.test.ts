import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPinFile } from "./pin-file.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const OTHER = `sha256:${"b".repeat(64)}`;
const PIN = { digest: DIGEST, isChanged: false };
const OTHER_PIN = { digest: OTHER, isChanged: false };

function pathOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-pins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "pins.json");
}

const fail = (error: unknown): void => {
  throw error;
};

describe("M10: pins that survive restarts", () => {
  it("an added pin is known at the next start", async () => {
    const path = pathOfTest();
    const file = openPinFile(path, fail);
    expect(file.known.size).toBe(0);
    file.add("echo", PIN);
    file.add("other", OTHER_PIN);
    await file.settled();
    expect([...openPinFile(path, fail).known]).toEqual([
      ["echo", PIN],
      ["other", OTHER_PIN],
    ]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ tools: { echo: DIGEST, other: OTHER } });
  });

  it("known pins stay when one is added", async () => {
    const path = pathOfTest();
    writeFileSync(path, JSON.stringify({ tools: { echo: DIGEST } }));
    const file = openPinFile(path, fail);
    file.add("other", OTHER_PIN);
    await file.settled();
    file.add("third", OTHER_PIN);
    await file.settled();
    expect([...openPinFile(path, fail).known.keys()]).toEqual(["echo", "other", "third"]);
  });

  it("a changed tool stays changed, even one whose definition cannot be compared", async () => {
    const path = pathOfTest();
    const file = openPinFile(path, fail);
    const pins = [
      ["echo", { digest: DIGEST, isChanged: true }],
      ["deep", { digest: "none", isChanged: true }],
    ] as const;
    file.add("echo", PIN);
    for (const [tool, pin] of pins) file.add(tool, pin);
    await file.settled();
    expect([...openPinFile(path, fail).known]).toEqual(pins);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      tools: { echo: `${DIGEST} changed`, deep: "none changed" },
    });
  });

  it("a file that cannot be written is reported, and stops nothing", async () => {
    const errors: unknown[] = [];
    const file = openPinFile(join(pathOfTest(), "no", "folder.json"), (error) => errors.push(error));
    file.add("echo", PIN);
    await file.settled();
    file.add("other", OTHER_PIN);
    await file.settled();
    expect(errors).toHaveLength(2);
  });

  it.each([
    "",
    "[]",
    "{}",
    '{"tools":[]}',
    '{"tools":{"echo":7}}',
    '{"tools":{"echo":"sha256:1"}}',
    '{"tools":{"echo":"none"}}',
    `{"tools":{"echo":"${DIGEST} unchanged"}}`,
    `{"tools":{"a b ":"${DIGEST}"}}`,
    `{"tools":{"echo":"${DIGEST}","echo":"${OTHER}"}}`,
  ])("%j stops the start", (text) => {
    const path = pathOfTest();
    writeFileSync(path, text);
    expect(() => openPinFile(path, fail)).toThrow(/^expected /);
  });
});
