import { expect, it } from "vitest";
import { parseStatus } from "./residence.ts";

it("reads memory and threads of a process", () => {
  const status = "Name:\tnode\nVmPeak:\t  900000 kB\nVmRSS:\t  122880 kB\nThreads:\t13\n";
  expect(parseStatus(status)).toEqual({ mib: 120, threads: 13 });
  expect(() => parseStatus("Name:\tnode\n")).toThrow("expected a line VmRSS");
});
