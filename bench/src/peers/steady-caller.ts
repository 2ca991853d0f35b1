import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { executeBodies } from "../benchmark-calls.ts";
import { sendBody } from "./send-body.ts";

/** Sends execute requests at a steady pace to servers in turn until it is ended: `<calls/s> <url> ...`. */
const [rate = "1", ...urls] = process.argv.slice(2);

const BODIES = 1_000;
const SESSIONS = 200;

const bodies = executeBodies(BODIES, SESSIONS).map((body) => Buffer.from(body));
const agent = new Agent({ keepAlive: true });
process.stdout.write(`listening ${urls.join(" ")}\n`);
const startedMs = performance.now();
for (let at = 0; ; at += 1) {
  await delay(Math.max(0, startedMs + (at * 1_000) / Number(rate) - performance.now()));
  const body = bodies[at % bodies.length] ?? Buffer.alloc(0);
  void sendBody(`${urls[at % urls.length] ?? ""}/api/v1/gateway/execute`, body, agent);
}
