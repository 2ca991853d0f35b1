import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compactDecrypt, exportJWK, generateKeyPair } from "jose";
import { type Configuration, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";
import { PlainBrowser } from "./plain-browser.ts";

/** People of the provider, by their subject. */
type Accounts = Readonly<Record<string, { readonly name: string; readonly groups: readonly string[] }>>;

/** A real provider of OpenID Connect on this machine. */
export interface OidcProvider {
  readonly issuer: string;
  /** Variables of a server that people sign in to with this provider. */
  readonly env: Readonly<Record<string, string>>;
  /** The server that people come back to. */
  redirectTo(publicUrl: string): void;
  /** From now on the provider signs with a new key. */
  rotateKeys(): Promise<void>;
  /** From now on the provider does not know this person. */
  revoke(subject: string): void;
  /** From now on the provider names these groups of this person. */
  regroup(subject: string, groups: readonly string[]): void;
  /** Changes each answer of this path before it is sent. */
  tamper(path: string, change: (body: Record<string, unknown>) => Promise<Record<string, unknown>>): void;
  stop(): void;
}

const CLIENT = { id: "svc", secret: "client-secret-of-a-test" };

/** Starts a provider. It ends with the test. */
export async function startOidcProvider(
  accounts: Accounts,
  { path = "" }: { readonly path?: string } = {},
): Promise<OidcProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => void handle(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${String(port)}${path}`;
  let redirect = "";
  let keys = [await signingKey("k1")];
  const revoked = new Set<string>();
  const regrouped = new Map<string, readonly string[]>();
  const restart = (): void => {
    handle = new Provider(
      issuer,
      configurationOf({ accounts, revoked, regrouped, redirect, keys }),
    ).callback();
  };
  restart();
  const env = {
    SVC_OIDC_ISSUER: issuer,
    SVC_OIDC_CLIENT_ID: CLIENT.id,
    SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
    SVC_OIDC_CLAIMS: JSON.stringify({
      scopes: "openid profile",
      roles: [
        { claim: "groups", value: "finance", role: "approver" },
        { claim: "groups", value: "svc-admins", role: "admin" },
        { claim: "groups", value: "authors", role: "policy_author" },
      ],
    }),
    SVC_OUTBOUND_ALLOW: `127.0.0.1:${String(port)}`,
  };
  return {
    issuer,
    env,
    redirectTo: (publicUrl) => {
      redirect = `${publicUrl}/login/0/callback`;
      restart();
    },
    rotateKeys: async () => {
      keys = [await signingKey("k2")];
      restart();
    },
    revoke: (subject) => void revoked.add(subject),
    regroup: (subject, groups) => void regrouped.set(subject, groups),
    tamper: (tampered, change) => {
      const inner = handle;
      handle = (request, response) => {
        if (request.url?.startsWith(tampered) === true) changeAnswer(response, change);
        void inner(request, response);
      };
    },
    stop,
  };
}

async function signingKey(kid: string) {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
}

interface Settings {
  readonly accounts: Accounts;
  readonly revoked: ReadonlySet<string>;
  readonly regrouped: ReadonlyMap<string, readonly string[]>;
  readonly redirect: string;
  readonly keys: readonly object[];
}

function configurationOf({ accounts, revoked, regrouped, redirect, keys }: Settings): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirect === "" ? ["http://localhost/none"] : [redirect],
        application_type: "native",
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    jwks: { keys: [...keys] },
    claims: { openid: ["sub"], profile: ["name", "groups"] },
    pkce: { required: () => true },
    findAccount: (_context, id) => {
      const account = accounts[id];
      if (account === undefined || revoked.has(id)) return undefined;
      return {
        accountId: id,
        claims: () => ({ sub: id, ...account, groups: [...(regrouped.get(id) ?? account.groups)] }),
      };
    },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["a secret of a test"] },
  };
}

function changeAnswer(
  response: ServerResponse,
  change: (body: Record<string, unknown>) => Promise<Record<string, unknown>>,
): void {
  const end = response.end.bind(response);
  response.end = ((text: string | Buffer) => {
    void change(JSON.parse(String(text)) as Record<string, unknown>).then((body) => {
      const changed = JSON.stringify(body);
      if (!response.headersSent) response.setHeader("content-length", Buffer.byteLength(changed));
      end(changed);
    });
    return response;
  }) as typeof response.end;
}

/** A key of a person's login at a server, by the page of svc-cli. */
export async function loginKeyOf(serverUrl: string, person: string): Promise<string> {
  const pair = await generateKeyPair("ECDH-ES", { crv: "X25519", extractable: true });
  const { x = "" } = await exportJWK(pair.publicKey);
  const page = `${serverUrl}/login/cli?port=9999&key=${x}&state=${"s".repeat(24)}`;
  const browser = new PlainBrowser();
  const location = await browser.giveLogin(page, person);
  const sealed = new URL(location).searchParams.get("login") ?? "";
  return new TextDecoder().decode((await compactDecrypt(sealed, pair.privateKey)).plaintext);
}
