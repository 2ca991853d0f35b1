// peers: nginx, postgres, envoy, curl, openssl
// long: starts every service of the Compose file
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { documentSteps, showsAnswer } from "../support/cli/document-commands.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { COMPOSE_FILE, ComposeStage, readCompose } from "../support/proxies/compose-stage.ts";
import { send } from "../support/server/api.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCKER = join(ROOT, "docker");

const compose = readCompose();
const services = Object.entries(compose.services);

// proves OPS-13
describe("compose.yaml", () => {
  it("is valid by the schema of the Compose Specification", () => {
    // From github.com/compose-spec/compose-go v2.16.2, Apache-2.0.
    const schema: unknown = JSON.parse(readFileSync(join(ROOT, "e2e/testdata/compose-spec.json"), "utf8"));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(schema as object);
    const known: unknown = parse(readFileSync(COMPOSE_FILE, "utf8"), { merge: true });
    validate(known);
    expect(validate.errors ?? []).toEqual([]);
    validate({ ...(known as object), services: { server: { image: 1 } } });
    expect(validate.errors).not.toBeNull();
  });

  it.each(services)("%s gives away nothing that it does not need", (name, service) => {
    expect(service.image).toMatch(service.build === undefined ? /:.*\d+\.\d+/ : /^svc$/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty(secret);
    for (const network of service.networks ?? []) expect(compose.networks).toHaveProperty(network);
    expect(JSON.stringify(service.environment ?? {})).not.toMatch(/_(?:KEY|PASSWORD|URL)":"(?!http)/);
    // The image of PostgreSQL gives its folder to another user when it starts.
    if (name === "postgres") return;
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  });

  it("mounts files that exist, and keeps PostgreSQL and the processor to those who need them", () => {
    const all = services.flatMap(([, { volumes = [] }]) => volumes);
    const mounts = all.filter((text) => text.startsWith("."));
    for (const mount of mounts) expect(existsSync(join(DOCKER, mount.split(":")[0] ?? ""))).toBe(true);
    const on = (network: string): readonly string[] =>
      services.filter(([, { networks = [] }]) => networks.includes(network)).map(([name]) => name);
    expect([on("database"), on("processor")]).toEqual([
      ["postgres", "control", "gateway-1", "gateway-2"],
      ["svc-extproc", "envoy"],
    ]);
    expect([compose.networks["database"], compose.networks["processor"]]).toEqual([
      { internal: true },
      { internal: true },
    ]);
  });

  it("runs Envoy with the shipped configuration, except for addresses", () => {
    const shipped = readFileSync(join(ROOT, "envoy/envoy.yaml"), "utf8");
    const own = readFileSync(join(DOCKER, "envoy.yaml"), "utf8");
    const withAddresses = shipped
      .replace("127.0.0.1, port_value: 8087", "0.0.0.0, port_value: 8087")
      .replace("127.0.0.1, port_value: 3000", "backend, port_value: 3000")
      .replace("127.0.0.1, port_value: 9002", "svc-extproc, port_value: 9002")
      .replaceAll("type: STATIC", "type: STRICT_DNS");
    expect(parse(own)).toEqual(parse(withAddresses));
  });
});

const cannotRun = missing.nginx ?? missing.postgres ?? missing.envoy ?? missing.curl ?? missing.openssl;

/** Runs the commands of docs/DEPLOY.md; `docker compose up` starts the services as processes. */
async function runSection(stage: ComposeStage): Promise<void> {
  const page = readFileSync(join(ROOT, "docs/DEPLOY.md"), "utf8");
  const section = page.split("\n## Docker Compose\n")[1]?.split("\n## ")[0] ?? "";
  const steps = documentSteps(section);
  expect(steps).toHaveLength(7);
  for (const { command, answer } of steps) {
    if (command.startsWith("docker compose ") && !command.includes(" exec ")) {
      expect(command).toMatch(/^docker compose -f docker\/compose\.yaml (--profile \w+ )?up .*--wait\n$/);
      await stage.up(/--profile (\w+)/.exec(command)?.[1]);
      for (const name of ["control", "gateway-1", "gateway-2"]) {
        const ready = `http://${stage.addressOf(name)}:8080/readyz`;
        await expect.poll(async () => (await send("GET", ready)).status, { timeout: 20_000 }).toBe(200);
      }
      continue;
    }
    const output = await stage.run(command);
    if (answer?.kind === "text") expect(output.trim()).toBe(answer.text.trim());
    if (answer?.kind === "json") expect(showsAnswer(JSON.parse(answer.text), JSON.parse(output))).toBe(true);
  }
}

// proves OPS-13, OPS-54
// skip: a machine without the peers; the runner says which one is missing
it.skipIf(cannotRun)("its services govern calls, by the commands of docs/DEPLOY.md", async () => {
  const stage = await ComposeStage.make();
  await runSection(stage);
  expect(statSync(join(stage.folder, "docker/secrets")).mode & 0o777).toBe(0o700);
  const tls = "--cacert docker/secrets/tls-certificate https://localhost:8443";
  expect(await stage.run(`curl -s -o /dev/null -w '%{http_code}' ${tls}/metrics`)).toBe("404");
  expect(await stage.run(`curl -s ${tls}/api/v1/keys`)).toContain('"code":"unauthenticated"');
  const check = "-H 'X-Svc-Agent-Id: refund-agent' -H 'X-Svc-Tool: orders.read' http://localhost:9004/check";
  expect(await stage.run(`curl -s -o /dev/null -w '%{http_code}' ${check}`)).toBe("200");
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}';
  const types = "-H 'content-type: application/json' -H 'accept: application/json, text/event-stream'";
  expect(await stage.run(`curl -s ${types} -d '${call}' http://localhost:9003/mcp`)).toContain("no_policy");
  const json = "-H 'content-type: application/json'";
  const kill = '{"scope":"tool","target_id":"orders.read","reason":"r","activated_by":"a"}';
  const admin = `-H "Authorization: Bearer $(cat docker/secrets/admin-key)" ${json}`;
  const members = await stage.run(`curl -fsS ${admin} ${tls}/api/v1/gateways`);
  expect(JSON.parse(members)).toMatchObject({ gateways: { length: 3 } });
  const activate = `curl -fsS ${admin} -d '${kill}' ${tls}/v1/kill-switch`;
  let switched: { readonly kill_switch_id?: string } = {};
  // A gateway on a busy machine may acknowledge later than the first answer waits for it.
  await expect
    .poll(async () => (switched = JSON.parse(await stage.run(activate)) as typeof switched))
    .toMatchObject({ enforced: true, gateways: { length: 2 } });
  for (let turn = 0; turn < 4; turn += 1)
    expect(await stage.run(`curl -s -o /dev/null -w '%{http_code}' ${check}`)).toBe("403");
  const why = `-d '{"reason":"r","deactivated_by":"a"}'`;
  const one = `${tls}/v1/kill-switch/${String(switched.kill_switch_id)}`;
  await stage.run(`curl -fsS ${admin} -X DELETE ${why} ${one}`);
  // One gateway less: the other one answers, and no call is lost.
  await stage.kill("gateway-1");
  for (let turn = 0; turn < 6; turn += 1)
    expect(await stage.run(`curl -s -o /dev/null -w '%{http_code}' ${check}`)).toBe("200");
  // Made again, the secrets stay as they are, and their folder is closed.
  const secrets = join(stage.folder, "docker/secrets");
  const before = readFileSync(join(secrets, "admin-key"), "utf8");
  chmodSync(secrets, 0o755);
  await stage.run("docker/make-secrets.sh");
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(stage.folder, "docker/secrets/admin-key"), "utf8")).toBe(before);
});
