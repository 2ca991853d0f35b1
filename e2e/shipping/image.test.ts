// peers: buildah, debian-root, hadolint
// long: builds the container image
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RunningProcess } from "../support/processes/child-process.ts";
import { cannotMount, missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { buildImage, type ContainerImage, nodeVersionOfImage } from "../support/proxies/container-image.ts";
import { execute, send } from "../support/server/api.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * The largest tree of our own files in an image, in MiB. The bundles take 40: 10 of them are the reactor of
 * Rego, which the server and svc-cli each have.
 */
const MAX_OWN_MIB = 48;

/** Most that the builder gets, in bytes: sources, without tests. They take 6 MB. */
const MAX_CONTEXT_BYTES = 16 * 1024 * 1024;

it("the image runs the Node that the tests run", () => {
  expect(nodeVersionOfImage()).toBe(process.versions.node);
});

// skip: a machine without hadolint; the runner says why there is none
it.skipIf(missing.hadolint)("hadolint finds nothing in the Dockerfile", async () => {
  const found = await runProgram(programOf("hadolint"), [join(ROOT, "docker", "Dockerfile")]);
  expect(found).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

const cannotBuild = missing.buildah ?? missing["debian-root"] ?? (cannotMount() ? "no mounts" : null);

/** Milliseconds for the build of the image. */
const BUILD_TIMEOUT_MS = 300_000;

// proves OPS-50
// skip: the build needs Buildah, an archive of Debian and mounts; the runner says what is missing
describe.skipIf(cannotBuild)("the image, built upon a stand-in for its base", () => {
  let image: ContainerImage;
  beforeAll(async () => {
    image = await buildImage();
  }, BUILD_TIMEOUT_MS);
  afterAll(() => image.stop());

  /** Starts a program by its name on one free port. */
  async function start(
    name: string,
    listen: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly program: RunningProcess; readonly address: string; readonly port: number }> {
    const port = await findFreePort();
    const address = `127.0.0.1:${String(port)}`;
    const program = await image.start([name], { env: { ...env, [listen]: address }, ready: { port } });
    onTestFinished(async () => void (await program.stop("SIGKILL")));
    return { program, address, port };
  }

  it("runs without root, and starts the server when nothing is named", () => {
    expect(image.config.User).toBe("10001:10001");
    expect([...(image.config.Entrypoint ?? []), ...image.config.Cmd]).toEqual(["svc-server"]);
    expect(Object.keys(image.config.Volumes)).toEqual(["/var/lib/svc"]);
  });

  it("is built from sources alone: nothing that git ignores, no key, nothing large", async () => {
    const context = await image.context();
    const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const known = new Set(execFileSync("git", listing, { cwd: ROOT, encoding: "utf8" }).split("\0"));
    expect([...context.keys()].filter((path) => !known.has(path))).toEqual([]);
    expect(
      [...context.keys()].filter((path) => /\.(?:pem|key|env|sqlite|db)$|\.test\.ts$/.test(path)),
    ).toEqual([]);
    const bytes = [...context.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(MAX_CONTEXT_BYTES);
  });

  it("holds the programs and nothing that the context must not have", async () => {
    const find = 'find /opt /src -xdev -type f ! -path "*/dist/*" 2>/dev/null | sort';
    const { stdout } = await image.run(["sh", "-c", find]);
    expect(stdout.trim().split("\n")).toEqual([
      "/opt/svc/LICENSE",
      "/opt/svc/health.mjs",
      "/opt/svc/package.json",
      "/opt/svc/proto/ext_proc.proto",
      "/opt/svc/proto/health.proto",
    ]);
    const size = await image.run(["du", "-sm", "/opt/svc"]);
    expect(Number.parseInt(size.stdout, 10)).toBeLessThan(MAX_OWN_MIB);
  });

  it("has neither a package manager of Node nor a writable file outside its volume and /tmp", async () => {
    const { stdout } = await image.run([
      "sh",
      "-c",
      "command -v npm npx yarn corepack; touch /opt/svc/x; id -u",
    ]);
    expect(stdout.trim()).toBe("10001");
    const status = await image.run(["grep", "^Cap[BE]", "/proc/self/status"]);
    expect(status.stdout.match(/0{16}/g)).toHaveLength(2);
  });

  it.each(["svc-server", "svc-extproc", "svc-mcp-proxy", "svc-checkgw", "svc-cli"])(
    "starts %s by its name",
    async (name) => {
      const { exitCode, stdout } = await image.run([name, "--version"]);
      expect([exitCode, stdout.trim()]).toEqual([0, expect.stringMatching(/^\S+ \d+\.\d+\.\d+/)]);
    },
  );

  it("holds compiled code that each program takes, and that none can change", async () => {
    const { stdout } = await image.run([
      "sh",
      "-c",
      "find /opt/svc ! -user root -o ! -readable -o -writable; ls -d /opt/svc/*/*/dist/compile-cache/*",
    ]);
    const folder = expect.stringMatching(/^\/opt\/svc\/packages\/[a-z-]+\/dist\/compile-cache\/v.+-10001$/);
    expect(stdout.trim().split("\n")).toEqual(Array.from({ length: 5 }, () => folder));
    for (const name of ["server", "extproc", "mcp-proxy", "checkgw", "cli"]) {
      const program = `/opt/svc/packages/${name}/dist/main-program.js`;
      const { stderr } = await image.run(["node", program.replace("-program", ""), "--version"], {
        NODE_DEBUG_NATIVE: "COMPILE_CACHE",
      });
      expect(stderr).toContain(`cache for ESM file://${program} was accepted`);
    }
  });

  it("decides calls, is healthy while it lives, ready while it can decide, and ends on SIGTERM", async () => {
    const key = `svc_docker_${"k".repeat(43)}`;
    const { program, address } = await start("svc-server", "SVC_LISTEN", { SVC_BOOTSTRAP_API_KEY: key });
    const env = { SVC_LISTEN: address };
    const [test, ...command] = image.config.Healthcheck.Test;
    expect(test).toBe("CMD");
    expect(await image.run(command, env)).toMatchObject({ exitCode: 0 });
    await expect.poll(async () => (await image.run([...command, "ready"], env)).exitCode).toBe(0);
    const answer = await execute(`http://${address}`, {}, { authorization: `Bearer ${key}` });
    expect(answer.body).toMatchObject({ decision: "deny", reason_code: "no_policy" });
    program.signal("SIGSTOP");
    expect(await image.run(command, env)).toMatchObject({ exitCode: 1 });
    program.signal("SIGCONT");
    expect(await program.stop("SIGTERM")).toBe(0);
    expect((await image.run(command, env)).stderr).toContain(
      "SVC_LISTEN: /healthz was not answered (ECONNREFUSED)",
    );
  });

  it.each([
    ["svc-extproc", "SVC_EXTPROC_LISTEN", "SVC_EXTPROC_METRICS_LISTEN"],
    ["svc-mcp-proxy", "SVC_MCP_LISTEN", "SVC_MCP_METRICS_LISTEN"],
    ["svc-checkgw", "SVC_CHECKGW_LISTEN", "SVC_CHECKGW_METRICS_LISTEN"],
  ])("%s runs in it and is healthy by the same command", async (name, listen, metrics) => {
    const env = {
      [metrics]: `127.0.0.1:${String(await findFreePort())}`,
      SVC_GATEWAY_URL: "http://127.0.0.1:9",
      SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp",
    };
    await start(name, listen, env);
    const command = image.config.Healthcheck.Test.slice(1);
    expect(await image.run(command, env)).toMatchObject({ exitCode: 0 });
    const { body } = await send("GET", `http://${String(env[metrics])}/healthz`);
    expect(body).toMatchObject({ status: "ok" });
  });
});
