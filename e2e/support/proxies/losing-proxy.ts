import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { rememberWay } from "../server/role-keys.ts";

/** A proxy before a server. It loses the answer to a change of a policy, once the server has made it. */
export interface LosingProxy {
  readonly url: string;
}

/** @param afterChange called when the server has answered, before the connection of the client is cut */
export async function losingProxy(target: string, afterChange: () => Promise<unknown>): Promise<LosingProxy> {
  const proxy = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "GET", url: path = "/", headers } = request;
      const isChange = method === "PUT" && !path.includes("dry_run");
      const { host: _, connection: __, ...passed } = headers;
      const answer = await fetch(`${target}${path}`, {
        method,
        headers: passed as Record<string, string>,
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
      });
      const text = await answer.text();
      if (!isChange)
        return void response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
      await afterChange();
      response.destroy();
    };
    pass().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  rememberWay(url, target);
  return { url };
}
