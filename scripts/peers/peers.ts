import { debianPeers } from "./debian-peers.ts";
import { debianRoot } from "./debian-root.ts";
import { envoy } from "./envoy.ts";
import { hadolint } from "./hadolint.ts";
import { helm } from "./helm.ts";
import { inspector } from "./inspector.ts";
import { javascriptRuntimes } from "./javascript-runtimes.ts";
import { kubernetesValidate } from "./kubernetes-validate.ts";
import { litellm } from "./litellm.ts";
import { moto } from "./moto.ts";
import { openapiGenerator } from "./openapi-generator.ts";
import { otelCollector } from "./otel-collector.ts";
import type { Peer } from "./peer.ts";
import { portkey } from "./portkey.ts";
import { pythonClient } from "./python-client.ts";
import { pythonFrameworksPeer } from "./python-frameworks.ts";
import { pythonMcp } from "./python-mcp.ts";
import { schemathesis } from "./schemathesis.ts";
import { standardWebhooks } from "./standard-webhooks.ts";
import { traefik } from "./traefik.ts";
import { typescriptFrameworks } from "./typescript-frameworks.ts";

/** Every peer, in the order of installation: the largest last. */
export const peers: readonly Peer[] = [
  ...debianPeers,
  standardWebhooks,
  hadolint,
  kubernetesValidate,
  schemathesis,
  moto,
  openapiGenerator,
  pythonClient,
  portkey,
  envoy,
  debianRoot,
  inspector,
  ...javascriptRuntimes,
  typescriptFrameworks,
  pythonMcp,
  pythonFrameworksPeer,
  otelCollector,
  helm,
  litellm,
  traefik,
];
