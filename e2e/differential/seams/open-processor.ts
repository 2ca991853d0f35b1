import { type Client, credentials } from "@grpc/grpc-js";
import { startExtproc } from "../../support/adapters/extproc-process.ts";
import { loadProcessorClient } from "../../support/adapters/scripted-processor.ts";

/** A running processor and a client of it. */
export interface OpenProcessor {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

export async function openProcessor(
  gatewayUrl: string,
  env?: Readonly<Record<string, string>>,
): Promise<OpenProcessor> {
  const processor = await startExtproc(gatewayUrl, env);
  const Processor = loadProcessorClient();
  const client = new Processor(`127.0.0.1:${String(processor.port)}`, credentials.createInsecure());
  return {
    client,
    close: async () => {
      client.close();
      await processor.stop();
    },
  };
}

/** Headers as Envoy sends them. */
export function wireHeaders(pairs: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(pairs).map(([key, value]) => ({ key, raw_value: Buffer.from(value) }));
}
