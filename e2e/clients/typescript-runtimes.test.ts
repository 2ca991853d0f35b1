// peers: deno, bun, workerd
// long: it runs the library on four runtimes
import { chmod, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { ALLOW, DENY, PAUSE, verdict } from "../support/adapters/gateway-verdicts.ts";
import { type Responder, startRecordingServer } from "../support/adapters/recording-server.ts";
import { startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

/** Milliseconds for one runtime on a busy machine: it starts four times, and waits for a silent gateway. */
const TIMEOUT_MS = 90_000;

const PACKAGE = join(import.meta.dirname, "..", "..", "packages", "sdk", "dist");
const SCRIPTS = join(import.meta.dirname, "runtimes");

const html: Responder = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(ALLOW));
};

/** How the gateway answers a call of each tool, and how the call then ends. */
function answers(elsewhere: string): Readonly<Record<string, readonly [Responder, string]>> {
  return {
    allow: [verdict(ALLOW), "ran"],
    deny: [verdict(DENY), "rule"],
    pause: [verdict(PAUSE), "approval_required"],
    hang: [() => {}, "decision_timeout"],
    redirect: [
      (_, response) => void response.writeHead(307, { location: elsewhere }).end(),
      "gateway_refused",
    ],
    html: [html, "verdict_unreadable"],
  };
}

async function stage() {
  // It allows every call, as a redirect, and as a proxy.
  const lying = await startRecordingServer(verdict(ALLOW));
  onTestFinished(() => lying.close());
  const liar = `http://127.0.0.1:${String(lying.port)}`;
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.server.close());
  const script = answers(liar);
  gateway.failWith((request, response) => {
    const { tool } = JSON.parse(request.body) as { readonly tool: string };
    script[tool]?.[0](request, response);
  });
  const away = `http://127.0.0.1:${String(await findFreePort())}`;
  const scenario = JSON.stringify({ url: gateway.url, away, tools: Object.keys(script) });
  const wanted = {
    ends: {
      ...Object.fromEntries(Object.entries(script).map(([tool, [, end]]) => [tool, end])),
      away: "gateway_unreachable",
    },
    ran: ["allow"],
  };
  return { folder: await installed(), lying, liar, scenario, wanted };
}

/** A project that has the package, as npm unpacks it. */
async function installed(): Promise<string> {
  const folder = await temporaryDirectory();
  await cp(SCRIPTS, folder, { recursive: true, filter: (path) => !path.endsWith("package.json") });
  await cp(PACKAGE, join(folder, "node_modules", "@svc", "client"), { recursive: true });
  return folder;
}

const DENO_FLAGS = ["--no-lock", "--node-modules-dir=manual", "--allow-net", "--allow-env", "--allow-read"];

/** The runtimes with an environment, and what each needs to read proxies there. */
const RUNTIMES = [
  {
    name: "node",
    program: () => process.execPath,
    args: [],
    env: { NODE_USE_ENV_PROXY: "1" },
    absent: false,
  },
  {
    name: "deno",
    program: () => programOf("deno"),
    args: ["run", ...DENO_FLAGS],
    env: {},
    absent: missing.deno,
  },
  { name: "bun", program: () => programOf("bun"), args: [], env: {}, absent: missing.bun },
] as const;

describe.each(RUNTIMES)("the TypeScript library on $name", ({ program, args, env, absent }) => {
  async function run(folder: string, variables: Readonly<Record<string, string>>): Promise<unknown> {
    const cache = join(folder, "cache");
    await mkdir(cache, { recursive: true });
    const all = { ...env, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", HOME: cache, ...variables };
    const result = await runProgram(program(), [...args, "main.mjs"], all, { cwd: folder });
    expect([result.exitCode, result.stderr]).toEqual([0, ""]);
    return JSON.parse(result.stdout);
  }

  // proves RUN-01, RUN-02
  // skip: the peer is not installed; continuous integration has it and fails without.
  it.skipIf(absent)("denies at every fault, and lets no proxy decide", { timeout: TIMEOUT_MS }, async () => {
    const { folder, lying, liar, scenario, wanted } = await stage();
    expect(await run(folder, { SCENARIO: scenario })).toEqual(wanted);
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      const refused = await run(folder, { SCENARIO: scenario, [name]: liar });
      expect(refused).toMatchObject({ ran: [], ends: { allow: expect.stringContaining(name) as string } });
    }
    const excepted = { HTTP_PROXY: liar, NO_PROXY: "127.0.0.1" };
    expect(await run(folder, { SCENARIO: scenario, ...excepted })).toEqual(wanted);
    expect(lying.requests).toEqual([]);
  });
});

// proves RUN-01
// skip: the peer is not installed; continuous integration has it and fails without.
it.skipIf(missing.workerd)(
  "the TypeScript library on workers denies at every fault",
  { timeout: TIMEOUT_MS },
  async () => {
    const { folder, lying, liar, scenario, wanted } = await stage();
    const port = await findFreePort();
    await writeFile(join(folder, "config.capnp"), await workerConfig(folder, port));
    await chmod(folder, 0o755);
    const worker = await startProcess(programOf("workerd"), ["serve", join(folder, "config.capnp")], {
      env: { HTTP_PROXY: liar },
      ready: { port },
    });
    onTestFinished(async () => void (await worker.stop("SIGKILL")));
    const answer = await fetch(`http://127.0.0.1:${String(port)}/`, { method: "POST", body: scenario });
    expect(await answer.json()).toEqual(wanted);
    expect(lying.requests).toEqual([]);
  },
);

/** A worker has no folder of packages: every module has its name here. */
async function workerConfig(folder: string, port: number): Promise<string> {
  const library = join("node_modules", "@svc", "client");
  const files = (await readdir(join(folder, library))).filter((file) =>
    /^(?:index|chunk-.*)\.js$/.test(file),
  );
  const named = [
    ["worker.mjs", "worker.mjs"],
    ["calls.mjs", "calls.mjs"],
    ["@svc/client", join(library, "index.js")],
    ...files.map((file) => [`@svc/${file}`, join(library, file)]),
  ];
  const modules = named.map(
    ([name, file]) => `(name = "${String(name)}", esModule = embed "${String(file)}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules.join(", ")}], compatibilityDate = "2026-11-01")),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${String(port)}", http = (), service = "main")]
);
`;
}
