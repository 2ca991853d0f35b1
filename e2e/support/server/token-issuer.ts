import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

/** Gives tokens to programs, as the platforms of pipelines do. */
export interface TokenIssuer {
  readonly url: string;
  /** What lets a server read the keys of the issuer, which is on this machine. */
  readonly env: Readonly<Record<string, string>>;
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
}

const MS_PER_S = 1_000;

/** Starts an issuer. It ends with the test. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" };
  let url = "";
  const server = createServer((request, response) => {
    const isKeys = request.url === "/keys";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isKeys ? { keys: [key] } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${String(port)}`;
  const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> => {
    const nowS = Math.floor(Date.now() / MS_PER_S);
    return new SignJWT({ iss: url, iat: nowS, exp: nowS + 300, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .sign(privateKey);
  };
  return { url, env: { SVC_OUTBOUND_ALLOW: `127.0.0.1:${String(port)}` }, sign };
}
