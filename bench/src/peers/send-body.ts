import { type Agent, request } from "node:http";

/** Posts a body as JSON. Resolves with the decision or the code of the answer; `broken` without an answer. */
export function sendBody(url: string, body: Buffer, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": body.byteLength };
    const outgoing = request(url, { method: "POST", agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve(outcomeOf(Buffer.concat(chunks).toString("utf8"))));
      answer.on("error", () => resolve("broken"));
    });
    outgoing.on("error", () => resolve("broken"));
    outgoing.end(body);
  });
}

function outcomeOf(text: string): string {
  const { decision, code } = JSON.parse(text) as { readonly decision?: string; readonly code?: string };
  return decision ?? code ?? "unknown";
}
