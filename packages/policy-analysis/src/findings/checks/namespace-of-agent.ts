import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { placeOfField, suspectQuestion, textsOf } from "../suspect-question.ts";

/** Tools that act on a cluster. */
const CLUSTER = /^(?:k8s|kube|kubectl|kubernetes|helm|openshift)(?![a-z])/i;

/** Namespaces of a cluster, and of no agent. */
const OF_CLUSTER = /^kube-|-system$/;

/** `field: namespace` with a namespace of Kubernetes: the field is the namespace of the agent. */
export const namespaceOfAgent: FindingCheck = {
  code: "policy/namespace-of-agent",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { subject } = authored.question;
      const texts = textsOf(authored).filter(({ text }) => OF_CLUSTER.test(text));
      if (subject.kind !== "call" || subject.name !== "namespace" || texts.length === 0) continue;
      if (authored.role !== "stops" || !authored.rule.tools.some((tool) => CLUSTER.test(tool))) continue;
      const instead: JsonObject = { ...authored.written, field: "args.namespace" };
      yield suspectQuestion(context, authored, {
        place: placeOfField(authored),
        instead,
        shows: "passes",
        field: "args.namespace",
        values: texts.map(({ text }) => text),
        words: {
          message: "namespace is the namespace of the agent, and not the one of the cluster",
          expected: "the argument that names the namespace of the cluster",
          found: "field: namespace",
          fix: `write ${renderFlow(instead)}; better, deny what is not_in the namespaces that are free`,
        },
      });
    }
  },
};
