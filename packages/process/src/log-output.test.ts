import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogOutput } from "./log-output.ts";

/** An output that can be full, or take only some bytes at a time. */
function setUp(maxKeptBytes?: number) {
  const pieces: Uint8Array[] = [];
  const disk = {
    isFull: false,
    atOnce: Number.POSITIVE_INFINITY,
    get text(): string {
      return Buffer.concat(pieces).toString();
    },
  };
  const write = (bytes: Uint8Array): number => {
    if (disk.isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const taken = Math.min(bytes.byteLength, disk.atOnce);
    pieces.push(bytes.subarray(0, taken));
    return taken;
  };
  const stream = { write, isTerminal: false, environment: {} };
  return { disk, output: createLogOutput("json", stream, maxKeptBytes) };
}

// proves OPS-39
describe("createLogOutput", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("writes each line at once", () => {
    const { disk, output } = setUp();
    output.write("one\n");
    expect(disk.text).toBe("one\n");
    output.write("two\n");
    expect(disk.text).toBe("one\ntwo\n");
  });

  it("keeps the order and every byte of lines that a disk takes in pieces", () => {
    const { disk, output } = setUp();
    disk.atOnce = 2;
    output.write("größer\n");
    output.write("two\n");
    expect(disk.text).toBe("größer\ntwo\n");
  });

  it("keeps lines while nothing can be written, and writes them when there is room again", () => {
    const { disk, output } = setUp();
    disk.isFull = true;
    output.write("one\n");
    output.write("two\n");
    vi.advanceTimersByTime(60_000);
    expect(disk.text).toBe("");
    disk.isFull = false;
    vi.advanceTimersByTime(1_000);
    expect(disk.text).toBe("one\ntwo\n");
    output.write("three\n");
    expect(disk.text).toBe("one\ntwo\nthree\n");
  });

  it("drops lines past its bound and says how many", () => {
    const { disk, output } = setUp(10);
    disk.isFull = true;
    for (const line of ["one\n", "two\n", "three\n", "four\n"]) output.write(line);
    disk.isFull = false;
    vi.advanceTimersByTime(1_000);
    const [first, second, said] = disk.text.split("\n");
    expect([first, second]).toEqual(["one", "two"]);
    expect(JSON.parse(said ?? "")).toMatchObject({ lines: 2, msg: "log lines could not be written" });
  });
});
