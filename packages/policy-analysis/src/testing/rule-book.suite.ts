import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { dataFiles } from "@svc/engine/testing/data-files";
import { answerTo, type DocumentedCall, parseDocumentedCall } from "@svc/engine/testing/documented-calls";
import { parse } from "yaml";
import { compileExamined } from "./compile-examined.suite.ts";

/** One file of `testdata/rules`, whose name orders the categories of docs/RULES.md. */
export interface Category {
  readonly category: string;
  /** One paragraph for a reader in a hurry. */
  readonly advice: string;
  readonly intents: readonly Intent[];
}

/** What somebody wants of the calls of an agent, and how a policy says it. */
export interface Intent {
  /** Its place on the page, from 1. */
  readonly number: number;
  /** Its title. Prose of the book refers to it as `{{title}}`. */
  readonly intent: string;
  /** What a reader of the policy must know. */
  readonly note?: string;
  /** The shortest safe policy or list of rules. Absent if a policy cannot say it. */
  readonly policy?: string;
  readonly calls?: string;
  /** What people write instead. */
  readonly tempting?: string;
  /** Calls that the tempting policy answers in a way that its author did not mean. */
  readonly slips?: string;
  /** Why the tempting policy does so. */
  readonly why?: string;
  /** Why the tempting policy loads without a finding. Absent if it has one, or is refused. */
  readonly silent?: string;
  /** What a policy cannot say of it, and the reason. Absent if `policy` says all of it. */
  readonly missing?: string;
  /** What to do about `missing`. */
  readonly instead?: string;
}

interface WrittenCategory extends Omit<Category, "intents"> {
  readonly intents: readonly Omit<Intent, "number">[];
}

export type Loaded =
  | { readonly kind: "refused"; readonly findings: readonly Diagnostic[] }
  | { readonly kind: "loads"; readonly policy: CompiledPolicy; readonly findings: readonly Diagnostic[] };

export function ruleBook(): readonly Category[] {
  let number = 0;
  return dataFiles("rules").map(({ text }) => {
    const written = parse(text) as WrittenCategory;
    return { ...written, intents: written.intents.map((intent) => ({ ...intent, number: ++number })) };
  });
}

/**
 * Loads a policy of the rule book. A list of rules stands in a policy that allows every tool, or none if a
 * rule of the list allows.
 */
export function load(text: string): Loaded {
  const result = compileExamined(asDocument(text));
  if (!result.ok) return { kind: "refused", findings: result.diagnostics };
  return { kind: "loads", policy: result.policy, findings: result.warnings };
}

export function asDocument(text: string): string {
  if (!text.startsWith("- ")) return `id: example\n${text}`;
  const rules = parse(text) as { action: string }[];
  const tools = rules.some(({ action }) => action === "allow") ? "" : 'tools: {allowed: ["*"]}\n';
  return `id: example\n${tools}rules:\n${text}`;
}

export function callsOf(block: string | undefined): readonly DocumentedCall[] {
  return (block ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [parseDocumentedCall(line)]));
}

/** Each call with its verdict, for a comparison with the block. */
export function answersTo(policy: CompiledPolicy, calls: readonly DocumentedCall[]): readonly string[] {
  return calls.map((call) => `${call.text} -> ${answerTo(policy, call)}`);
}
