import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { IssuedCertificate } from "@svc/process/testing/certificates";
import { parseJson } from "@svc/text/parse-json";
import { onTestFinished } from "vitest";

export type Json = Readonly<Record<string, unknown>>;

export interface TakenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A receiver by HTTP that answers as a test says. */
export interface HttpReceiver {
  readonly url: string;
  readonly taken: TakenRequest[];
}

export async function httpReceiver(
  answer: (request: TakenRequest, response: ServerResponse) => void,
): Promise<HttpReceiver> {
  const taken: TakenRequest[] = [];
  const server = createServer((request, response) => {
    void request
      .setEncoding("utf8")
      .toArray()
      .then((pieces: string[]) => {
        const { method = "", url: path = "", headers } = request;
        const one = { method, path, headers, body: pieces.join("") };
        taken.push(one);
        answer(one, response);
      });
  });
  return { url: `http://127.0.0.1:${String(await portOf(server))}`, taken };
}

/** The lines of newline-delimited JSON. */
export function linesOf(body: string): readonly Json[] {
  return body
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseJson(line) as Json);
}

/** One message of RFC 5424. */
export interface SyslogMessage {
  readonly priority: number;
  readonly time: string;
  readonly host: string;
  readonly app: string;
  readonly id: string;
  readonly body: Json;
}

export interface SyslogReceiver {
  readonly port: number;
  readonly taken: SyslogMessage[];
  /** Ends each connection after the first bytes, for now. */
  breaksOff: boolean;
}

/** RFC 5424: version 1, no process id, no structured data, and a text in UTF-8 with its mark. */
const HEADER =
  /^<(?<priority>\d{1,3})>1 (?<time>\S+) (?<host>\S{1,255}) (?<app>\S{1,48}) - (?<id>\S{1,32}) - /;
const BOM = "\ufeff";

/** A receiver of syslog over TLS that counts octets (RFC 5425), and takes nothing else. */
export async function syslogReceiver({ certificate, key }: IssuedCertificate): Promise<SyslogReceiver> {
  const receiver: SyslogReceiver = { port: 0, taken: [], breaksOff: false };
  const options = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createTlsServer(options, (socket) => {
    const pieces: Buffer[] = [];
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (receiver.breaksOff) socket.destroy();
    });
    // The connection is closed when everything was read, as receivers do.
    socket.on("end", () => {
      receiver.taken.push(...messagesOf(Buffer.concat(pieces)));
      socket.end();
    });
  });
  return Object.assign(receiver, { port: await portOf(server) });
}

function messagesOf(bytes: Buffer): readonly SyslogMessage[] {
  const messages: SyslogMessage[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const count = Number(bytes.subarray(at, space).toString("latin1"));
    const text = bytes.subarray(space + 1, space + 1 + count).toString("utf8");
    const { 0: header, groups } = HEADER.exec(text) ?? { 0: "" };
    const { priority, time, host, app, id } = groups ?? {};
    const body = text.slice(header.length);
    if (header === "" || !body.startsWith(BOM)) throw new Error(`not a message of RFC 5424: ${text}`);
    messages.push({
      priority: Number(priority),
      time: time ?? "",
      host: host ?? "",
      app: app ?? "",
      id: id ?? "",
      body: parseJson(body.slice(BOM.length)) as Json,
    });
    at = space + 1 + count;
  }
  return messages;
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
