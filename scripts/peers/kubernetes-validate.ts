import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const kubernetesValidate: Peer = pinnedPython({
  name: "kubernetes-validate",
  purpose: "holds the schemas of Kubernetes, against which manifests are validated",
  downloadMb: 25,
  folders: { "kubernetes-validate": "shipping/python/kubernetes-validate.txt" },
});
