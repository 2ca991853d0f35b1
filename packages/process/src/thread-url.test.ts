import { afterEach, describe, expect, it, vi } from "vitest";
import { threadUrl } from "./thread-url.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("threadUrl", () => {
  it("names the source beside a source", () => {
    vi.stubEnv("SVC_TEST_WORKERS", undefined);
    expect(threadUrl("a-worker", "file:///x/src/a-client.ts").href).toBe("file:///x/src/a-worker.ts");
  });

  it("names the bundle of the run of tests for a source, and never for a bundle", () => {
    vi.stubEnv("SVC_TEST_WORKERS", "/made/by the run");
    expect(threadUrl("a-worker", "file:///x/src/a-client.ts").href).toBe(
      "file:///made/by%20the%20run/a-worker.js",
    );
    expect(threadUrl("a-worker", "file:///x/dist/chunk-1.js").href).toBe("file:///x/dist/a-worker.js");
  });
});
