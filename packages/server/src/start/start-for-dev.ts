import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatApiKey, newApiKey } from "@svc/control-plane/api-key";
import type { Running } from "@svc/process/run-until-signal";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { removeAdminKey, writeAdminKey } from "../files/admin-key-file.ts";
import { startServerAndAdapters } from "./start-server-and-adapters.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What `svc-cli dev` reads from the line that says that everything runs. */
export interface DevAddresses {
  readonly url: string;
  readonly checkgw_url: string;
  readonly extproc_address: string;
  /** Null: no MCP server is configured. */
  readonly mcp_proxy_url: string | null;
  readonly data_dir: string;
  /** A file of mode 600, which goes with the process. */
  readonly api_key_file: string;
}

/**
 * The server and the adapters in one process, with a key of their own and without a policy. Without
 * SVC_DATA_DIR the data are in a temporary folder, which goes with the process.
 * @throws naming what could not be started; nothing is left then.
 */
export async function startForDev(
  env: Environment,
  onStarted: (addresses: DevAddresses) => void,
): Promise<Running> {
  const layers = new ShutdownStack();
  try {
    const dataDir = await openData(env["SVC_DATA_DIR"] ?? "", layers);
    const apiKey = formatApiKey(newApiKey());
    const own = { SVC_DATA_DIR: dataDir, SVC_BOOTSTRAP_API_KEY: apiKey };
    const onAdminKey = (): void => undefined;
    const { server, adapters } = await startServerAndAdapters(
      { env: { ...env, ...own }, onAdminKey },
      layers,
    );
    const api_key_file = await writeAdminKey(dataDir, apiKey);
    layers.add({ close: () => removeAdminKey(dataDir) });
    onStarted({
      url: server.url,
      checkgw_url: adapters.checkgwUrl,
      extproc_address: adapters.extprocAddress,
      mcp_proxy_url: adapters.mcpProxyUrl,
      data_dir: dataDir,
      api_key_file,
    });
    return layers;
  } catch (error) {
    await layers.close();
    throw error;
  }
}

async function openData(named: string, layers: ShutdownStack): Promise<string> {
  if (named !== "") return named;
  const dataDir = await mkdtemp(join(tmpdir(), "svc-dev-"));
  layers.add({ close: () => rm(dataDir, { recursive: true, force: true }) });
  return dataDir;
}
