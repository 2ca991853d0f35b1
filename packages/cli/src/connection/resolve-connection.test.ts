import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { type Connection, resolveConnection } from "./resolve-connection.ts";
import type { ServerOptions } from "./server-options.ts";

let home = "";
let folder = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "svc-home-"));
  folder = mkdtempSync(join(tmpdir(), "svc-folder-"));
  mkdirSync(join(home, "svc"));
  writeFileSync(
    join(home, "svc", "contexts.yaml"),
    `current: dev
contexts:
  dev: {url: http://dev.example}
  prod: {url: https://prod.example/svc, api_key_file: prod.key, org_id: acme}
  open: {url: https://open.example, api_key_file: open.key}
`,
  );
  writeFileSync(join(home, "svc", "prod.key"), "svc_prod\n", { mode: 0o600 });
  writeFileSync(join(home, "svc", "open.key"), "svc_open\n", { mode: 0o644 });
  chmodSync(join(home, "svc", "open.key"), 0o644);
  writeFileSync(
    join(folder, "svc.yaml"),
    `environments:
  live: {context: prod}
  other: {url: https://other.example}
`,
  );
});
afterAll(() => {
  rmSync(home, { recursive: true });
  rmSync(folder, { recursive: true });
});

async function resolved(
  options: ServerOptions,
  environment: Readonly<Record<string, string>> = {},
  stdin = "",
): Promise<Connection> {
  return resolveConnection(options, {
    environment: { XDG_CONFIG_HOME: home, ...environment },
    workingDirectory: folder,
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
    writeOut: () => undefined,
    writeError: () => undefined,
    errorIsTerminal: false,
  });
}

const KEY = { SVC_API_KEY: "svc_env" };
const URL_SET = { SVC_URL: "http://v.example" };

describe("resolveConnection", () => {
  // proves CLI-26
  it.each<[string, ServerOptions, Record<string, string>, string]>([
    ["the default", {}, { XDG_CONFIG_HOME: "/none" }, "http://localhost:8080/"],
    ["the current context", {}, {}, "http://dev.example/"],
    ["a variable before the current context", {}, URL_SET, "http://v.example/"],
    ["the key of the environment", {}, KEY, "http://dev.example/ svc_env"],
    ["an option before a variable", { url: "http://o.example" }, URL_SET, "http://o.example/"],
    ["a named context with its key", { context: "prod" }, {}, "https://prod.example/svc svc_prod"],
    [
      "a named context before variables",
      { context: "prod" },
      { ...KEY, ...URL_SET },
      "https://prod.example/svc svc_prod",
    ],
    ["an environment that names a context", { env: "live" }, {}, "https://prod.example/svc svc_prod"],
    ["an environment with an address", { env: "other" }, KEY, "https://other.example/ svc_env"],
  ])("takes %s", async (_, options, environment, expected) => {
    const { url, apiKey } = await resolved(options, environment);
    expect(apiKey === null ? url.href : `${url.href} ${apiKey}`).toBe(expected);
  });

  // proves CLI-27
  it("sends the key of a context to the address of that context alone", async () => {
    expect(await resolved({ env: "other" })).toMatchObject({ apiKey: null });
    expect(await resolved({ url: "http://o.example" })).toMatchObject({ apiKey: null });
  });

  // proves CLI-27
  it("says which context has a key for an address that is named without it", async () => {
    const hintFor = async (options: ServerOptions, environment = {}) =>
      (await resolved(options, environment)).withoutKey?.();
    expect(await hintFor({ url: "https://prod.example/svc" })).toContain("name it with --context prod");
    expect(await hintFor({}, { SVC_URL: "https://prod.example/svc" })).toContain("--context prod");
    expect(await hintFor({ url: "https://prod.example/other" })).toBeNull();
    expect(await hintFor({ url: "http://dev.example" })).toBeNull();
    expect(await hintFor({ url: "https://prod.example/svc" }, KEY)).toBeUndefined();
  });

  // proves CLI-27
  it("asks nobody whom only the svc.yaml of the folder names", async () => {
    const environment = { XDG_CONFIG_HOME: "/none", ...KEY };
    expect(await resolved({}, environment)).toMatchObject({ source: "the default" });
  });

  it("knows the organization", async () => {
    expect(await resolved({ env: "live" })).toMatchObject({ orgId: "acme" });
    expect(await resolved({ context: "dev" }, { SVC_ORG_ID: "x" })).toMatchObject({ orgId: "x" });
  });

  // proves CLI-27
  it("reads a key from stdin", async () => {
    const options = { context: "prod", apiKeyStdin: true };
    expect(await resolved(options, KEY, "svc_in\n")).toMatchObject({ apiKey: "svc_in" });
    for (const wrong of ["", "two words", "x".repeat(5_000)])
      await expect(resolved(options, KEY, wrong)).rejects.toMatchObject({ exitCode: 2 });
  });

  // proves CLI-27
  it("refuses a key that others can read, without repeating it", async () => {
    const refusal = resolved({ context: "open" });
    await expect(refusal).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("its mode is 644: run chmod 600 on it") as string,
    });
    await expect(refusal).rejects.not.toMatchObject({
      message: expect.stringContaining("svc_open") as string,
    });
  });

  it.each<[ServerOptions, string]>([
    [{ context: "prd" }, 'no context "prd": did you mean prod?'],
    [{ env: "liv" }, 'no environment "liv": did you mean live?'],
    [{ env: "live", url: "http://x" }, "expected one of --url and --env, found 2"],
    [{ url: "ftp://x" }, "--url: expected "],
  ])("refuses %o", async (options, message) => {
    await expect(resolved(options)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message) as string,
    });
  });

  it("says where it looked for svc.yaml when there is none", async () => {
    const workingDirectory = mkdtempSync(join(tmpdir(), "svc-none-"));
    const { exitCode, error } = await runCaptured(["status", "--env", "prod"], { workingDirectory });
    expect([exitCode, error]).toEqual([
      2,
      expect.stringContaining(`--env prod: expected environments in svc.yaml of this folder`),
    ]);
    expect(error).toContain(workingDirectory);
    rmSync(workingDirectory, { recursive: true });
  });

  it("names what is wrong in a file of settings", async () => {
    const other = mkdtempSync(join(tmpdir(), "svc-wrong-"));
    mkdirSync(join(other, "svc"));
    writeFileSync(join(other, "svc", "contexts.yaml"), "contexts: {a: {url: nonsense, api_key: svc_x}}\n");
    const refusal = resolved({}, { XDG_CONFIG_HOME: other });
    await expect(refusal).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/contexts\.a\.url: expected an http/) as string,
    });
    rmSync(other, { recursive: true });
  });
});
