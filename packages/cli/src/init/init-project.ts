import { basename, join, resolve } from "node:path";
import { isName, NAME_EXPECTATION } from "@svc/contract/name";
import type { GovernanceMode } from "@svc/contract/verdict";
import { confirm } from "../frame/confirm.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { createFiles, type NewFile, type Place, refuseExisting } from "./create-files.ts";
import { describeStart, nextCommands } from "./describe-start.ts";
import { proveStart } from "./prove-start.ts";
import { renderCases } from "./render-cases.ts";
import { type CheckedPaths, type CiSystem, renderCi } from "./render-ci.ts";
import { policyIdOf, renderPolicy, SETTINGS_TEXT, type StartingPolicy } from "./render-policy.ts";
import { type ToolSource, toolsToGovern } from "./starting-tools.ts";

export interface InitOptions extends OutputOptions, ToolSource {
  readonly agent?: string;
  readonly mode: GovernanceMode;
  readonly ci: CiSystem;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The name of a starter policy. */
  readonly starter?: string;
}

/** Creates the files of a project. What it writes has passed `validate --strict` and `test`. */
export async function initProject(
  folder: string,
  options: InitOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const agent = options.agent ?? basename(resolve(terminal.workingDirectory, folder));
  if (!isName(agent)) throw notAnAgent(agent, options);
  const at = (path: string): Place => ({
    name: join(folder, path),
    path: resolve(terminal.workingDirectory, folder, path),
  });
  const paths = pathsOf(agent);
  const pipeline = renderCi(options.ci, paths);
  const added = [{ path: "svc.yaml", text: SETTINGS_TEXT }, ...(pipeline === null ? [] : [pipeline])];
  refuseExisting([paths.policy, paths.cases, ...added.map(({ path }) => path)].map(at));
  const { tools, warnings, starter, offered } = await toolsToGovern(options, terminal.workingDirectory);
  const policy = await policyFiles(paths, {
    agent,
    mode: options.mode,
    tools,
    fromServer: options.mcp !== undefined,
    starter,
  });
  const files = [...policy, ...added].map(({ path, text }): NewFile => ({ ...at(path), text }));
  for (const warning of warnings) output.warn(warning);
  output.note(
    describeStart({ agent, tools, files, fromServer: options.mcp !== undefined, starter, offered }),
  );
  if (!options.dryRun) {
    if (!options.yes && !(await confirm("Create these files?", terminal)))
      throw new CommandFailure("failed", "nothing was created");
    createFiles(files);
  }
  const next = nextCommands(folder, paths);
  const names = files.map(({ name }) => name).join(", ");
  const shown = files.map(({ name, text }) => ({ file: name, ...(options.dryRun ? { text } : {}) }));
  output.result({
    text: options.dryRun
      ? [
          ...files.map(({ name, text }) => `${name}:\n${text}\n`),
          "Nothing was created, because of --dry-run.\n",
        ].join("")
      : `Created ${names}.\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`,
    schema: "svc.cli.init/v1",
    json: {
      agent,
      created: !options.dryRun,
      files: shown,
      tools,
      warnings,
      next,
      starter: starter?.name ?? null,
      offered_starter: offered?.name ?? null,
    },
  });
  return "ok";
}

/** The policy and its cases. What they say of each other is true. */
async function policyFiles(
  paths: CheckedPaths,
  start: StartingPolicy,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const policy = renderPolicy(paths.policy, start);
  const cases = renderCases(start.tools);
  await proveStart(
    { name: paths.policy, source: policy, mediaType: "application/yaml" },
    { name: paths.cases, text: cases },
  );
  return [
    { path: paths.policy, text: policy },
    { path: paths.cases, text: cases },
  ];
}

/** From the folder of the project. */
function pathsOf(agent: string): CheckedPaths {
  const name = policyIdOf(agent).replace(/[^A-Za-z0-9._-]/g, "-");
  // A folder of policies leaves these names out.
  const stem = name === "svc" || name.endsWith(".test") ? `${name}-policy` : name;
  return { policy: `policies/${stem}.yaml`, cases: `policies/${stem}.test.json` };
}

function notAnAgent(agent: string, { agent: given }: InitOptions): CommandFailure {
  const found = JSON.stringify(agent);
  return new CommandFailure(
    "usage",
    given === undefined
      ? `the folder ${found} is not the name of an agent. Name one: --agent my-agent`
      : `--agent: expected ${NAME_EXPECTATION}, found ${found}`,
  );
}
