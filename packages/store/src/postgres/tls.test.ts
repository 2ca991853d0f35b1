// peers: postgres, openssl
// long: it starts PostgreSQL and changes its certificate
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { giveAway } from "@svc/process/postgres-owner";
import { type IssuedCertificate, issueCertificate } from "@svc/process/testing/certificates";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DatabaseLink, startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { type PostgresServer, startPostgresServer } from "../testing/postgres-server.ts";
import { isDatabaseOutage } from "./database-outage.ts";
import { PrimaryServer } from "./primary-server.ts";

/** An address of this machine that no other test takes. */
const ADDRESS = `127.${String(randomInt(64, 120))}.${String(randomInt(1, 255))}.${String(randomInt(1, 255))}`;

describePostgres("TLS to PostgreSQL", () => {
  let folder: string;
  let server: PostgresServer;
  let link: DatabaseLink;
  const certificates = new Map<string, IssuedCertificate>();
  const pathOf = (name: string): string => certificates.get(name)?.certificate ?? "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "svc-tls-"));
    await giveAway(folder);
    const names = "DNS:localhost,IP:127.0.0.1";
    const authority = issueCertificate(folder, { name: "authority", names: "DNS:ca", isAuthority: true });
    const stranger = issueCertificate(folder, { name: "stranger", names: "DNS:ca", isAuthority: true });
    const issue = async (name: string, order: object): Promise<void> => {
      const issued = issueCertificate(folder, { name, names, ...order });
      await giveAway(issued.key);
      await giveAway(issued.certificate);
      certificates.set(name, issued);
    };
    certificates.set("authority", authority).set("stranger", stranger);
    await issue("good", { by: authority });
    await issue("by-name", { by: authority, names: "DNS:localhost" });
    await issue("elsewhere", { by: authority, names: "DNS:db.example.com" });
    await issue("expired", { by: authority, days: -1 });
    await issue("self-signed", {});
    await issue("client", { by: authority, name: "client" });
    const settings = [`listen_addresses = '${ADDRESS}'`, `ssl_ca_file = '${authority.certificate}'`];
    const access = [
      "local all all trust",
      "hostssl all client all cert",
      "hostssl all svc all trust",
      "hostnossl plain svc all trust",
    ];
    server = await startPostgresServer({ settings, access });
    await server.query("CREATE DATABASE plain");
    link = await startDatabaseLink(`postgres://svc@${ADDRESS}:5432/postgres`);
  }, 60_000);

  afterAll(async () => {
    await link?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until new connections see it. */
  async function set(name: string, value: string): Promise<void> {
    await server.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await server.query("SELECT pg_reload_conf()");
    await expect.poll(() => server.query(`SHOW ${name}`), { timeout: 5_000 }).toBe(value);
  }

  async function present(name: string): Promise<void> {
    const { certificate, key } = certificates.get(name) ?? { certificate: "", key: "" };
    await set("ssl_cert_file", certificate);
    await set("ssl_key_file", key);
    await set("ssl", "on");
  }

  const urlOf = (parameters: string, host = "localhost", database = "postgres"): string =>
    `postgres://svc@${link.host.replace("127.0.0.1", host)}/${database}${parameters}`;

  /** Whether the connection is encrypted, or why there is none. */
  async function connect(url: string): Promise<string> {
    let primary: PrimaryServer;
    try {
      primary = new PrimaryServer(url);
    } catch (error) {
      return String(error);
    }
    const client = await primary.connect().catch((error: unknown) => {
      expect(isDatabaseOutage(error)).toBe(false);
      return String(error);
    });
    if (typeof client === "string") return client;
    const asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    const { rows } = await client.query<{ ssl: boolean }>(asked);
    await client.end();
    return rows[0]?.ssl === true ? "encrypted" : "plain";
  }

  const checked = (mode: string, authority = "authority"): string =>
    `?sslmode=${mode}&sslrootcert=${pathOf(authority)}`;

  // proves STATE-12
  it("each sslmode checks what PostgreSQL's own clients check", async () => {
    const wrongName = /its certificate is not for this name\. Use a name that the certificate holds/;
    const untrusted = /its certificate is not trusted \([^;]*\)\. .*sslrootcert/;
    const expired = /its certificate, or one that signed it, has expired/;
    const cases: readonly (readonly [string, () => string, string | RegExp, string?])[] = [
      ["good", () => "?sslmode=require", "encrypted"],
      ["good", () => checked("require"), "encrypted"],
      ["good", () => checked("verify-ca"), "encrypted"],
      ["good", () => checked("verify-full"), "encrypted"],
      ["good", () => checked("verify-full"), "encrypted", "127.0.0.1"],
      ["good", () => checked("verify-full", "stranger"), untrusted],
      ["good", () => checked("require", "stranger"), untrusted],
      ["good", () => "?sslmode=verify-full", untrusted],
      ["elsewhere", () => checked("verify-ca"), "encrypted"],
      ["elsewhere", () => checked("verify-full"), wrongName],
      ["elsewhere", () => checked("verify-full"), wrongName, "127.0.0.1"],
      ["expired", () => "?sslmode=require", "encrypted"],
      ["expired", () => checked("require"), expired],
      ["expired", () => checked("verify-ca"), expired],
      ["expired", () => checked("verify-full"), expired],
      ["self-signed", () => "?sslmode=require", "encrypted"],
      ["self-signed", () => checked("verify-ca"), untrusted],
      ["self-signed", () => checked("verify-ca", "self-signed"), "encrypted"],
    ];
    let shown = "";
    for (const [certificate, parameters, wanted, host] of cases) {
      if (certificate !== shown) await present(certificate);
      shown = certificate;
      const got = await connect(urlOf(parameters(), host));
      const matches = expect.stringMatching(wanted) as string;
      expect([certificate, parameters(), host, got]).toEqual([certificate, parameters(), host, matches]);
    }
  });

  // proves STATE-12
  it("an environment that turns checks off turns off none", async () => {
    await present("expired");
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await connect(urlOf(checked("verify-full")))).toMatch(/has expired/);
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
  });

  // proves STATE-12
  it("a side that does not encrypt is refused with the fix", async () => {
    await present("good");
    expect(await connect(urlOf(""))).toMatch(/no encryption\. If it demands TLS, add sslmode=verify-full/);
    expect(await connect(urlOf("", "localhost", "plain"))).toBe("plain");
    await set("ssl", "off");
    for (const parameters of ["?sslmode=require", checked("verify-full")])
      expect(await connect(urlOf(parameters))).toMatch(/it offers no TLS, and sslmode=\S+ demands it/);
    expect(await connect(urlOf("?sslmode=disable", "localhost", "plain"))).toBe("plain");
  });

  it("a file that cannot be used is named", async () => {
    const text = join(folder, "text.pem");
    writeFileSync(text, "not a certificate");
    for (const path of ["/nowhere", text])
      expect(await connect(urlOf(`?sslmode=verify-full&sslrootcert=${path}`))).toContain(
        `sslrootcert: expected a readable PEM file, found "${path}"`,
      );
  });

  it("a certificate of the client is presented", async () => {
    await present("good");
    await server.query("CREATE ROLE client LOGIN");
    const { certificate, key } = certificates.get("client") ?? { certificate: "", key: "" };
    const at = link.host.replace("127.0.0.1", "localhost");
    const url = (files: string): string =>
      `postgres://client@${at}/postgres${checked("verify-full")}${files}`;
    expect(await connect(url(`&sslcert=${certificate}&sslkey=${key}`))).toBe("encrypted");
    expect(await connect(url(""))).toMatch(/valid client certificate/);
  });

  // proves STATE-12
  it("a host with a certificate that is refused does not hide the primary", async () => {
    await present("by-name");
    const port = link.host.split(":")[1] ?? "";
    const hosts = (names: readonly string[]): string =>
      `postgres://svc@${names.map((name) => `${name}:${port}`).join(",")}/postgres${checked("verify-full")}`;
    expect(await connect(hosts(["127.0.0.1"]))).toMatch(/not for this name/);
    expect(await connect(hosts(["127.0.0.1", "localhost"]))).toBe("encrypted");
    expect(await connect(hosts(["127.0.0.1", "127.0.0.1"]))).toMatch(/not for this name/);
  });
});
