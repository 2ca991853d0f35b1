// peers: portkey
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { startProcess } from "../support/processes/child-process.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import type { LlmGateway, LlmGatewayPeers } from "./llm-gateway.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHIPPED = join(ROOT, "guardrails", "portkey.json");

export interface PortkeyOptions extends LlmGatewayPeers {
  /** A change of the shipped configuration: a text that must be in it, and what stands there instead. */
  readonly change?: readonly [from: string, to: string];
  readonly provider?: "openai" | "anthropic";
}

/** Portkey, asked with the shipped configuration: nothing but addresses and the given changes replaced. */
export async function startPortkey(options: PortkeyOptions): Promise<LlmGateway> {
  const port = await findFreePort();
  const child = await startProcess(
    process.execPath,
    [programOf("portkey"), `--port=${String(port)}`, "--headless"],
    {
      ready: { port },
    },
  );
  return { ...child, port, url: `http://127.0.0.1:${String(port)}`, headers: await portkeyHeaders(options) };
}

/** What makes Portkey ask: its configuration comes with each request. */
export async function portkeyHeaders(options: PortkeyOptions): Promise<Record<string, string>> {
  const config = JSON.stringify(await readConfig(options));
  return { "x-portkey-config": config, authorization: "Bearer none" };
}

/** Fails when a text is not there: the file under test must be the shipped one. */
async function readConfig(options: PortkeyOptions): Promise<object> {
  const { checkgwPort, modelPort, change, provider = "openai" } = options;
  const changes = [["127.0.0.1:9004", `127.0.0.1:${String(checkgwPort)}`], ...(change ? [change] : [])];
  let text = await readFile(SHIPPED, "utf8");
  for (const [from = "", to = ""] of changes) {
    if (!text.includes(from)) throw new Error(`the shipped Portkey configuration lacks ${from}`);
    text = text.replaceAll(from, to);
  }
  const config = JSON.parse(text) as object;
  return { ...config, provider, custom_host: `http://127.0.0.1:${String(modelPort)}/v1` };
}
