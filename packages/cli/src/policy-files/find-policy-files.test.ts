import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { findPolicyFiles } from "./find-policy-files.ts";

const POLICY = "id: p\ntools: { allowed: [ pay ] }\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-policies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "policies", "own"), { recursive: true });
  mkdirSync(join(folder, "shared"));
  writeFileSync(join(folder, "policies", "own", "a.yaml"), POLICY);
  writeFileSync(join(folder, "shared", "b.yaml"), POLICY);
});

const link = (path: string, target: string): void => symlinkSync(target, join(folder, path));
const found = () => findPolicyFiles(["policies"], { workingDirectory: folder });

describe("findPolicyFiles", () => {
  // proves CLI-01
  it("follows links to folders and files", () => {
    link("policies/linked", "../shared");
    link("policies/c.yaml", "../shared/b.yaml");
    expect(found()).toEqual(["policies/c.yaml", "policies/linked/b.yaml", "policies/own/a.yaml"]);
  });

  it("ends when links lead in a circle", () => {
    link("policies/own/up", "..");
    link("policies/linked", "../shared");
    link("shared/back", "../policies");
    expect(found()).toEqual(["policies/linked/b.yaml", "policies/own/a.yaml"]);
  });

  it("reads a folder once, by its own name", () => {
    link("policies/a-link", "own");
    link("policies/z-link", "own");
    expect(found()).toEqual(["policies/own/a.yaml"]);
  });

  // proves CLI-01
  it("calls nothing valid when a policy behind a link is broken", async () => {
    link("policies/linked", "../shared");
    writeFileSync(join(folder, "shared", "broken.yaml"), "id: [\n");
    const { exitCode, out } = await runCaptured(["validate", "policies"], { workingDirectory: folder });
    expect(exitCode).toBe(1);
    expect(out).toContain("policies/linked/broken.yaml");
  });

  it.each(["gone.yaml", "gone", "itself"])("names the broken link %s", async (name) => {
    link(`policies/${name}`, name === "itself" ? name : "../none");
    const ended = await runCaptured(["validate", "policies"], { workingDirectory: folder });
    expect(ended).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining(`policies/${name}: expected`),
    });
  });

  it("names a folder that cannot be read", async () => {
    const longerThanANameMayBe = "x".repeat(256);
    link("policies/own/linked", longerThanANameMayBe);
    const ended = await runCaptured(["validate", "policies"], { workingDirectory: folder });
    expect(ended).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("expected a folder of policies"),
    });
  });
});
