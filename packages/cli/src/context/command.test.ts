import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "svc-context-"));
  writeFileSync(join(home, "key"), "svc_secret\n", { mode: 0o600 });
  writeFileSync(join(home, "open"), "svc_secret\n", { mode: 0o644 });
});
afterEach(() => rmSync(home, { recursive: true }));

const context = (...args: readonly string[]) =>
  runCaptured(["context", ...args], { environment: { XDG_CONFIG_HOME: home }, workingDirectory: home });

describe("svc-cli context", () => {
  // proves CLI-26
  it("adds, lists and chooses contexts, and keeps no key", async () => {
    expect(await context("list")).toMatchObject({ exitCode: 0 });
    expect(await context("add", "dev", "--url", "http://dev.example")).toEqual({
      exitCode: 0,
      out: "The context dev is http://dev.example. It is the current one.\n",
      error: "",
    });
    const prod = ["add", "prod", "--url", "https://prod.example", "--api-key-file", "key"];
    expect(await context(...prod)).toMatchObject({ exitCode: 0 });
    expect(await context(...prod)).toMatchObject({ exitCode: 2 });
    expect(await context("use", "prod")).toMatchObject({
      exitCode: 0,
      out:
        "Commands that name no server now ask https://prod.example, the context prod.\n" +
        "Undo: svc-cli context use dev\n",
    });
    const { out } = await context("list");
    expect(out).toBe(
      `\tdev\thttp://dev.example\t\t\t\n*\tprod\thttps://prod.example\t${join(home, "key")}\t\t\n`,
    );
    for (const name of ["toString", "__proto__"])
      expect(await context("use", name)).toMatchObject({
        exitCode: 2,
        error: expect.stringContaining(`no context "${name}"`),
      });
    expect(out).not.toContain("svc_secret");
    expect(statSync(join(home, "svc", "contexts.yaml")).mode & 0o777).toBe(0o600);
  });

  it("keeps a link to the file of the contexts", async () => {
    const [file, link] = [join(home, "dotfiles.yaml"), join(home, "svc", "contexts.yaml")];
    writeFileSync(file, "contexts: {}\n");
    mkdirSync(join(home, "svc"));
    symlinkSync(file, link);
    expect(await context("add", "a", "--url", "http://a.example")).toMatchObject({ exitCode: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toContain("http://a.example");
  });

  it("writes no file where a link leads nowhere", async () => {
    const link = join(home, "svc", "contexts.yaml");
    mkdirSync(join(home, "svc"));
    symlinkSync(join(home, "none.yaml"), link);
    expect(await context("add", "a", "--url", "http://a.example")).toEqual({
      exitCode: 2,
      out: "",
      error: `error: ${link} cannot be written: there is no such file\n`,
    });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  // skip: only Linux has /proc
  it.skipIf(process.platform !== "linux")("ends where its folder cannot be made", async () => {
    const environment = { HOME: "/proc/none" };
    const args = ["context", "add", "a", "--url", "http://a.example"];
    expect(await runCaptured(args, { environment })).toEqual({
      exitCode: 2,
      out: "",
      error: "error: /proc/none/.config/svc cannot be made: there is no such file\n",
    });
  });

  // proves CLI-26
  it.each([
    [{}, ""],
    [{ SVC_URL: "http://b.example" }, "warning: SVC_URL is set and wins over the current context."],
    [{ SVC_URL: "http://b.example", SVC_API_KEY: "k" }, "warning: SVC_URL and SVC_API_KEY are set and win"],
  ])("warns of variables that win over the chosen context: %j", async (variables, warning) => {
    const environment = { XDG_CONFIG_HOME: home, ...variables };
    const run = (...args: readonly string[]) => runCaptured(["context", ...args], { environment });
    const added = await run("add", "a", "--url", "http://a.example", "--api-key-file", join(home, "key"));
    const used = await run("use", "a");
    for (const { exitCode, error } of [added, used]) {
      expect(exitCode).toBe(0);
      expect(error.slice(0, Math.max(1, warning.length))).toBe(warning);
    }
  });

  it.each([
    [["use", "nothing"], "no context"],
    [["add", "a b", "--url", "http://x"], "expected a name"],
    [["add", "x", "--url", "http://u:p@x"], "without a password"],
    [["add", "x", "--url", "http://x", "--api-key-file", "open"], "its mode is 644"],
    [["add", "x"], "--url"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, out, error } = await context(...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });
});
