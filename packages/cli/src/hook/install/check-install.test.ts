import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Terminal } from "../../frame/terminal.ts";
import { checkInstall, type WantedHook } from "./check-install.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "svc-install-"));
  mkdirSync(join(home, "svc"));
  for (const name of ["key", "other"]) writeFileSync(join(home, "svc", name), "svc_k\n", { mode: 0o600 });
  writeFileSync(join(home, "svc", "open"), "svc_k\n", { mode: 0o644 });
  writeFileSync(
    join(home, "svc", "contexts.yaml"),
    "current: dev\ncontexts:\n" +
      "  dev: {url: http://dev.example, api_key_file: key}\n" +
      "  prod: {url: https://prod.example, api_key_file: other}\n" +
      "  wide: {url: https://wide.example, api_key_file: open}\n",
  );
  writeFileSync(join(home, "svc.yaml"), "environments:\n  eu: {context: prod}\n");
});
afterEach(() => rmSync(home, { recursive: true }));

function check(wanted: WantedHook, variables: Terminal["environment"] = {}) {
  return checkInstall(
    { agent: "a", ...wanted },
    {
      environment: { XDG_CONFIG_HOME: home, ...variables },
      workingDirectory: home,
      stdin: (async function* () {})(),
      writeOut: () => {},
      writeError: () => {},
      errorIsTerminal: false,
    },
  );
}

// proves CODE-04, CLI-26
it.each<[WantedHook, Terminal["environment"], string, string | undefined, string]>([
  [{}, {}, "http://dev.example/", "svc/key", "the context dev"],
  [{}, { SVC_URL: "http://v.example" }, "http://v.example/", undefined, "SVC_URL"],
  [{}, { SVC_API_KEY: "k" }, "http://dev.example/", undefined, "the context dev"],
  [{ context: "prod" }, { SVC_URL: "http://v" }, "https://prod.example/", "svc/other", "the context prod"],
  [{ context: "prod" }, { SVC_API_KEY: "k" }, "https://prod.example/", "svc/other", "the context prod"],
  [{ env: "eu" }, {}, "https://prod.example/", "svc/other", "the environment eu"],
  [{ url: "http://u.example" }, {}, "http://u.example", undefined, "--url"],
  [{ context: "prod", apiKeyFile: "svc/key" }, {}, "https://prod.example/", "svc/key", "the context prod"],
])("asks the server that every other command asks: %j %j", (...[wanted, variables, url, file, source]) => {
  const { command, settings, source: by } = check(wanted, variables);
  expect([command.url, command.apiKeyFile, by]).toEqual([url, file && join(home, file), source]);
  expect(settings.client.gatewayUrl.href).toBe(new URL(url).href);
});

// proves CODE-04, CLI-27
it.each<[WantedHook, string]>([
  [{ context: "prdo" }, "did you mean prod?"],
  [{ context: "wide" }, "its mode is 644"],
  [{ context: "prod", url: "http://u" }, "expected one of --url and --context"],
  [{ url: "mailto:a" }, "--url: expected"],
])("refuses %j", (wanted, message) => {
  expect(() => check(wanted)).toThrow(message);
});
