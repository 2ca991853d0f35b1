import type { ProgramOptions } from "./kept-program.ts";

/** Where the proxies send their questions and the requests that they pass. */
export interface ProxyPeers {
  readonly extprocPort: number;
  readonly checkgwPort: number;
  readonly backendPort: number;
}

export interface ProxySite extends ProxyPeers {
  readonly port: number;
  /** Folder for the files that the proxy writes. */
  readonly folder: string;
}

/** How one reverse proxy is started with the configuration as shipped. */
export interface ProxyRecipe {
  readonly name: string;
  /** The variable that sets its port. */
  readonly variable: string;
  /** What this machine lacks, or null. */
  missing(): string | null;
  prepare(site: ProxySite): Promise<readonly [program: string, options: ProgramOptions]>;
}
