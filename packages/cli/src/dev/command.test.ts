import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

// proves OPS-90
it("svc-cli dev refuses a form of log lines that it does not know", async () => {
  const { exitCode, out, error } = await runCaptured(["dev"], { environment: { SVC_LOG_FORMAT: "pretty" } });
  expect([exitCode, out]).toEqual([2, ""]);
  expect(error).toContain('SVC_LOG_FORMAT: expected one of auto, text, json, found "pretty"');
});
