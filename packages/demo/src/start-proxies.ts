import { readEnvironment } from "@svc/process/read-environment";
import { demoEnvironment } from "./demo-environment.ts";
import { envoyRecipe } from "./envoy-recipe.ts";
import { type KeptProgram, startProgram } from "./kept-program.ts";
import { choosePort, portOpens } from "./loopback-port.ts";
import { nginxRecipe } from "./nginx-recipe.ts";
import type { ProxyPeers, ProxyRecipe } from "./proxy-recipe.ts";

export interface ProxiesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly peers: ProxyPeers;
  /** Folder of their configurations and of the files that they write. */
  readonly folder: string;
}

/** A proxy of the demonstration: where it listens, or why it was not started. */
export type DemoProxy =
  | { readonly kind: "running"; readonly url: string }
  | { readonly kind: "missing"; readonly what: string };

export interface RunningProxies {
  readonly envoy: DemoProxy;
  readonly nginx: DemoProxy;
  /** Calls back for each proxy that ends by itself, with the last lines that it printed. */
  onEnded(tell: (name: string, output: string) => void): void;
  close(): Promise<void>;
}

interface Started {
  readonly name: string;
  readonly proxy: DemoProxy;
  readonly program: KeptProgram | null;
}

/** Starts the reverse proxies that this machine has, each with the configuration as shipped. */
export async function startProxies({ env, peers, folder }: ProxiesOptions): Promise<RunningProxies> {
  const values = readEnvironment(demoEnvironment, env);
  const path = env["PATH"] ?? "";
  const running: KeptProgram[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((program) => program.stop()));
  };
  const start = async (recipe: ProxyRecipe, wanted: number): Promise<Started> => {
    const missing = recipe.missing();
    if (missing !== null)
      return { name: recipe.name, proxy: { kind: "missing", what: missing }, program: null };
    const port = await choosePort(wanted, recipe.variable);
    const program = startProgram(...(await recipe.prepare({ ...peers, port, folder })));
    running.push(program);
    if (!(await portOpens(port, program.ended)))
      throw new Error(`${recipe.name} does not listen on port ${String(port)}: ${program.output()}`);
    return {
      name: recipe.name,
      proxy: { kind: "running", url: `http://127.0.0.1:${String(port)}` },
      program,
    };
  };
  try {
    const envoy = await start(envoyRecipe({ named: values.SVC_ENVOY, path }), values.SVC_DEMO_ENVOY_PORT);
    const nginx = await start(nginxRecipe(path), values.SVC_DEMO_NGINX_PORT);
    return {
      envoy: envoy.proxy,
      nginx: nginx.proxy,
      onEnded: (tell) => [envoy, nginx].forEach((started) => tellWhenEnded(started, tell)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function tellWhenEnded({ name, program }: Started, tell: (name: string, output: string) => void): void {
  void program?.ended.then(() => {
    if (!program.stopping) tell(name, program.output());
  });
}
