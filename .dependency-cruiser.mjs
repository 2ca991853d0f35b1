// Who may import whom. The rules below are made from the import table.
import { forAll, mayImport } from "./scripts/import-table.mjs";

/** These compute from what they are given: no disk, no network, no other process. */
const pure = [
  "packages/text",
  "packages/contract",
  "packages/api",
  "packages/engine",
  "packages/policy-analysis",
  "packages/tool-calls",
  "packages/audit-log",
  "packages/channels",
];
const sideEffects = [
  "child_process",
  "cluster",
  "dgram",
  "dns",
  "fs",
  "http",
  "http2",
  "https",
  "net",
  "sqlite",
  "tls",
  "worker_threads",
];

const ours = "^(packages/[^/]+|gateway|e2e|bench|scripts)/";
const testFile = "\\.test\\.ts$";
const onlyForTests = "\\.(test|suite)\\.ts$";

const folderOf = (name) => (Object.hasOwn(mayImport, name) ? name : `packages/${name}`);

const importTable = Object.entries(mayImport).map(([folder, names]) => {
  const allowed = [folder, forAll, ...names.map(folderOf)];
  return {
    name: `imports-of-${folder.split("/").at(-1)}`,
    comment: `${folder} may import text${names.map((name) => `, ${name}`).join("")}.`,
    severity: "error",
    from: { path: `^${folder}/` },
    to: { path: ours, pathNot: `^(${allowed.join("|")})/` },
  };
});

export default {
  forbidden: [
    ...importTable,
    {
      name: "store-ports-only",
      comment: "Take a narrow port of the store; which store it is, the server alone decides.",
      severity: "error",
      from: { path: "^(gateway|packages/(control-feed|log-writer|log-tail|control-plane))/" },
      to: { path: "^packages/store/src/", pathNot: "^packages/store/src/(ports|testing|contract)/" },
    },
    {
      name: "outbound-alone-calls-out",
      comment: "Only outbound calls out; adapters call their upstream. Oxlint says so of Node's clients.",
      severity: "error",
      from: {
        path: "^(gateway|packages/[^/]+)/",
        pathNot: [onlyForTests, "^packages/(outbound|decision-client|mcp-proxy)/", "/testing/"],
      },
      to: { path: "(^|node_modules/)undici(/|$)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "deciding-without-analysis",
      comment: "What decides calls never waits for, or loads, what judges policies.",
      severity: "error",
      from: { path: "^gateway/", pathNot: onlyForTests },
      to: { path: "^packages/policy-analysis/" },
    },
    {
      name: "import-table-is-complete",
      comment: "A new package needs a line in the import table.",
      severity: "error",
      from: { path: ours, pathNot: `^(${Object.keys(mayImport).join("|")})/` },
      to: {},
    },
    {
      name: "no-circle",
      comment: "Two modules that need each other are one module, or lack a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "pure-packages",
      comment: "Pass in what was read; do not read it here.",
      severity: "error",
      from: { path: `^(${pure.join("|")})/`, pathNot: onlyForTests },
      to: { path: `^(node:)?(${sideEffects.join("|")})(/|$)`, dependencyTypes: ["core"] },
    },
    {
      name: "runs-anywhere",
      comment: "Policies are also judged where there is no Node; `#sha256` shows how a module gets both.",
      severity: "error",
      from: {
        path: "^packages/(text|contract|engine|policy-analysis)/",
        pathNot: [onlyForTests, "^packages/text/src/(plain-json|sha256-node|strict-json)\\.ts$"],
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "engine-reads-text",
      comment: "Only what decodes bytes needs Node; the engine takes texts and values.",
      severity: "error",
      from: { path: "^packages/(engine|policy-analysis)/", pathNot: onlyForTests },
      to: { path: "^packages/text/src/(plain|strict)-json\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "judge-stands-alone",
      comment: "The judge of the fault campaign shares no code with what it judges.",
      severity: "error",
      from: { path: "^e2e/faults/judge/", pathNot: onlyForTests },
      to: { pathNot: ["^e2e/faults/judge/"], dependencyTypesNot: ["core"] },
    },
    {
      name: "no-way-around-exports",
      comment: "Another package is imported by its name, never by a path into it.",
      severity: "error",
      from: { path: `${ours.slice(0, -1)}/` },
      to: { path: ours, pathNot: "^$1/", dependencyTypes: ["local"] },
    },
    {
      name: "no-test-in-product",
      comment: "Tests import product code, never the other way; the runner extends vitest.",
      severity: "error",
      from: {
        pathNot: [onlyForTests, "^e2e/", "^scripts/(long-first|select-test-files|progress-reporter)\\.ts$"],
      },
      to: { path: [onlyForTests, "^e2e/", "node_modules/(vitest|fast-check)/"] },
    },
    {
      name: "no-test-in-test",
      comment: "A test file that is imported runs twice; shared cases live in a .suite.ts file.",
      severity: "error",
      from: {},
      to: { path: testFile },
    },
    {
      name: "resolvable",
      comment: "The module does not exist, or its package does not list it in `exports`.",
      severity: "error",
      // The runtimes run their scripts in a project that has the published package.
      from: { pathNot: "^(packages/sdk/src/integrations|e2e/clients/runtimes)/" },
      to: { couldNotResolve: true },
    },
    {
      name: "resolvable-framework",
      comment: "An adapter imports its own framework, from where its user installed it.",
      severity: "error",
      from: { path: "^packages/sdk/src/integrations/" },
      to: {
        couldNotResolve: true,
        pathNot: [
          "^@anthropic-ai/claude-agent-sdk$",
          "^@google/adk$",
          "^@strands-agents/sdk$",
          "^langchain$",
        ],
      },
    },
    {
      name: "declared-dependency",
      comment: "List the package in this workspace package's own package.json.",
      severity: "error",
      from: { pathNot: [onlyForTests, "^(e2e|scripts)/", "^[^/]+\\.config\\.ts$"] },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: [`${ours}(dist|coverage)/`, "^e2e/clients/typescript/frameworks/(.*driver|run-cases)\\.ts$"],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mts", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
