import { onTestFinished } from "vitest";
import { startTestMcpProxy, type TestMcpProxy, type TestOptions } from "./start-mcp-proxy.ts";

/** A proxy that goes with the test that asked for it. */
export async function proxyOfTest(options: TestOptions = {}): Promise<TestMcpProxy> {
  const proxy = await startTestMcpProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}
