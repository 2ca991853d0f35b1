// peers: helm, kubernetes-validate
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CHART = join(ROOT, "deploy", "helm", "svc");
const EVERYTHING = join(ROOT, "e2e", "testdata", "helm", "everything.yaml");

/** The oldest release that the chart accepts, and the newest one whose schemas there are. */
const KUBERNETES_VERSIONS = ["1.30", "1.37"];

/** What the tests read of a manifest. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly { readonly from: readonly unknown[]; readonly ports: readonly unknown[] }[];
    readonly endpoints: readonly {
      readonly port: string;
      readonly relabelings: readonly { readonly replacement: string }[];
    }[];
    readonly selector: { readonly matchLabels: Labels };
    readonly ports: readonly { readonly name: string }[];
  };
}
type Labels = Readonly<Record<string, string>>;
interface PodSpec {
  readonly containers: readonly Container[];
  readonly securityContext: unknown;
  readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
}
interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly readinessProbe: unknown;
}

function helm(...args: readonly string[]): Promise<ProgramResult> {
  return runProgram(programOf("helm"), args, { HOME: "/nonexistent" });
}

/** The one value without a default that serves. */
const REQUIRED = "server.publicUrl=https://svc.example.com";

function template(...args: readonly string[]): Promise<ProgramResult> {
  return helm("template", "prod", CHART, "-n", "tools", "--set", REQUIRED, ...args);
}

