import { Agent } from "node:http";
import { largeBodies } from "../large-bodies.ts";
import { sendBody } from "./send-body.ts";

/** Keeps so many large calls of one kind on their way until it is ended: `<url> <kind> <connections>`. */
const [url = "", kind = "", connections = "0"] = process.argv.slice(2);
const body = largeBodies("attacker", "payments.refund").get(kind);
if (body === undefined) throw new Error(`expected a kind of large body, found ${JSON.stringify(kind)}`);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

process.stdout.write(`listening ${url}\n`);
await Promise.all(Array.from({ length: Number(connections) }, () => sendOnAndOn(body)));

async function sendOnAndOn(sent: Buffer): Promise<never> {
  for (;;) await sendBody(url, sent, agent);
}
