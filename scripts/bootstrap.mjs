// Puts the pinned Node and pnpm into .tools/, installs the workspace from the frozen lockfile and builds the
// binaries. Every step is skipped when its stamp says that it is done, so a warm call costs milliseconds.
//
//   node scripts/bootstrap.mjs [--quiet] [--no-build]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";
import * as tools from "./toolchain.mjs";

const OLDEST_NODE = 20;
const installStamp = join(tools.toolsDir, "installed");
const buildStamp = join(tools.toolsDir, "built");
const outputTail = 4_000;

/** A step that could not be done: what failed, and what to do about it. */
class BootstrapError extends Error {}

/** Makes the workspace ready to run. Progress goes to standard error, never to standard output. */
export async function bootstrap({ quiet = false, dependencies = true, build = true } = {}) {
  const steps = [
    {
      name: `Node ${tools.NODE_VERSION} and pnpm ${tools.PNPM_VERSION}`,
      isDone: hasRuntime,
      run: addRuntime,
    },
  ];
  if (dependencies) steps.push({ name: "dependencies", isDone: isInstalled, run: install });
  if (build) steps.push({ name: "build", isDone: isBuilt, run: runBuild });
  if (steps.every((step) => step.isDone())) return;

  fs.mkdirSync(tools.toolsDir, { recursive: true });
  const say = quiet ? () => {} : (line) => process.stderr.write(`${line}\n`);
  const lock = join(tools.toolsDir, "lock");
  const onWait = () => say(`bootstrap: waiting for another bootstrap of this checkout (${lock})`);
  await withLock(lock, onWait, () => {
    for (const step of steps) {
      if (step.isDone()) continue;
      const started = performance.now();
      say(`bootstrap: ${step.name} ...`);
      step.run();
      say(`bootstrap: ${step.name} ready in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
  });
}

function hasRuntime() {
  return fs.existsSync(tools.nodePath) && fs.existsSync(join(tools.stableBinDir, runtimeMark()));
}

/** Lies beside the link, so a changed pin relinks. */
function runtimeMark() {
  return basename(tools.runtimeDir);
}

function addRuntime() {
  if (!fs.existsSync(tools.nodePath)) {
    const unfinished = join(tools.toolsDir, `unfinished-${process.pid}`);
    fs.mkdirSync(unfinished, { recursive: true });
    fs.writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
    const packages = [`${tools.nodePackage}@${tools.NODE_VERSION}`, `pnpm@${tools.PNPM_VERSION}`];
    const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
    execute("npm", ["install", "--prefix", unfinished, ...flags, ...packages], {
      failed: `npm could not fetch ${packages.join(" and ")}`,
      remedy: "Check that npm reaches its registry (npm ping), then run the same command again.",
      shell: process.platform === "win32",
    });
    fs.rmSync(tools.runtimeDir, { recursive: true, force: true });
    fs.renameSync(unfinished, tools.runtimeDir);
  }
  fs.rmSync(tools.stableBinDir, { recursive: true, force: true });
  fs.mkdirSync(tools.stableBinDir, { recursive: true });
  fs.symlinkSync(
    relative(tools.stableBinDir, tools.nodePath),
    join(tools.stableBinDir, basename(tools.nodePath)),
  );
  fs.writeFileSync(join(tools.stableBinDir, runtimeMark()), "");
}

function isInstalled() {
  const present = fs.existsSync(join(tools.root, "node_modules", ".modules.yaml"));
  return present && readStamp(installStamp) === lockDigest();
}

function lockDigest() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml"])
    hash.update(fs.readFileSync(join(tools.root, file)));
  return hash.digest("hex");
}

function install() {
  execute(tools.nodePath, [tools.pnpmScript, "install", "--frozen-lockfile", "--reporter=append-only"], {
    failed: "pnpm could not install the workspace",
    remedy: 'When a package.json changed, run "npm run pnpm -- install" and commit pnpm-lock.yaml.',
  });
  writeStamp(installStamp, lockDigest());
}

function isBuilt() {
  const [stamp, ...outputs] = (readStamp(buildStamp) ?? "").split("\n");
  return stamp === sourceDigest() && outputs.every((output) => fs.existsSync(join(tools.root, output)));
}

function runBuild() {
  const digest = sourceDigest();
  const outputs = execute(tools.nodePath, [join(tools.root, "scripts", "build.ts")], {
    failed: "the build failed",
    remedy: "Correct the source named above, then run the same command again.",
  });
  writeStamp(buildStamp, [digest, ...outputs.trim().split("\n").filter(Boolean)].join("\n"));
}

/** The scripts that make the bundles. */
const BUILD_SCRIPTS = /^(build|bundle|launcher|threads)\b.*\.ts$/;

/** Name, size and time of every file that goes into a bundle or makes it, and the lockfile. */
function sourceDigest() {
  const hash = createHash("sha256").update(lockDigest());
  const scripts = join(tools.root, "scripts");
  const files = fs
    .readdirSync(scripts)
    .filter((name) => BUILD_SCRIPTS.test(name))
    .sort()
    .map((name) => join(scripts, name));
  for (const folder of workspaceFolders()) {
    files.push(join(folder, "package.json"));
    collectFiles(join(folder, "src"), files);
  }
  for (const file of files) {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat) hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function workspaceFolders() {
  const packages = join(tools.root, "packages");
  return [
    join(tools.root, "gateway"),
    ...fs
      .readdirSync(packages)
      .sort()
      .map((name) => join(packages, name)),
  ];
}

function collectFiles(folder, files) {
  if (!fs.existsSync(folder)) return;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collectFiles(path, files);
    else if (!entry.name.endsWith(".test.ts")) files.push(path);
  }
}

/** Runs a command to its end and returns its standard output; its output is shown only when it fails. */
function execute(command, args, { failed, remedy, shell = false }) {
  const env = { ...tools.toolEnvironment(), CI: "true" };
  const result = spawnSync(command, args, { cwd: tools.root, env, shell, encoding: "utf8", input: "" });
  if (result.status === 0) return result.stdout;
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}`.trim().slice(-outputTail);
  const cause =
    result.error?.message ?? (result.signal ? `ended by ${result.signal}` : `exit code ${result.status}`);
  throw new BootstrapError(`${output}\n\nbootstrap: ${failed} (${cause}).\n${remedy}`.trim());
}

function readStamp(path) {
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : undefined;
}

function writeStamp(path, text) {
  fs.writeFileSync(`${path}.${process.pid}`, text);
  fs.renameSync(`${path}.${process.pid}`, path);
}

/** Reports a failed bootstrap in one place for every script. */
export async function bootstrapOrExit(options) {
  try {
    const major = Number(process.versions.node.split(".")[0]);
    if (major < OLDEST_NODE)
      throw new BootstrapError(`bootstrap: Node ${OLDEST_NODE} or later is needed to start.`);
    await bootstrap(options);
  } catch (error) {
    process.stderr.write(`${error instanceof BootstrapError ? error.message : error.stack}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const flags = process.argv.slice(2);
  await bootstrapOrExit({ quiet: flags.includes("--quiet"), build: !flags.includes("--no-build") });
}