async function render(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await template(...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

function manifestsOf(text: string): readonly Manifest[] {
  // Kubernetes reads 0440 as an octal number.
  const documents = parseAllDocuments(text, { version: "1.1" });
  return documents.map((document) => document.toJS() as Manifest | null).filter((known) => known !== null);
}

function workloadsOf(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(({ kind }) => kind === "StatefulSet" || kind === "Deployment");
}

function covers(wanted: Labels, labels: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

const RENDERINGS = [
  ["the defaults", []],
  ["everything", ["-f", EVERYTHING]],
] as const;

const cannotRender = missing.helm;

// proves OPS-53
// skip: a machine without Helm; the runner says why there is none
describe.skipIf(cannotRender)("the Helm chart", () => {
  it("has no fault that helm lint finds", async () => {
    const { exitCode, stdout } = await helm("lint", "--strict", CHART, "--set", REQUIRED, "-f", EVERYTHING);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  });

  it.each([
    ["no control plane", "control.replicas=0", "/control/replicas"],
    [
      "several control planes that would each make a key",
      "control.replicas=2",
      "/server/adminKeySecret/name",
    ],
    ["a name that it does not know", "gateway.replica=1", "replica"],
    ["a secret as a value", "server.env.SVC_DATABASE_URL=postgres://u:p@h/d", "/server/env"],
    ["no key of stored secrets", "server.secretsKeySecret.name=", "/server/secretsKeySecret/name"],
    ["the key of stored secrets as a value", "server.env.SVC_SECRETS_KEY=x", "/server/env"],
    ["TLS where the probes speak plain HTTP", "server.env.SVC_TLS_CERT_FILE=/x", "/server/env"],
    ["a key as a value", "adapters.checkgw.env.SVC_API_KEY=svc_x", "/adapters/checkgw/env"],
    ["a digest that is none", "image.digest=sha256:1", "/image/digest"],
    ["a certificate without a name", "ingress.enabled=true", "/ingress"],
    ["an address without a scheme", "server.publicUrl=svc.example.com", "/server/publicUrl"],
    ["an address with a line of its own", "server.publicUrl=https://a\nkind: Secret", "/server/publicUrl"],
    ["no address for approvers", "server.publicUrl=", "/server/publicUrl"],
    ["a part that was removed", "networkPolicy=null", "networkPolicy"],
    ["a value that was removed", "gateway.replicas=null", "replicas"],
    ["one gateway id for all pods", "server.env.SVC_GATEWAY_ID=one", "/server/env"],
    [
      "a program without a memory limit, by which Node bounds its heap",
      "adapters.resources.limits.memory=null",
      "/adapters/resources/limits",
    ],
    [
      "options of Node, which lift the bounds of threads",
      "adapters.checkgw.env.NODE_OPTIONS=--max-old-space-size=256",
      "/adapters/checkgw/env",
    ],
    ["another port than that of the Service", "server.env.SVC_LISTEN=0.0.0.0:1", "/server/env"],
    [
      "a peer that Kubernetes does not know",
      "networkPolicy.allowFrom[0].ipBlok.cidr=10.0.0.0/8",
      "/networkPolicy/allowFrom/0",
    ],
    [
      "two MCP proxies of one name",
      "adapters.mcpProxies[0].name=a,adapters.mcpProxies[0].upstreamUrl=http://a," +
        "adapters.mcpProxies[1].name=a,adapters.mcpProxies[1].upstreamUrl=http://b",
      "two entries have the name a",
    ],
  ])("refuses %s", async (_what, value, place) => {
    const { exitCode, stderr } = await template("--set", value);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(place);
  });

  it("gives the key of stored secrets to every server as a file", async () => {
    const named = await render("--set", "server.secretsKeySecret.name=of-the-test");
    expect(named.match(/value: \/run\/svc\/secrets\/key/g)).toHaveLength(2);
    expect(named.match(/secretName: of-the-test/g)).toHaveLength(2);
  });

  it("lets servers speak TLS, and probes, adapters and Prometheus with them", async () => {
    const text = await render("-f", EVERYTHING);
    expect(text.match(/value: \/run\/svc\/tls\/tls\.crt/g)).toHaveLength(3);
    expect(text.match(/scheme: HTTPS/g)).toHaveLength(6);
    expect(text.match(/value: https:\/\/prod-svc-gateway:8080/g)).toHaveLength(3);
    expect(text.match(/value: \/run\/svc\/server\/ca\.crt/g)).toHaveLength(3);
    expect(text.match(/serverName: prod-svc-(?:control|gateway)$/gm)).toHaveLength(2);
    expect(await render()).not.toMatch(/SVC_TLS|HTTPS|https:\/\/prod/);
  });

  it("leads the ways of people to the control plane", async () => {
    const text = await render("-f", EVERYTHING);
    for (const path of ["/approvals", "/login"]) expect(text).toContain(`- path: ${path}\n`);
  });

  it("sends a browser always to the same one of several control planes", async () => {
    const several = manifestsOf(
      await render("--set", "control.replicas=2,server.adminKeySecret.name=svc-admin"),
    );
    const service = several.find(
      ({ kind, metadata }) => kind === "Service" && metadata.name === "prod-svc-control",
    );
    expect(service?.spec).toMatchObject({ sessionAffinity: "ClientIP" });
    const pods = workloadsOf(several).find(({ metadata }) => metadata.name === "prod-svc-control");
    expect(pods?.spec).toMatchObject({ replicas: 2 });
    expect(await render()).not.toContain("sessionAffinity");
  });

  it("mounts the authority of the database where the address in docs/DEPLOY.md names it", async () => {
    const page = readFileSync(join(ROOT, "docs/DEPLOY.md"), "utf8");
    expect(page).toContain("sslrootcert=/run/svc/database/ca.pem");
    const text = await render("--set", "database.secret.caKey=authority");
    for (const { spec } of workloadsOf(manifestsOf(text)).slice(0, 2)) {
      expect(spec.template.spec.volumes).toContainEqual({
        name: "database",
        secret: {
          secretName: "svc-database",
          defaultMode: 0o440,
          items: [
            { key: "url", path: "url" },
            { key: "authority", path: "ca.pem" },
          ],
        },
      });
    }
    expect(text).toContain("mountPath: /run/svc/database,");
    expect(await render()).not.toContain("ca.pem");
  });

  describe.each(RENDERINGS)("rendered with %s", (_name, args) => {
    it("makes pods that the Pod Security Standard `restricted` admits", async () => {
      for (const { spec } of workloadsOf(manifestsOf(await render(...args)))) {
        const pod = spec.template.spec;
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 10_001,
          seccompProfile: { type: "RuntimeDefault" },
        });
        expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
        expect(pod.volumes.filter((volume) => "hostPath" in volume)).toEqual([]);
        for (const container of pod.containers) {
          expect(container).toMatchObject({
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
            livenessProbe: { httpGet: { path: "/healthz" } },
            readinessProbe: {
              httpGet: { path: ["control", "gateway"].includes(container.name) ? "/readyz" : "/healthz" },
            },
          });
        }
      }
    });

    it("uses the programs, ports and variables that there are", async () => {
      const dockerfile = readFileSync(join(ROOT, "docker", "Dockerfile"), "utf8");
      const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(" ") ?? [];
      const { KNOWN_VARIABLES } = (await import(join(ROOT, "packages/process/src/known-variables.ts"))) as {
        KNOWN_VARIABLES: ReadonlySet<string>;
      };
      for (const { spec } of workloadsOf(manifestsOf(await render(...args)))) {
        for (const { command, ports, env } of spec.template.spec.containers) {
          expect(dockerfile).toContain(` /usr/local/bin/${command.join(" ")} `);
          expect(exposed).toEqual(expect.arrayContaining(ports.map((port) => String(port.containerPort))));
          const names = env.map(({ name }) => name.replace(/(?<=_(?:URL|KEY))_FILE$/, ""));
          const unknown = names.filter(
            (name) =>
              name !== "NODE_EXTRA_CA_CERTS" &&
              !KNOWN_VARIABLES.has(name) &&
              !KNOWN_VARIABLES.has(`${name}_FILE`),
          );
          expect(unknown).toEqual([]);
          expect(new Set(names).size).toBe(names.length);
        }
      }
    });

    it("holds no secret, and mounts each one by the name of its Secret", async () => {
      const text = await render(...args);
      expect(manifestsOf(text).filter(({ kind }) => kind === "Secret")).toEqual([]);
      expect(text).not.toContain("secretKeyRef");
      for (const { spec } of workloadsOf(manifestsOf(text))) {
        for (const { env } of spec.template.spec.containers)
          for (const { name, value } of env) {
            if (/_(?:KEY|DATABASE_URL)(?:_FILE)?$/.test(name)) expect(value).toMatch(/^\/run\/svc\//);
          }
      }
    });

    it("closes every pod with one network policy, to and from", async () => {
      const manifests = manifestsOf(await render(...args));
      const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
      for (const { spec } of workloadsOf(manifests)) {
        const { labels } = spec.template.metadata;
        const own = policies.filter((policy) => covers(policy.spec.podSelector.matchLabels, labels));
        expect(own).toHaveLength(1);
        expect(own[0]?.spec.policyTypes).toEqual(["Ingress", "Egress"]);
        // A rule without `from`, or with an empty one, lets everybody in.
        for (const rule of own[0]?.spec.ingress ?? [])
          expect([rule.from.length > 0, rule.ports.length > 0]).toEqual([true, true]);
      }
      const open = manifestsOf(await render(...args, "--set", "networkPolicy.enabled=false"));
      expect(open.filter(({ kind }) => kind === "NetworkPolicy")).toEqual([]);
    });

    it("limits how many pods of each workload are away at a time", async () => {
      const manifests = manifestsOf(await render(...args));
      const budgets = manifests.filter(({ kind }) => kind === "PodDisruptionBudget");
      for (const { spec } of workloadsOf(manifests)) {
        const { labels } = spec.template.metadata;
        expect(budgets.filter((budget) => covers(budget.spec.selector.matchLabels, labels))).toHaveLength(1);
      }
    });
  });

  it("scrapes every workload under a job that the alert rules look for", async () => {
    const manifests = manifestsOf(await render("-f", EVERYTHING));
    const services = manifests.filter(({ kind }) => kind === "Service");
    const monitors = manifests.filter(({ kind }) => kind === "ServiceMonitor");
    expect(monitors).toHaveLength(workloadsOf(manifests).length);
    for (const { metadata, spec } of monitors) {
      const service = services.find(({ metadata: { name } }) => name === metadata.name);
      const [endpoint] = spec.endpoints;
      expect(service?.spec.ports.map(({ name }) => name)).toContain(endpoint?.port);
      expect(endpoint?.relabelings[0]?.replacement).toMatch(/^svc-/);
    }
  });
});

// proves OPS-53
// skip: a machine without Helm or the schemas; the runner says why
describe.skipIf(cannotRender || missing["kubernetes-validate"])("the manifests of the Helm chart", () => {
  it.each(
    KUBERNETES_VERSIONS.flatMap((version) => RENDERINGS.map(([name, args]) => ({ version, name, args }))),
  )("are valid by the schemas of Kubernetes $version with $name", async ({ version, args }) => {
    const text = await render(...args);
    const file = join(await temporaryDirectory(), "manifests.yaml");
    // The schemas are those of Kubernetes itself. No schema is here for the Prometheus operator.
    const documents = text.split(/^---$/m).filter((part) => !part.includes("kind: ServiceMonitor"));
    await writeFile(file, documents.join("---\n"));
    const folder = programOf("kubernetes-validate");
    const validate = [join(folder, "bin", "kubernetes-validate"), "--strict", "-k", version, file];
    const { exitCode, stdout, stderr } = await runProgram("python3", validate, { PYTHONPATH: folder });
    expect([exitCode, `${stdout}${stderr}`.match(/^(?!INFO).+$/gm)]).toEqual([0, null]);
    expect(`${stdout}${stderr}`.match(/ passed for resource /g)?.length).toBe(
      manifestsOf(documents.join("---\n")).length,
    );
  });
});
