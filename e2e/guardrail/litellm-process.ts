// peers: litellm
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import type { LlmGateway, LlmGatewayPeers } from "./llm-gateway.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHIPPED = join(ROOT, "guardrails", "litellm.yaml");

/** The callback that the configuration names. LiteLLM looks for it in the same folder. */
const CALLBACK = "litellm_refuse_unjudged.py";

/** It needs 15 seconds of one core to start, and a busy machine does not give it one. */
const START_TIMEOUT_MS = 110_000;

/** It refuses to start without one that is hard to guess. */
const MASTER_KEY = `sk-${"0123456789abcdef".repeat(2)}`;

/** LiteLLM with the shipped configuration: nothing but addresses replaced. */
export async function startLitellm({ checkgwPort, modelPort }: LlmGatewayPeers): Promise<LlmGateway> {
  const port = await findFreePort();
  const folder = await makeTemporaryDirectory();
  const stopAnd = async (child: RunningProcess | null, signal?: NodeJS.Signals): Promise<number | null> => {
    const code = (await child?.stop(signal)) ?? null;
    await folder.remove();
    return code;
  };
  try {
    const file = join(folder.path, "litellm.yaml");
    const shipped = await readFile(SHIPPED, "utf8");
    if (!shipped.includes("127.0.0.1:9004")) throw new Error(`${SHIPPED} lacks 127.0.0.1:9004`);
    await writeFile(file, shipped.replace("127.0.0.1:9004", `127.0.0.1:${String(checkgwPort)}`));
    await copyFile(join(ROOT, "guardrails", CALLBACK), join(folder.path, CALLBACK));
    const start = ["-c", "from litellm import run_server; run_server()", "--config", file];
    const where = ["--host", "127.0.0.1", "--port", String(port), "--telemetry", "False"];
    const child = await startProcess("python3", [...start, ...where], {
      ready: { port },
      startWithinMs: START_TIMEOUT_MS,
      env: {
        HOME: folder.path,
        PYTHONPATH: programOf("litellm"),
        PYTHONDONTWRITEBYTECODE: "1",
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        LITELLM_MASTER_KEY: MASTER_KEY,
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: `http://127.0.0.1:${String(modelPort)}/v1`,
        // what its pass-through path for Anthropic needs, which no configuration switches off
        ANTHROPIC_API_KEY: "none",
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${String(modelPort)}`,
      },
    });
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const url = `http://127.0.0.1:${String(port)}`;
    return { ...child, port, url, headers, stop: (signal) => stopAnd(child, signal) };
  } catch (error) {
    await stopAnd(null);
    throw error;
  }
}
