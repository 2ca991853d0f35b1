/** What checks the policies on every change. */
export const CI_SYSTEMS = ["github", "gitlab", "none"] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

export interface CheckedPaths {
  readonly policy: string;
  readonly cases: string;
}

/** Below this part of the policy, in percent, the cases are too few. */
const THRESHOLD = 90;

const VARIABLE = "SVC_CLI_PACKAGE";

/** The file of a system of continuous integration, from the folder of the project; null: none is wanted. */
export function renderCi(
  system: CiSystem,
  paths: CheckedPaths,
): { readonly path: string; readonly text: string } | null {
  switch (system) {
    case "github":
      return { path: ".github/workflows/policies.yml", text: githubWorkflow(paths) };
    case "gitlab":
      return { path: ".gitlab-ci.yml", text: gitlabPipeline(paths) };
    case "none":
      return null;
  }
}

function commands({ policy, cases }: CheckedPaths): readonly string[] {
  return [
    "svc-cli fmt policies --check",
    "svc-cli validate policies --strict",
    `svc-cli test ${policy} --mock ${cases} --threshold ${String(THRESHOLD)}`,
  ];
}

const INSTALL = `npm install --global --ignore-scripts "$\{${VARIABLE}:?names no package of svc-cli}"`;

function githubWorkflow(paths: CheckedPaths): string {
  const [format, validate, test] = commands(paths);
  return `# Checks the policies of agents. Made by svc-cli init.
# Set the variable ${VARIABLE} of the repository to the package of svc-cli: a path, or an address.
name: policies
on:
  push: { branches: [main] }
  pull_request:
permissions:
  contents: read
jobs:
  policies:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    env:
      ${VARIABLE}: $\{{ vars.${VARIABLE} }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: ${INSTALL}
      - run: ${format ?? ""}
      - run: ${validate ?? ""} -o github
      - run: ${test ?? ""} -o github
`;
}

function gitlabPipeline(paths: CheckedPaths): string {
  return `# Checks the policies of agents. Made by svc-cli init.
# Set the variable ${VARIABLE} of the project to the package of svc-cli: a path, or an address.
policies:
  image: node:24-slim
  script:
    - ${INSTALL}
${commands(paths)
  .map((command) => `    - ${command}`)
  .join("\n")} -o junit > policies.xml
  artifacts:
    when: always
    reports: { junit: policies.xml }
`;
}
