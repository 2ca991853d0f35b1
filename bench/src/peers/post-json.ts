import { type Agent, request } from "node:http";

/** Posts a body and reads the answer to its end, as plainly as node:http can. */
export function postJson(url: string, body: Buffer, agent: Agent, done: (answer: unknown) => void): void {
  const headers = { "content-type": "application/json", "content-length": body.byteLength };
  const outgoing = request(url, { method: "POST", agent, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => done(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
  });
  outgoing.on("error", (error) => {
    throw error;
  });
  outgoing.end(body);
}
