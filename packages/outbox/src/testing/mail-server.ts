import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly isEncrypted: boolean;
}

/** A real server for mail, on this machine. It refuses what its options refuse. */
export async function mailServer(options: SMTPServerOptions = {}) {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString(),
          isEncrypted: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  // A client that ends its connection in the middle is an error of that connection alone.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const close = async (): Promise<void> => {
    server.close();
    await once(server.server, "close");
  };
  return { taken, port: (server.server.address() as AddressInfo).port, close };
}
