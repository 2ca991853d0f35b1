// Generated from packages/api/openapi/openapi.yaml by openapi-typescript.

export interface paths {
    readonly "/gateway/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Decide a tool call
         * @description Answers whether a call may proceed, with these arguments, now. The answer is 200 for every decision. Make the call only when the status is 200 and `decision` is `allow`. While rogue detection suspends the agent, the call is held (`agent_suspended`). With `Prefer: wait=<s>`, at most 30, a held call of up to 16 KiB keeps its connection and is judged anew on recovery.
         *
         *     Scope: `call:execute`.
         */
        readonly post: operations["executeCall"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/gateway/outcome": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Report how an allowed call ended
         * @description Settles what the call cost and records what happened. Repeating a report is safe. A decision of another key is not found, unless the key has the scope `outcome:any`. A report that a call ran although it was not allowed is recorded, charges nothing, and is answered with 409.
         *
         *     Scope: `outcome:own`.
         */
        readonly post: operations["reportOutcome"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/gateway/kill-switches": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow kill switches by revision
         * @description For an adapter that stops running calls. Answers at once when something changed after the revision, else after half a second. Without `after` it answers all active switches, and those that have ended.
         *
         *     Scope: `kill_switch:follow`.
         */
        readonly get: operations["followKillSwitches"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/kill-switch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List kill switches
         * @description An active account-wide switch comes first, because it stops everything; then the newest.
         *
         *     Scope: `kill_switch:read`.
         */
        readonly get: operations["listKillSwitches"];
        readonly put?: never;
        /**
         * Activate a kill switch
         * @description Stops the calls of a session, an agent, a tool or a namespace, or every call of the organization. Gateways have 100 ms to acknowledge and to say who is affected. The answer says which acknowledged, and comes sooner when all did. An active switch on the same target is answered with 200, and gets the later end of both.
         *
         *     Scope: `kill_switch:write`.
         */
        readonly post: operations["activateKillSwitch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/kill-switch/{kill_switch_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a kill switch
         * @description A switch of this organization, active or ended.
         *
         *     Scope: `kill_switch:read`.
         */
        readonly get: operations["getKillSwitch"];
        readonly put?: never;
        readonly post?: never;
        /**
         * End a kill switch
         * @description Lets the calls go on. Ending a switch that has ended changes nothing.
         *
         *     Scope: `kill_switch:write`.
         */
        readonly delete: operations["deactivateKillSwitch"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/kill-switch/{kill_switch_id}/certificate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the containment certificate of a kill switch
         * @description A signed note that says which gateways enforce the switch and since when, which have not acknowledged it and deny, and which may still allow a call that it stops. It describes the moment at which it is issued, also of a switch that has ended. `svc-cli compliance verify-certificate` verifies it without the server. docs/AUDIT-FORMAT.md specifies it.
         *
         *     Scope: `kill_switch:read`.
         */
        readonly get: operations["getKillSwitchCertificate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List policies
         * @description The latest version of each policy without its document, by id.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["listPolicies"];
        readonly put?: never;
        /**
         * Create a policy
         * @description Stores version 1 and binds it to the agent that the document names. The answer comes when every gateway decides by it, or after 5 s, and says which do.
         *
         *     Scope: `policy:write`.
         */
        readonly post: operations["createPolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a policy
         * @description The latest version, as JSON, or as the text that was sent when `Accept` asks for YAML.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["getPolicy"];
        /**
         * Append a version to a policy
         * @description The history only grows, and no binding changes. With `If-Match` the change is refused if another version came in between.
         *
         *     Scope: `policy:write`.
         */
        readonly put: operations["updatePolicy"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Label a policy
         * @description Sets the labels that are named, and removes those that are null. The others stay.
         *
         *     Scope: `policy:write`.
         */
        readonly patch: operations["patchPolicy"];
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/gateways": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Ask which gateways decide by a policy
         * @description Waits until every gateway decides by the latest version, or for 5 s, and says which do. `acknowledged_ms` counts from this request.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["getPolicyGateways"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/versions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the versions of a policy
         * @description Newest first, without documents.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["listPolicyVersions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/versions/{version}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read one version of a policy
         * @description As JSON, or as the text that was sent when `Accept` asks for YAML.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["getPolicyVersion"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/rollback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Go back to an earlier version
         * @description Appends a version with the content of an earlier one. Bindings do not change. With `If-Match` the rollback is refused if another version came in between.
         *
         *     Scope: `policy:write`.
         */
        readonly post: operations["rollbackPolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/enable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Enable a policy
         * @description Its latest version governs again. An archived policy comes back without assignments.
         *
         *     Scope: `policy:write`.
         */
        readonly post: operations["enablePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/disable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Disable a policy
         * @description Denies every call that the policy governs, in every mode. Its assignments stay, so no other policy takes its place.
         *
         *     Scope: `policy:write`.
         */
        readonly post: operations["disablePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Archive a policy
         * @description Puts a policy away that is not assigned. Its history stays readable, and its id stays taken. Enabling it brings it back.
         *
         *     Scope: `policy:write`.
         */
        readonly post: operations["archivePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/diff": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Compare two versions of a policy
         * @description Lists every difference in what the versions mean, each with what was and what is. Comments, formatting, written-out defaults and the order of tool lists are not differences.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["diffPolicy"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Validate a policy document
         * @description Says everything that is noticed about a document. Nothing is stored.
         *
         *     Scope: `policy:test`.
         */
        readonly post: operations["validatePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/simulate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Try calls under a policy
         * @description Answers for each call what a gateway would answer, and why: active kill switches, tool lists, rules with the values that they saw, ceilings and mode. No row is written, and no session is charged. A call may name what its session has used (`session`).
         *
         *     Scope: `policy:test`.
         */
        readonly post: operations["simulatePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approvals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List approvals
         * @description Newest first, without arguments. A bound key sees those of its agents and namespaces.
         *
         *     Scope: `approval:read`.
         */
        readonly get: operations["listApprovals"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approvals/{approval_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an approval
         * @description With the arguments as the audit log holds them. A key without `approval:read` reads the approvals of calls that it asked about itself. With `Prefer: wait=<s>`, at most 60, the answer comes when the approval is resolved, or as it stands when the time is over. Reading never resolves an approval.
         *
         *     Scope: `approval:own`.
         */
        readonly get: operations["getApproval"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approvals/{approval_id}/approve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Approve a paused call
         * @description When it is the last approval that the workflow needs, the agent can repeat its call once, within an hour, in the same session, under the same version of the policy. `scope`, `covers` and `max_uses` say whether it holds for more. `args` narrows the call: the agent gets them as `shaped_args`, and the policy judges them. The key that asked about the call cannot approve it.
         *
         *     Scope: `approval:resolve`.
         */
        readonly post: operations["approveCall"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approvals/{approval_id}/deny": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deny a paused call
         * @description Ends the approval. One deny suffices, whatever the workflow requires.
         *
         *     Scope: `approval:resolve`.
         */
        readonly post: operations["denyApproval"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approvals/{approval_id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel an approval that is not needed any more, or revoke it
         * @description By an operator, or by the key that asked about the call. It does not deny later calls. After it, no call can use an approval that was given, also when a call that had used it did not run.
         *
         *     Scope: `approval:cancel`.
         */
        readonly post: operations["cancelApproval"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/held-calls": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List held calls
         * @description Calls of agents that rogue detection suspended (severity CRITICAL), newest first. A bound key sees those of its agents and namespaces.
         *
         *     Scope: `approval:read`.
         */
        readonly get: operations["listHeldCalls"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/held-calls/{held_call_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a held call
         * @description Nobody can approve a held call. When its agent recovers, it is `released`: the agent repeats it, and the gateway judges that like any other call. A key without `approval:read` reads the calls that it asked about itself.
         *
         *     Scope: `approval:own`.
         */
        readonly get: operations["getHeldCall"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approval-workflows": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List approval workflows
         * @description By id.
         *
         *     Scope: `workflow:read`.
         */
        readonly get: operations["listApprovalWorkflows"];
        readonly put?: never;
        /**
         * Create an approval workflow
         * @description Says who must approve the calls that a rule with `approval: {workflow: <id>}` pauses.
         *
         *     Scope: `workflow:write`.
         */
        readonly post: operations["createApprovalWorkflow"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/approval-workflows/{workflow_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an approval workflow
         * @description With its version as ETag.
         *
         *     Scope: `workflow:read`.
         */
        readonly get: operations["getApprovalWorkflow"];
        /**
         * Replace the settings of an approval workflow
         * @description What the body leaves out gets its default. Open approvals keep the settings they began with.
         *
         *     Scope: `workflow:write`.
         */
        readonly put: operations["putApprovalWorkflow"];
        readonly post?: never;
        /**
         * Remove an approval workflow that nothing names
         * @description Refused while a policy that is not archived, or an open approval, names it.
         *
         *     Scope: `workflow:write`.
         */
        readonly delete: operations["deleteApprovalWorkflow"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policy-assignments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List assignments
         * @description By id. With several filters, those that every filter names.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["listAssignments"];
        readonly put?: never;
        /**
         * Bind a policy to an agent or a namespace
         * @description An agent has one policy, and a namespace has one. The agent's own comes first. Repeating the same assignment changes nothing and is answered with 200.
         *
         *     Scope: `policy:assign`.
         */
        readonly post: operations["assignPolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policy-assignments/{assignment_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an assignment
         * @description Which policy is bound to which agent or namespace, by whom and when.
         *
         *     Scope: `policy:read`.
         */
        readonly get: operations["getAssignment"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove an assignment
         * @description The next policy that applies governs then. Without one, calls are denied.
         *
         *     Scope: `policy:assign`.
         */
        readonly delete: operations["unassignPolicy"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/gateways": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the processes that enforce kill switches
         * @description Every process that shares the database, for all organizations. A process that ends without leaving is listed for ten more seconds. The list has one page.
         *
         *     Scope: `kill_switch:read`.
         */
        readonly get: operations["listGateways"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List agents
         * @description By id: those that are registered, and those that have called or send heartbeats without being registered, with status `discovered`. Different filters must all match. A page can be short although the list goes on; `next_cursor` says so.
         *
         *     Scope: `agent:read`.
         */
        readonly get: operations["listAgents"];
        readonly put?: never;
        /**
         * Register an agent
         * @description An agent may call without being registered. Once it is, the namespace of its calls is that of the registration: a call that names none gets it, and a call that names another is denied. The answer comes when every gateway has acknowledged, or after 100 ms, and says which did.
         *
         *     Scope: `agent:write`.
         */
        readonly post: operations["registerAgent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an agent
         * @description A registered agent, or one that has called or sends heartbeats.
         *
         *     Scope: `agent:read`.
         */
        readonly get: operations["getAgent"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove the registration of an agent
         * @description Its calls may name any namespace afterwards. Refused while it is in quarantine, which would end unseen, and while it is the parent of other agents.
         *
         *     Scope: `agent:write`.
         */
        readonly delete: operations["deleteAgent"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the registration of an agent
         * @description What the body leaves out stays as it is; the id never changes. A new `namespace` moves the agent: every call that is answered after the acknowledgement is governed there, also one that began before.
         *
         *     Scope: `agent:write`.
         */
        readonly patch: operations["updateAgent"];
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/adopt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Register an agent that is discovered
         * @description Registers a discovered agent in the namespace of its latest call, unless the body names another one.
         *
         *     Scope: `agent:write`.
         */
        readonly post: operations["adoptAgent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the sessions of an agent
         * @description By their latest row in the audit log, newest first. `GET agents/{agent_id}/sessions/{session_id}` shows one of them.
         *
         *     Scope: `agent:read`.
         */
        readonly get: operations["listAgentSessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/top": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the busiest agents
         * @description Agents that called since a time, by the audit log: calls a minute, denies, pauses, cost and sessions, beside the same of the hour before. Those with most calls are first, or with most of what `sort` names. An agent with the id `top` is read at `agents/%74op`.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["listBusyAgents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/activity": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Sum up what an agent did
         * @description The calls of one agent in a time by tool, session and rule, the sums of their numeric arguments, and samples. Counts are those of the newest 50,000 calls of the time; `counted_all` says whether these are all.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getAgentActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/quarantine": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Hold an agent to what it may read
         * @description Until the quarantine ends, the agent may call only tools that its policy lists in `tools.read_only` and allows, in every governance mode. The answer comes when every gateway has acknowledged, or after 100 ms, and says which did. A repeat is answered with 200, and gets the later end of both. With `dry_run`, nothing is limited, and the answer says who would be.
         *
         *     Scope: `agent:contain`.
         */
        readonly post: operations["quarantineAgent"];
        /**
         * Lift a quarantine
         * @description Lets the agent call again what its policy allows. Lifting one that has ended does nothing.
         *
         *     Scope: `agent:contain`.
         */
        readonly delete: operations["liftQuarantine"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/alerts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List alerts
         * @description Newest first. Alerts of the whole server, such as a full disk, are in the list of the first organization alone.
         *
         *     Scope: `alert:read`.
         */
        readonly get: operations["listAlerts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/alerts/{alert_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an alert
         * @description Also one that is resolved. Of those, the newest 10,000 of an organization are kept.
         *
         *     Scope: `alert:read`.
         */
        readonly get: operations["getAlert"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/alerts/{alert_id}/acknowledge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Acknowledge an alert
         * @description Says that somebody looks at it. It does not end the alert, which ends by itself when its condition ends. An alert that is acknowledged or resolved already is answered as it is.
         *
         *     Scope: `alert:write`.
         */
        readonly post: operations["acknowledgeAlert"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/namespaces": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List namespaces
         * @description By id. Only those that were created, and `default`.
         *
         *     Scope: `namespace:read`.
         */
        readonly get: operations["listNamespaces"];
        readonly put?: never;
        /**
         * Describe a namespace
         * @description Calls, assignments and kill switches may name a namespace that was never created. Creating it gives it a name, a description and rogue-detection settings of its own. `default` always exists.
         *
         *     Scope: `namespace:write`.
         */
        readonly post: operations["createNamespace"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/namespaces/{namespace_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a namespace
         * @description `default` is there without being created; nobody created it.
         *
         *     Scope: `namespace:read`.
         */
        readonly get: operations["getNamespace"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a namespace that nothing names
         * @description Refused for `default`, and while a policy is assigned to it, an active kill switch stops it, an agent is registered in it or a key is bound to it. Its rogue-detection settings go with it. Calls may still name it afterwards.
         *
         *     Scope: `namespace:write`.
         */
        readonly delete: operations["deleteNamespace"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the name or description of a namespace
         * @description What the body leaves out stays as it is. The id never changes.
         *
         *     Scope: `namespace:write`.
         */
        readonly patch: operations["updateNamespace"];
        readonly trace?: never;
    };
    readonly "/namespaces/{namespace_id}/rogue-detection": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the rogue-detection settings of a namespace
         * @description The defaults, until somebody sets others.
         *
         *     Scope: `namespace:read`.
         */
        readonly get: operations["getRogueDetection"];
        /**
         * Replace the rogue-detection settings of a namespace
         * @description A key that the body leaves out gets its default. They are in force within two seconds.
         *
         *     Scope: `namespace:write`.
         */
        readonly put: operations["putRogueDetection"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/heartbeat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a heartbeat of a session
         * @description Supervision of a session starts with its first heartbeat, which is answered when it is stored. A later one is answered when it is in memory, and stored within 500 ms, unless it names another parent or the session is at CRITICAL. The settings are those of the registered namespace of the agent, else of the one namespace that the key is bound to, else of `default`. A parent that descends from the session is refused.
         *
         *     Scope: `agent:heartbeat`.
         */
        readonly post: operations["sendHeartbeat"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/reauthenticate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Authenticate an agent again
         * @description Ends CRITICAL of one session, and counts as a heartbeat of it. It takes a key that is bound to this agent, because no other key proves who sent it. While authentication is off, every request is taken for one of the agent.
         *
         *     Scope: `agent:heartbeat`.
         */
        readonly post: operations["reauthenticateAgent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/reregister": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End the emergency of an agent
         * @description The only way out of EMERGENCY. Supervision of the terminated sessions ends, and begins again with their next heartbeat. Their kill switches go on unless `end_kill_switch` is true. At most 200 sessions are re-registered at once.
         *
         *     Scope: `agent:contain`.
         */
        readonly post: operations["reregisterAgent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/agents/{agent_id}/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the health of an agent
         * @description Its first members are those of its worst session.
         *
         *     Scope: `agent:read`.
         */
        readonly get: operations["getAgentHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Find audit rows
         * @description Rows of the organization, newest first. Every filter that is given must match. `indexed` says whether the answer takes every row into account. A search for something rare among many rows can stop before the page is full: `searched_back_to` then says up to when, and `next_cursor` goes on.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["listAuditRows"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit/{row_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an audit row
         * @description With its hash, the hash before it, and the first signed checkpoint that covers it.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getAuditRow"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/decisions/{decision_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a decision
         * @description With its outcome and its approval. `withdrawn` says that the caller was denied although the row says something else, because a switch came between.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getDecision"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions/{agent_id}/{session_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a session
         * @description The timeline of one session of one agent: its rows, newest first, what it has used of its ceilings, which policies governed it and which kill switches stopped it.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getSession"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Report what a policy decided
         * @description Counts the decisions of a policy by version, outcome, rule and tool. `would_change` lists the calls that the modes `audit_only` and `shadow` allowed and that enforcement would have denied or paused. The counts are exact for the minutes from `since` to `until` of the answer, which are those asked for, widened to whole minutes. Calls that a kill switch or a fault denied before a policy judged them belong to no policy.
         *
         *     Scope: `policy:report`.
         */
        readonly get: operations["getPolicyReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export the audit log
         * @description Streams the whole log with its checkpoints, one JSON object a line, as docs/AUDIT-FORMAT.md specifies. Where several organizations have keys, it streams the rows of the key's organization, and for each log a signed statement that these are all of them. `svc-cli compliance audit-verify` verifies both. `log_id` alone exports one log in the same way. With `since`, `until`, `agent_id` or `kind` the answer is always such a list of rows, and the statement names what was asked for. One export of a key runs at a time. `format=ocsf` answers the same rows as events of the Open Cybersecurity Schema Framework 1.5.0: API Activity (6003), and Detection Finding (2004) for what was contained or detected. They carry no hashes, so they prove nothing.
         *
         *     Scope: `audit:export`.
         */
        readonly get: operations["exportAuditLog"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit/checkpoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List checkpoints
         * @description The signed heads of every log, ascending by log and size.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["listCheckpoints"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit/public-key": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the keys that verify checkpoints
         * @description Every key that checkpoints of this server were ever signed with, oldest first.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getVerifierKeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/decisions/{decision_id}/explain": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain a recorded decision
         * @description Makes the decision again by the policy version, kill switches, session usage and cost of its time. The answer says whether the same decision was reached, every step of it, and the smallest change of one argument, or the entry of a tool list, that changes it. Where the row masks what a condition read, it says so and claims no agreement.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["explainDecision"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow events as they happen
         * @description Server-sent events. Each is a row of the audit log, sent after the row is durable, in the form that `GET audit` has, without `outcome`; the name of the event is the row's `kind`. A withdrawn decision is followed by its outcome `revoked`. `Last-Event-ID` goes on behind an event, so that nothing is lost between two connections. A reader that is too slow, or too far behind, gets an event `gap` with the ids `after` and `until`: the events between them were not sent, and a request with `Last-Event-ID: <after>` reads them. A comment is sent every 15 seconds. A bound key gets events about the agents and namespaces that it is bound to.
         *
         *     Scope: `event:read`.
         */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/graphql": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Ask in GraphQL by the address
         * @description The same question in the address. `variables` is JSON text.
         */
        readonly get: operations["askGraphqlByUrl"];
        readonly put?: never;
        /**
         * Ask in GraphQL
         * @description Reads several resources in one request. Each field needs the scope of the route that it reads, and counts as a request of that route. `GET graphql/schema` has the schema, and /graphql is a page to try questions on. docs/GRAPHQL.md shows questions and says the limits.
         */
        readonly post: operations["askGraphql"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/{policy_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replay recorded calls under a candidate
         * @description Decides the calls of a range of time again, in their order, under a document or a version. Sessions are charged for what the candidate allows. The result is compared with what was recorded, or with what `base_version` decides. Runs in the background; read the replay until it has ended. When its process ends meanwhile, it begins again at the next start of that process. docs/ROLLOUT.md shows how a result is read.
         *
         *     Scope: `policy:test`.
         */
        readonly post: operations["startReplay"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/policies/propose": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Propose a policy of least privilege
         * @description Answers the smallest policy document that allows what ran for an agent or a namespace, based on the policy that governs it. Without an assignment of its own, an agent is governed by the policy of the namespace in which it was decided about last. Comments say how often each tool ran, and what its arguments were. Values of arguments are shown to keys that may read the audit log. Nothing is stored.
         *
         *     Scope: `policy:test`.
         */
        readonly post: operations["proposePolicy"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/replays": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List replays
         * @description Newest first, with their results. The last 100 are kept.
         *
         *     Scope: `policy:test`.
         */
        readonly get: operations["listReplays"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/replays/{replay_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a replay
         * @description Its progress while it runs, and its result when it is completed.
         *
         *     Scope: `policy:test`.
         */
        readonly get: operations["getReplay"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancel or remove a replay
         * @description Cancels a replay that waits or runs, and removes one that has ended.
         *
         *     Scope: `policy:test`.
         */
        readonly delete: operations["endReplay"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/legal-holds": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List legal holds
         * @description Newest first. Those that were lifted stay in the list.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["listLegalHolds"];
        readonly put?: never;
        /**
         * Keep rows from retention
         * @description Rows that the hold covers are not removed while it is in force, whatever their age. A hold by agent, session or namespace covers decisions that name all of them, and every outcome and control change of the organization. It does not bring rows back that are gone.
         *
         *     Scope: `legal_hold:write`.
         */
        readonly post: operations["placeLegalHold"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/legal-holds/{legal_hold_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a legal hold
         * @description Also one that was lifted.
         *
         *     Scope: `audit:read`.
         */
        readonly get: operations["getLegalHold"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Lift a legal hold
         * @description Rows past their time that no other hold covers are removed with the next run. The record stays. Lifting a hold again answers the same record.
         *
         *     Scope: `legal_hold:write`.
         */
        readonly delete: operations["liftLegalHold"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List API keys
         * @description By id, with those that were revoked. No answer holds a secret.
         *
         *     Scope: `key:read`.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description The answer holds the key with its secret, this once. No key makes one that may do more than itself. Only the bootstrap key makes keys of role `admin` and of other organizations.
         *
         *     Scope: `key:write`.
         */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/keys/{key_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an API key
         * @description What the key may do and when it ends.
         *
         *     Scope: `key:read`.
         */
        readonly get: operations["getKey"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Revoke an API key
         * @description Ends a key for good. The answer comes when every gateway has acknowledged that it refuses the key, or after 100 ms, and says which did. Repeating it changes nothing.
         *
         *     Scope: `key:write`.
         */
        readonly delete: operations["revokeKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/keys/{key_id}/rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Give an API key a new secret
         * @description The new secret works at once. The earlier ones end after `overlap_seconds`, and with 0 at once. The id, the role and the bindings stay.
         *
         *     Scope: `key:write`.
         */
        readonly post: operations["rotateKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End the login of the caller
         * @description Ends the key of the request, when a login or a token gave it. Other keys are revoked by their id.
         */
        readonly post: operations["endLogin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/people/{person}/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End all logins of a person
         * @description Ends the keys of all logins of a person, in browsers and of svc-cli. The person can sign in again: take the account away at the provider first. Repeating it ends what began meanwhile.
         *
         *     Scope: `key:write`.
         */
        readonly post: operations["endLoginsOf"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/whoami": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Say who the caller is
         * @description The key of the request: its role, what it may do, and when it ends.
         */
        readonly get: operations["whoAmI"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/trust-rules": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List trust rules
         * @description Newest first. Those that were removed stay in the list.
         *
         *     Scope: `key:read`.
         */
        readonly get: operations["listTrustRules"];
        readonly put?: never;
        /**
         * Trust tokens of an issuer
         * @description A program that has such a token exchanges it for a key (`POST token`). A rule gives no more than a key that its maker could make. A rule that admits everybody is refused. `warnings` says whom else a rule admits.
         *
         *     Scope: `key:write`.
         */
        readonly post: operations["createTrustRule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/trust-rules/{trust_rule_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a trust rule
         * @description Also one that was removed.
         *
         *     Scope: `key:read`.
         */
        readonly get: operations["getTrustRule"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a trust rule
         * @description It admits no token any more. Keys that it has given end by themselves within `lifetime_seconds`. Removing it again answers the same record.
         *
         *     Scope: `key:write`.
         */
        readonly delete: operations["removeTrustRule"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first. No answer holds a secret.
         *
         *     Scope: `webhook:read`.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Deliver events to an address
         * @description The answer holds the secret that signs the deliveries, this once. Everything that happens from now on is delivered. An address that may not be called is refused: a private one needs a place in SVC_OUTBOUND_ALLOW.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhook_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a webhook
         * @description What it takes, how far it is, and how it fares.
         *
         *     Scope: `webhook:read`.
         */
        readonly get: operations["getWebhook"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a webhook
         * @description With its secrets and the list of its deliveries. It gets nothing more.
         *
         *     Scope: `webhook:write`.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a webhook
         * @description What the body leaves out stays as it is. It takes effect within two seconds. One that is enabled again gets what it missed, as far as the log still has it.
         *
         *     Scope: `webhook:write`.
         */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/webhooks/{webhook_id}/rotate-secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Give a webhook a new secret
         * @description Makes the next secret. Until it takes over, `webhook-signature` carries a signature of both, and `X-Svc-Signature-256` that of the present one. It takes over after `overlap_seconds`, or when the request is repeated with `activate`. While one waits, no other is made, but with `overlap_seconds` 0, which replaces both.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["rotateWebhookSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhook_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a sample to a webhook
         * @description Delivers a sample now, once, and answers what the receiver said. Its id begins with `evt_test_`, and it is about things that do not exist.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhook_id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description Attempts, newest first: all failures of a week, and the last 1,000 that went through. With status `waiting` or `dead` the deliveries that wait for another attempt, or failed for good.
         *
         *     Scope: `webhook:read`.
         */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/deliveries/{delivery_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deliver one event again
         * @description Under the id that it had, with a new time and signature. The delivery must be in a list of deliveries, and its row in the log.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["replayDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhook_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deliver the events of a time again
         * @description Those that the webhook takes now, under the ids that they had, or with status `dead` those whose deliveries failed for good. One request looks at 5,000 rows of the log; `next_cursor` leads on.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["replayWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/notification-channels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List notification channels
         * @description Newest first, with those that entries of namespaces and workflows have made.
         *
         *     Scope: `webhook:read`.
         */
        readonly get: operations["listNotificationChannels"];
        readonly put?: never;
        /**
         * Create a notification channel
         * @description Namespaces name channels in `escalation.notify_channels`, approval workflows in `channels`. The address or the key is kept encrypted, and no answer holds it.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["createNotificationChannel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/notification-channels/{notification_channel_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a notification channel
         * @description An address or a key that is set says `set`.
         *
         *     Scope: `webhook:read`.
         */
        readonly get: operations["getNotificationChannel"];
        /**
         * Create or replace a notification channel
         * @description `set` in place of an address or a key keeps the stored one. A disabled channel is used again.
         *
         *     Scope: `webhook:write`.
         */
        readonly put: operations["putNotificationChannel"];
        readonly post?: never;
        /**
         * Remove a notification channel
         * @description A channel that a namespace or a workflow names is refused, and the answer says which.
         *
         *     Scope: `webhook:write`.
         */
        readonly delete: operations["deleteNotificationChannel"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/notification-channels/{notification_channel_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test message
         * @description Sends one message now that says that it is a test, and answers what the receiver said.
         *
         *     Scope: `webhook:write`.
         */
        readonly post: operations["testNotificationChannel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/integrations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List integrations
         * @description Newest first.
         *
         *     Scope: `integration:read`.
         */
        readonly get: operations["listIntegrations"];
        readonly put?: never;
        /**
         * Create an integration
         * @description It is sent the rows of the audit log that are committed from now on, in order. A secret is kept encrypted, and no answer holds it. `github` is read, and nothing is sent to it.
         *
         *     Scope: `integration:write`.
         */
        readonly post: operations["createIntegration"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/integrations/{integration_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an integration and how it fares
         * @description A secret that is set says `set`. `health` says how far the receiver is.
         *
         *     Scope: `integration:read`.
         */
        readonly get: operations["getIntegration"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove an integration
         * @description Its secret and its place in the log are removed, too.
         *
         *     Scope: `integration:write`.
         */
        readonly delete: operations["deleteIntegration"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an integration
         * @description One that is enabled again goes on where it was. Another address needs its secret: the stored one is not sent there.
         *
         *     Scope: `integration:write`.
         */
        readonly patch: operations["updateIntegration"];
        readonly trace?: never;
    };
    readonly "/integrations/{integration_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Try an integration
         * @description Sends one sample row now, or reads the repository for `github`, and answers what the other side said.
         *
         *     Scope: `integration:write`.
         */
        readonly post: operations["testIntegration"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Exchange a token for a key of minutes
         * @description A program sends the token that its platform gave it, and gets a key if a trust rule admits it (RFC 8693). It needs no key. The body is JSON, or a form (`application/x-www-form-urlencoded`) with the same names.
         */
        readonly post: operations["exchangeToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this description as YAML
         * @description OpenAPI 3.1.
         */
        readonly get: operations["getOpenApiYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this description as JSON
         * @description OpenAPI 3.1.
         */
        readonly get: operations["getOpenApiJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi-3.0.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this description as OpenAPI 3.0
         * @description For generators that do not read OpenAPI 3.1. It has no webhooks.
         */
        readonly get: operations["getOpenApi30Yaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/graphql/schema": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the schema of GraphQL
         * @description In the schema definition language. It is the same for everybody.
         */
        readonly get: operations["getGraphqlSchema"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this description in a browser
         * @description A page that loads nothing from other hosts.
         */
        readonly get: operations["showDocs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/reasons": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read what every reason code and problem code means
         * @description `type` of a problem and `docs` of a deny lead here.
         */
        readonly get: operations["showReasons"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/{file}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A file of the page
         * @description Scripts and styles of the page. Their names are a closed list.
         */
        readonly get: operations["getDocsFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/healthz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Whether the process answers
         * @description For a liveness probe.
         */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Whether the process can decide calls now
         * @description For a readiness probe and for load balancers.
         */
        readonly get: operations["getReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Metrics of the process
         * @description In the text format of Prometheus. docs/OPERATIONS.md lists them.
         */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/version": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Which release this is
         * @description The version of the server.
         */
        readonly get: operations["getVersion"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "policy.decision": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a call was decided
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onPolicyDecision"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "approval.requested": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a paused call waits for a person
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onApprovalRequested"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "approval.resolved": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when an approval was given, denied or cancelled, or has expired
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onApprovalResolved"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "killswitch.activated": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a kill switch was activated, by a person or by the service
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onKillswitchActivated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "killswitch.extended": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when an active kill switch got a later end
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onKillswitchExtended"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "killswitch.deactivated": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a kill switch was ended before its time
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onKillswitchDeactivated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "killswitch.expired": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when the time of a kill switch was over
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onKillswitchExpired"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "agent.registered": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when an agent was registered, or one that called before was adopted
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAgentRegistered"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "agent.severity_changed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when the severity of a session changed
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAgentSeverityChanged"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "agent.anomaly": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when an agent behaved in an unusual way. A burst of denied calls is `policy.violations` instead
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAgentAnomaly"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "agent.quarantined": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when an agent was limited to the read-only tools of its policy
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAgentQuarantined"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "policy.version_created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a policy got a new version: it was created, updated or rolled back
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onPolicyVersionCreated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "policy.violations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when many calls of an agent were denied by one rule within a minute
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onPolicyViolations"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "alert.opened": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when a condition began that somebody has to look at
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAlertOpened"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "alert.resolved": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when the condition of an alert ended
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onAlertResolved"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.endpoint_disabled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sent when the service disabled an endpoint of webhooks that answered 410 or failed for five days
         * @description docs/EVENTS.md says how to verify it.
         */
        readonly post: operations["onWebhookEndpointDisabled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A switch, who is stopped by it and who enforces it. */
        readonly ActivatedKillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description The session, agent, tool or namespace. Null for an account-wide switch that names none. */
            readonly target_id: string | null;
            /** @description Whether it stops every call of the organization. */
            readonly account_wide: boolean;
            readonly auto_recovery: boolean;
            readonly status: components["schemas"]["KillSwitchStatus"];
            readonly reason: string;
            readonly activated_by: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly activated_at: string;
            /** @description Null: active until somebody deactivates it. */
            readonly expires_at: string | null;
            readonly ended_at: string | null;
            /** @description Who ended it; `ttl_expiry` when its time was over. */
            readonly ended_by: string | null;
            readonly end_reason: string | null;
            /** @description Milliseconds from `activated_at` to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Which calls this switch stops now, in words. */
            readonly stops: string;
            /** @description Seconds until it ends by itself. Null when it does not, or when it has ended. */
            readonly remaining_seconds: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "activated";
            /** @description Present when no gateway has seen the target, whose name may then be misspelt. */
            readonly warning?: string;
            /** @description Who has called lately and is stopped. Null: that is not known. */
            readonly affected: components["schemas"]["RecentCallers"] | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description True only when every known gateway has acknowledged that it enforces the switch. */
            readonly enforced: boolean;
            /** @description Whether this activation gave an active switch a later end. */
            readonly extended: boolean;
        };
        /** @description An agent that is registered, that has called, or that sends heartbeats. */
        readonly Agent: {
            /** @description What calls, policies and kill switches name. */
            readonly id: string;
            /** @description A name for people. */
            readonly name: string;
            /** @description The namespace of its calls. For a discovered agent: that of its latest call, else heartbeat. */
            readonly namespace: string;
            /** @description Who provides the model or the platform. */
            readonly provider: string | null;
            /** @description Words for finding agents. */
            readonly tags: readonly string[];
            /** @description What the agent says it can do. */
            readonly capabilities: readonly string[];
            /** @description The agent that starts this one. */
            readonly parent_agent_id: string | null;
            /** @description Computed from its registration and its sessions. */
            readonly status: components["schemas"]["AgentStatus"];
            /** @description The worst severity of its sessions. */
            readonly severity: components["schemas"]["Severity"];
            /** @description The latest of any session. Null: it sent none. */
            readonly last_heartbeat: string | null;
            /** @description Null: the agent is not in quarantine. */
            readonly quarantine: components["schemas"]["Quarantine"] | null;
            /** @description Its first call. Null: it has not called. */
            readonly first_seen: string | null;
            /** @description Its latest call. Null: it has not called. */
            readonly last_seen: string | null;
            /** @description Null: nobody registered it. */
            readonly registered_at: string | null;
            /** @description Id of the key that registered it. Null: nobody did. */
            readonly created_by: string | null;
        };
        /** @description What one agent did in a time. */
        readonly AgentActivity: {
            readonly agent_id: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until: string;
            /** Format: int64 */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** Format: int64 */
            readonly allow: number;
            /**
             * Format: int64
             * @description Decisions that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /** @description The first call of the time. Null: it did not call. */
            readonly first_at: string | null;
            readonly last_at: string | null;
            readonly tools: readonly components["schemas"]["AgentToolCalls"][];
            /**
             * Format: int64
             * @description Calls of others that the list does not name.
             */
            readonly tools_left_out: number;
            readonly sessions: readonly components["schemas"]["AgentSessionCalls"][];
            /**
             * Format: int64
             * @description Calls of others that the list does not name.
             */
            readonly sessions_left_out: number;
            /** @description By decision and rule; without a rule by reason. */
            readonly verdicts: readonly components["schemas"]["AgentVerdictCalls"][];
            /**
             * Format: int64
             * @description Calls of others that the list does not name.
             */
            readonly verdicts_left_out: number;
            /** @description Sums of numeric arguments of the newest `read_calls` calls. Masked values add nothing. */
            readonly arguments: readonly components["schemas"]["ArgumentSum"][];
            /**
             * Format: int64
             * @description Numbers that were not added, beyond 200 different sums.
             */
            readonly arguments_left_out: number;
            /** @description The newest two calls of each tool and decision, at most 20. */
            readonly samples: readonly components["schemas"]["SampleCall"][];
            /**
             * Format: int64
             * @description Calls that sums and samples come from: the newest 5,000, or 8 MiB of them.
             */
            readonly read_calls: number;
            /** @description False: only the newest 50,000 calls of the time are counted. */
            readonly counted_all: boolean;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description What is left out is what the agent's calls said, or nothing. */
        readonly AgentAdoption: {
            /** @description Absent: that of its latest call, else of its latest heartbeat. */
            readonly namespace?: string;
            /** @description What people call it. Absent: the id. */
            readonly name?: string;
            /**
             * @description Who provides the model or the platform.
             * @default null
             */
            readonly provider?: string | null;
            /** @description Words for finding agents. */
            readonly tags?: readonly string[];
            /** @description What the agent can do. */
            readonly capabilities?: readonly string[];
            /**
             * @description The registered agent that starts this one. Null: none.
             * @default null
             */
            readonly parent_agent_id?: string | null;
            /** @description Why, for the audit log. */
            readonly reason?: string;
        };
        /** @description Behaviour that differs from what is expected. */
        readonly AgentAnomaly: {
            /** @description Id of its audit row. */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            readonly session_id: string | null;
            readonly anomaly: components["schemas"]["Anomaly"];
            /** @description What was observed, for people. */
            readonly explanation: string;
        };
        /** @description Sent when an agent behaved in an unusual way. A burst of denied calls is `policy.violations` instead. */
        readonly AgentAnomalyEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "agent.anomaly";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AgentAnomalyEventData"];
        };
        readonly AgentAnomalyEventData: {
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly namespace: string | null;
            readonly anomaly: components["schemas"]["Anomaly"];
            readonly explanation: string;
            /** @description Ids and counts that show it. */
            readonly evidence: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Decisions of an agent, beside reports about them. */
        readonly AgentCoverage: {
            /**
             * Format: date-time
             * @description Allowed calls of one hour are counted, from here.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description To here: later calls may still get an outcome in time.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until: string;
            /**
             * Format: int64
             * @description Allowed calls of keys that report in their session how calls ended.
             */
            readonly allows: number;
            /**
             * Format: int64
             * @description Those of them with an outcome.
             */
            readonly outcomes: number;
            /**
             * Format: int64
             * @description The others.
             */
            readonly allows_without_outcome: number;
            /**
             * Format: int64
             * @description Allowed calls of keys that reported no run in their session. They are not suspicious.
             */
            readonly unreported_allows: number;
            /**
             * Format: int64
             * @description Calls of the last hour that ran, as was reported, although they were not allowed.
             */
            readonly outcomes_without_decision: number;
            /** @description False: there are rows that were not counted. */
            readonly complete: boolean;
        };
        /** @description Heartbeats, severity and anomalies of an agent. */
        readonly AgentHealth: {
            readonly agent_id: string;
            /** @description Null: the agent has no supervised session. */
            readonly session_id: string | null;
            /** @description Null: it sent none. */
            readonly last_heartbeat: string | null;
            /** Format: int64 */
            readonly missed_heartbeats: number;
            readonly severity: components["schemas"]["Severity"];
            /** @description What the severity means for its calls. */
            readonly status: components["schemas"]["HealthStatus"];
            /** @description Seconds until the next escalation without a heartbeat. Null: nothing escalates. */
            readonly escalation_eta_seconds: number | null;
            /** @description Supervised sessions, worst first. */
            readonly sessions: readonly components["schemas"]["SessionHealth"][];
            /** @description For more sessions. Null: these are all. */
            readonly next_cursor: string | null;
            readonly quarantine: components["schemas"]["Quarantine"] | null;
            /** @description Those of the last 24 hours, the latest of each, newest first; at most 20. */
            readonly anomalies: readonly components["schemas"]["AgentAnomaly"][];
            /** @description Whether what runs is what was asked about. Null: it could not be counted now. */
            readonly coverage: components["schemas"]["AgentCoverage"] | null;
        };
        /** @description A page of agents, by id. */
        readonly AgentPage: {
            readonly agents: readonly components["schemas"]["Agent"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description Sent when an agent was limited to the read-only tools of its policy. */
        readonly AgentQuarantinedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "agent.quarantined";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AgentQuarantinedEventData"];
        };
        readonly AgentQuarantinedEventData: {
            readonly agent_id: string;
            readonly namespace: string;
            readonly reason: string | null;
            readonly quarantined_by: string | null;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** @description Null: it has no end. */
            readonly expires_at: string | null;
        };
        /** @description Sent when an agent was registered, or one that called before was adopted. */
        readonly AgentRegisteredEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "agent.registered";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AgentRegisteredEventData"];
        };
        readonly AgentRegisteredEventData: {
            readonly agent_id: string;
            readonly namespace: string;
            /** @description Name, provider, tags, capabilities and parent. Null when the event would be too large. */
            readonly registration: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Whether there is one that the event leaves out. */
            readonly registration_omitted: boolean;
        };
        /** @description Why the registration is removed. */
        readonly AgentRemoval: {
            /** @description Why, for the audit log. */
            readonly reason?: string;
        };
        /** @description An agent and the namespace of its calls. */
        readonly AgentRequest: {
            /** @description What its calls name. It never changes. */
            readonly id: string;
            /** @description The namespace of its calls. A call that names another is denied. */
            readonly namespace: string;
            /** @description What people call it. Absent: the id. */
            readonly name?: string;
            /**
             * @description Who provides the model or the platform.
             * @default null
             */
            readonly provider?: string | null;
            /** @description Words for finding agents. */
            readonly tags?: readonly string[];
            /** @description What the agent can do. */
            readonly capabilities?: readonly string[];
            /**
             * @description The registered agent that starts this one. Null: none.
             * @default null
             */
            readonly parent_agent_id?: string | null;
            /** @description Why, for the audit log. */
            readonly reason?: string;
        };
        /** @description A session of an agent, by the rows of the audit log. */
        readonly AgentSession: {
            readonly session_id: string;
            /**
             * Format: int64
             * @description Rows of the audit log about it, among those that were counted.
             */
            readonly rows: number;
            /**
             * Format: date-time
             * @description Its first row.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @description Its latest row.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
        };
        /** @description The calls of one session of one agent. */
        readonly AgentSessionCalls: {
            readonly session_id: string | null;
            /** Format: int64 */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** Format: int64 */
            readonly allow: number;
            /**
             * Format: int64
             * @description Decisions that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
        };
        /** @description A page of sessions, the latest first. */
        readonly AgentSessionPage: {
            readonly sessions: readonly components["schemas"]["AgentSession"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
            /** @description False: only the newest 10,000 rows of the agent were counted. */
            readonly counted_all: boolean;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description Sent when the severity of a session changed. */
        readonly AgentSeverityChangedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "agent.severity_changed";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AgentSeverityChangedEventData"];
        };
        readonly AgentSeverityChangedEventData: {
            readonly agent_id: string;
            readonly session_id: string;
            readonly namespace: string;
            readonly previous_severity: components["schemas"]["Severity"];
            readonly severity: components["schemas"]["Severity"];
            readonly reason: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** Format: int64 */
            readonly missed_heartbeats: number;
        };
        /** @enum {string} */
        readonly AgentStatus: "registered" | "discovered" | "suspended" | "terminated";
        /** @description The calls of one tool by one agent. */
        readonly AgentToolCalls: {
            readonly tool: string;
            /** Format: int64 */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** Format: int64 */
            readonly allow: number;
            /**
             * Format: int64
             * @description Decisions that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
        };
        /** @description What is left out stays as it is. */
        readonly AgentUpdate: {
            /** @description What people call it. */
            readonly name?: string;
            /** @description The namespace of its calls. A call that names another is denied. */
            readonly namespace?: string;
            /** @description Who provides the model or the platform. */
            readonly provider?: string | null;
            /** @description Words for finding agents. */
            readonly tags?: readonly string[];
            /** @description What the agent can do. */
            readonly capabilities?: readonly string[];
            /** @description The registered agent that starts this one. Null: none. */
            readonly parent_agent_id?: string | null;
        };
        /** @description Calls of one agent that one rule decided in one way. */
        readonly AgentVerdictCalls: {
            readonly decision: components["schemas"]["DecisionKind"];
            /** @description What enforcement would have answered. Absent: the same. */
            readonly would_be?: components["schemas"]["DecisionKind"];
            readonly rule_id: string | null;
            /** @description Of one of these calls. */
            readonly reason: string | null;
            readonly reason_code: string | null;
            /** Format: int64 */
            readonly calls: number;
            /** Format: int64 */
            readonly withdrawn: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
        };
        /** @description A condition that somebody has to look at, and where it stands. */
        readonly Alert: {
            readonly id: string;
            readonly condition: components["schemas"]["AlertCondition"];
            readonly severity: components["schemas"]["AlertSeverity"];
            readonly status: components["schemas"]["AlertStatus"];
            /** @description What it is about, such as an agent or a gateway. At most one alert of it is not resolved. */
            readonly subject: string;
            /** @description Null: it is not about an agent. */
            readonly agent_id: string | null;
            /** @description One sentence for people. It changes with the condition, at most once a minute. */
            readonly summary: string;
            /** @description Ids and counts, as of the same look. A severity that changes is shown at once. */
            readonly details: Record<string, never>;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly opened_at: string;
            /** @description Null: nobody has acknowledged it. */
            readonly acknowledged_at: string | null;
            /** @description Id of the key or person; null: nobody. */
            readonly acknowledged_by: string | null;
            /** @description What was said when it was acknowledged. */
            readonly note: string | null;
            /** @description Null while the condition lasts. */
            readonly resolved_at: string | null;
        };
        /** @description Says that somebody looks at the alert. */
        readonly AlertAcknowledgement: {
            /**
             * @description For those who look at it later.
             * @default null
             */
            readonly note?: string | null;
        };
        /** @enum {string} */
        readonly AlertCondition: "agent_severity" | "agent_anomaly" | "policy_violations" | "policy_unloadable" | "deliveries_late" | "dead_letters" | "webhook_disabled" | "fail_closed" | "checkpoint_failing" | "gateway_silent" | "index_late" | "disk_low";
        /** @description Sent when a condition began that somebody has to look at. */
        readonly AlertOpenedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "alert.opened";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AlertOpenedEventData"];
        };
        readonly AlertOpenedEventData: {
            readonly alert_id: string;
            readonly condition: components["schemas"]["AlertCondition"];
            readonly severity: components["schemas"]["AlertSeverity"];
            /** @description What it is about, such as an agent or a gateway. At most one alert of it is not resolved. */
            readonly subject: string;
            /** @description Null: it is not about an agent. */
            readonly agent_id: string | null;
            /** @description One sentence for people. It changes with the condition, at most once a minute. */
            readonly summary: string;
            /** @description Ids and counts, as of the same look. A severity that changes is shown at once. */
            readonly details: Record<string, never>;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly opened_at: string;
        };
        /** @description A page of alerts, newest first. */
        readonly AlertPage: {
            readonly alerts: readonly components["schemas"]["Alert"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Sent when the condition of an alert ended. */
        readonly AlertResolvedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "alert.resolved";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["AlertResolvedEventData"];
        };
        readonly AlertResolvedEventData: {
            readonly alert_id: string;
            readonly condition: components["schemas"]["AlertCondition"];
            readonly severity: components["schemas"]["AlertSeverity"];
            /** @description What it is about, such as an agent or a gateway. At most one alert of it is not resolved. */
            readonly subject: string;
            /** @description Null: it is not about an agent. */
            readonly agent_id: string | null;
            /** @description One sentence for people. It changes with the condition, at most once a minute. */
            readonly summary: string;
            /** @description Ids and counts, as of the same look. A severity that changes is shown at once. */
            readonly details: Record<string, never>;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly opened_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly resolved_at: string;
        };
        /**
         * @description critical: worth waking somebody. warning: it can wait.
         * @enum {string}
         */
        readonly AlertSeverity: "critical" | "warning";
        /** @enum {string} */
        readonly AlertStatus: "open" | "acknowledged" | "resolved";
        /** @description Make the call, with `shaped_args` where they are present. */
        readonly Allow: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly decision: "allow";
            /** @description Names the durable audit row. */
            readonly decision_id: string;
            readonly policy_id?: string;
            /** Format: int64 */
            readonly policy_version?: number;
            readonly mode?: components["schemas"]["GovernanceMode"];
            /** @description True on the answer to a repeat with the same Idempotency-Key. The first call was charged, once. */
            readonly repeated?: boolean;
            readonly would_be?: components["schemas"]["WouldBe"];
            /** @description True: call with `shaped_args`, not with your arguments. */
            readonly args_constrained: boolean;
            /** @description All arguments of the call. Present exactly when `args_constrained` is true. */
            readonly shaped_args?: {
                readonly [key: string]: unknown;
            };
        };
        /** @enum {string} */
        readonly Anomaly: "identical_call_repeated" | "call_burst" | "deny_storm" | "tool_never_seen" | "denied_call_retried" | "call_after_end" | "outcome_without_decision" | "outcome_missing" | "policy_violations";
        readonly AppliedWorkflow: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            readonly name: string | null;
            readonly approvers: components["schemas"]["Approvers"];
        };
        /** @description A paused call, and where its approval stands. */
        readonly Approval: {
            readonly id: string;
            readonly status: components["schemas"]["ApprovalStatus"];
            /** @description The page for people. */
            readonly approval_url: string;
            readonly org_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly tool: string;
            /** @description As the audit row holds them. Null: the row was removed after its retention time. */
            readonly args: {
                readonly [key: string]: unknown;
            } | null;
            /** @description True: `args` hides values that the call has. Who approves it approves values unseen. */
            readonly args_masked: boolean;
            /** @description The arguments that the approver set, with secrets masked. Null: those of the call. */
            readonly edited_args: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Names the call: organization, agent, session, tool and unmasked arguments. */
            readonly call_digest: string | null;
            /** @description Why the call was paused. */
            readonly reason: string;
            /** @description Which session of the agent suspends it, and what ends that. Only who reads approvals of others learns the id of another session. Null: it is not suspended. */
            readonly suspended_because: string | null;
            readonly rule_id: string | null;
            readonly policy_id: string;
            /**
             * Format: int64
             * @description A grant covers the calls under this version alone.
             */
            readonly policy_version: number;
            /** @description Why nobody can approve it: another version of its policy decides now. Null: it is not void. */
            readonly void_because: string | null;
            /** @description The decision that opened it. */
            readonly decision_id: string;
            /** @description Id of the key that asked. It cannot resolve the approval. */
            readonly requested_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly requested_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly expires_at: string;
            /** @description As it was when the approval was opened. Null: one approval suffices. */
            readonly workflow: components["schemas"]["AppliedWorkflow"] | null;
            /**
             * Format: int64
             * @description Approvals that are needed.
             */
            readonly required: number;
            readonly scope: components["schemas"]["ApprovalScope"];
            /** @description Arguments. The approval also holds for later calls with the same values of them. Empty: it holds for one call. */
            readonly covers: readonly string[];
            /**
             * Format: int64
             * @description Calls that it lets pass, once it is approved.
             */
            readonly max_uses: number;
            readonly votes: readonly components["schemas"]["ApprovalVote"][];
            readonly resolved_at: string | null;
            /** @description Id of the key, or the part of the server that ended it. */
            readonly resolved_by: string | null;
            /** @description Why it ended as it did. */
            readonly resolution: string | null;
            readonly grant: components["schemas"]["ApprovalGrant"] | null;
        };
        /** @enum {string} */
        readonly ApprovalFilter: "pending" | "suspended" | "approved" | "denied" | "expired" | "cancelled" | "usable";
        readonly ApprovalGrant: {
            /**
             * Format: date-time
             * @description Until when the agent can repeat the call.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly expires_at: string;
            /**
             * Format: int64
             * @description Calls that it has let pass.
             */
            readonly uses: number;
            /** @description The decision that used it up. Null: something is left. */
            readonly used_by: string | null;
            /** @description When it was used last. */
            readonly used_at: string | null;
            /** @description Who took it back. No later call can use it, whatever becomes of earlier ones. */
            readonly revoked: components["schemas"]["GrantRevocation"] | null;
        };
        /** @description An approval in a list, without arguments. */
        readonly ApprovalItem: {
            readonly id: string;
            readonly status: components["schemas"]["ApprovalStatus"];
            /** @description The page for people. */
            readonly approval_url: string;
            readonly org_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly tool: string;
            readonly rule_id: string | null;
            readonly policy_id: string;
            /**
             * Format: int64
             * @description A grant covers the calls under this version alone.
             */
            readonly policy_version: number;
            /** @description Why nobody can approve it: another version of its policy decides now. Null: it is not void. */
            readonly void_because: string | null;
            /** @description The decision that opened it. */
            readonly decision_id: string;
            /** @description Id of the key that asked. It cannot resolve the approval. */
            readonly requested_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly requested_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly expires_at: string;
            /** @description As it was when the approval was opened. Null: one approval suffices. */
            readonly workflow: components["schemas"]["AppliedWorkflow"] | null;
            /**
             * Format: int64
             * @description Approvals that are needed.
             */
            readonly required: number;
            readonly scope: components["schemas"]["ApprovalScope"];
            /** @description Arguments. The approval also holds for later calls with the same values of them. Empty: it holds for one call. */
            readonly covers: readonly string[];
            /**
             * Format: int64
             * @description Calls that it lets pass, once it is approved.
             */
            readonly max_uses: number;
            readonly votes: readonly components["schemas"]["ApprovalVote"][];
            readonly resolved_at: string | null;
            /** @description Id of the key, or the part of the server that ended it. */
            readonly resolved_by: string | null;
            /** @description Why it ended as it did. */
            readonly resolution: string | null;
            readonly grant: components["schemas"]["ApprovalGrant"] | null;
        };
        /** @description A page of approvals, newest first. */
        readonly ApprovalList: {
            readonly approvals: readonly components["schemas"]["ApprovalItem"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        readonly ApprovalOfDecision: {
            readonly approval_id: string;
            /** @description At most 50 rows that name the approval, newest first. */
            readonly rows: readonly components["schemas"]["AuditRow"][];
        };
        /** @description Sent when a paused call waits for a person. */
        readonly ApprovalRequestedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "approval.requested";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["ApprovalRequestedEventData"];
        };
        readonly ApprovalRequestedEventData: {
            /** @description Leads to the decision and its row: `GET decisions/{id}`. */
            readonly decision_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            /** @description Null: the call named none. */
            readonly session_id: string | null;
            readonly tool: string;
            readonly reason: string | null;
            /** @description As the audit log has them, secrets masked. Null when the event would be too large with them. */
            readonly args: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Whether there are arguments that the event leaves out. */
            readonly args_omitted: boolean;
            /** @description Null: no rule of the policy decided. */
            readonly rule_id: string | null;
            readonly policy_id: string | null;
            readonly policy_version: number | null;
            readonly approval_id: string;
        };
        /** @description Sent when an approval was given, denied or cancelled, or has expired. */
        readonly ApprovalResolvedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "approval.resolved";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["ApprovalResolvedEventData"];
        };
        readonly ApprovalResolvedEventData: {
            /** @description Leads to the decision and its row: `GET decisions/{id}`. */
            readonly decision_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            /** @description Null: the call named none. */
            readonly session_id: string | null;
            readonly tool: string;
            readonly reason: string | null;
            readonly approval_id: string;
            /** @enum {string} */
            readonly resolution: "approved" | "denied" | "expired" | "cancelled";
            /** @description The id of the key, or the part of the service. */
            readonly resolved_by: string;
        };
        /**
         * @description session: it holds in the session of the call. agent: in every session of the agent.
         * @enum {string}
         */
        readonly ApprovalScope: "session" | "agent";
        /** @enum {string} */
        readonly ApprovalStatus: "pending" | "suspended" | "approved" | "denied" | "expired" | "cancelled";
        /** @description What one approver said. */
        readonly ApprovalVote: {
            readonly decision: components["schemas"]["VoteDecision"];
            /** @description Id of the key. */
            readonly by: string;
            readonly reason: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly at: string;
        };
        /** @description Who must approve the calls of rules that name it. */
        readonly ApprovalWorkflow: {
            readonly id: string;
            /**
             * Format: int64
             * @description Counts the changes. It is the ETag.
             */
            readonly version: number;
            readonly name: string | null;
            /** Format: int64 */
            readonly required: number;
            readonly approvers: components["schemas"]["Approvers"];
            /** Format: int64 */
            readonly expires_in_seconds: number;
            readonly channels: readonly components["schemas"]["NotifyChannel"][];
            readonly on_expiry: components["schemas"]["OnExpiry"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key. */
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            /** @description Id of the key. */
            readonly updated_by: string;
        };
        /** @description A page of workflows, by id. */
        readonly ApprovalWorkflowPage: {
            readonly approval_workflows: readonly components["schemas"]["ApprovalWorkflow"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Who must approve, and until when. */
        readonly ApprovalWorkflowRequest: {
            /** @description What rules name. It never changes. */
            readonly id: string;
            /**
             * @description What people call it.
             * @default null
             */
            readonly name?: string | null;
            /**
             * Format: int64
             * @description How many different keys must approve. One deny ends the approval.
             * @default 1
             */
            readonly required?: number;
            /** @description Who may resolve. An approver must be in every list that is set. */
            readonly approvers?: components["schemas"]["ApproversRequest"];
            /**
             * Format: int64
             * @description How long an approval can be resolved.
             * @default 86400
             */
            readonly expires_in_seconds?: number;
            /** @description Who is told that an approval is needed. */
            readonly channels?: readonly components["schemas"]["NotifyChannelRequest"][];
            /**
             * @description `deny`: the call stays stopped, and asks anew when the agent repeats it.
             * @default deny
             */
            readonly on_expiry?: components["schemas"]["OnExpiry"];
        };
        /** @description Every setting. What is left out gets its default. */
        readonly ApprovalWorkflowUpdate: {
            /**
             * @description What people call it.
             * @default null
             */
            readonly name?: string | null;
            /**
             * Format: int64
             * @description How many different keys must approve. One deny ends the approval.
             * @default 1
             */
            readonly required?: number;
            /** @description Who may resolve. An approver must be in every list that is set. */
            readonly approvers?: components["schemas"]["ApproversRequest"];
            /**
             * Format: int64
             * @description How long an approval can be resolved.
             * @default 86400
             */
            readonly expires_in_seconds?: number;
            /** @description Who is told that an approval is needed. */
            readonly channels?: readonly components["schemas"]["NotifyChannelRequest"][];
            /**
             * @description `deny`: the call stays stopped, and asks anew when the agent repeats it.
             * @default deny
             */
            readonly on_expiry?: components["schemas"]["OnExpiry"];
        };
        /** @description Why the call may run, and with which arguments. */
        readonly ApproveRequest: {
            /** @description Why. It goes into the audit log, with secrets masked. */
            readonly reason: string;
            /**
             * @description The arguments that the call must run with. Write them as the approval shows them, with your changes. Null: as the agent asked.
             * @default null
             */
            readonly args?: {
                readonly [key: string]: unknown;
            } | null;
        };
        /** @enum {string} */
        readonly ApproverRole: "approver" | "admin";
        /** @description Who may resolve approvals. */
        readonly Approvers: {
            readonly roles: readonly components["schemas"]["ApproverRole"][] | null;
            readonly keys: readonly string[] | null;
            /** @description Absent in workflows from before there were groups. */
            readonly groups?: readonly string[] | null;
        };
        /** @description Who may resolve approvals. */
        readonly ApproversRequest: {
            /** @description Only keys of these roles. Null: every role that may resolve approvals. */
            readonly roles?: readonly components["schemas"]["ApproverRole"][] | null;
            /** @description Only these keys or people, by their ids. Null: everybody with the roles. */
            readonly keys?: readonly string[] | null;
            /** @description Only people of these groups of their identity provider. Null: no group is asked for. */
            readonly groups?: readonly string[] | null;
        };
        /** @description Another value of an argument. */
        readonly ArgumentChange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "argument";
            readonly rule_id: string;
            readonly field: string;
            /** @description What the argument would have had to be, such as `args.amount <= 500`. */
            readonly requirement: string;
            /** @description The value that was tried. Absent: the argument was left out. */
            readonly tried?: unknown;
            /** @description What the policy says of the changed call. */
            readonly decision: components["schemas"]["DecisionKind"];
        };
        /** @description What a numeric argument of the calls of a tool added up to. */
        readonly ArgumentSum: {
            readonly tool: string;
            /** @description A call that was withdrawn counts as denied. */
            readonly decision: components["schemas"]["DecisionKind"];
            /** @description Names joined by points. `*` is every element of a list. */
            readonly argument: string;
            /**
             * Format: int64
             * @description Numbers that were added.
             */
            readonly values: number;
            /**
             * Format: double
             * @description To 15 significant digits.
             */
            readonly sum: number;
            /** Format: double */
            readonly min: number;
            /** Format: double */
            readonly max: number;
        };
        /** @description What an answer takes into account. */
        readonly AuditIndexed: {
            /** @description True: the answer takes every row into account that was written before the request came. */
            readonly complete: boolean;
            /** @description The logs whose last rows the answer leaves out. Ask again to get them. */
            readonly behind: readonly components["schemas"]["RowsBehind"][];
        };
        /** @description A page of audit rows, newest first. */
        readonly AuditPage: {
            readonly rows: readonly components["schemas"]["AuditRow"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
            /** @description Set when the search stopped before the page was full. Matches of an earlier time are on the pages that `next_cursor` leads to. */
            readonly searched_back_to: string | null;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description A row of the audit log, and how the decision in it ended. */
        readonly AuditRow: {
            /** @description `<log id>.<sequence number>`. For a decision it is the `decision_id`. */
            readonly id: string;
            readonly log_id: string;
            /**
             * Format: int64
             * @description The row's number in its log, from 0.
             */
            readonly seq: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            /** @description What the row records. Later versions add kinds. */
            readonly kind: string;
            /** @description The row's hash in the chain, as hex. It covers every row before. */
            readonly hash: string;
            /** @description Of a decision. Null: nobody has reported yet, or not a decision. */
            readonly outcome: components["schemas"]["Outcome"] | null;
            /** @description The row as it was hashed, as docs/AUDIT-FORMAT.md specifies it. */
            readonly row: {
                readonly [key: string]: unknown;
            };
        };
        /** @description A row with its place in the chain. */
        readonly AuditRowProof: {
            /** @description `<log id>.<sequence number>`. For a decision it is the `decision_id`. */
            readonly id: string;
            readonly log_id: string;
            /**
             * Format: int64
             * @description The row's number in its log, from 0.
             */
            readonly seq: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            /** @description What the row records. Later versions add kinds. */
            readonly kind: string;
            /** @description The row's hash in the chain, as hex. It covers every row before. */
            readonly hash: string;
            /** @description Of a decision. Null: nobody has reported yet, or not a decision. */
            readonly outcome: components["schemas"]["Outcome"] | null;
            /** @description The row as it was hashed, as docs/AUDIT-FORMAT.md specifies it. */
            readonly row: {
                readonly [key: string]: unknown;
            };
            /** @description The hash of the row before, as hex; the genesis hash for row 0. */
            readonly prev_hash: string;
            /** @description The first signed checkpoint that covers the row. Null: none does yet. */
            readonly checkpoint: components["schemas"]["Checkpoint"] | null;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        readonly BehaviourSettings: {
            /**
             * @description Identical calls of a session in a minute.
             * @default 20
             */
            readonly repeated_calls: number | null;
            /**
             * @description Repeats within ten minutes of a call that a policy has denied.
             * @default 5
             */
            readonly denied_retries: number | null;
            /**
             * @description Denied calls of an agent in a minute, when they are at least half of its calls.
             * @default 30
             */
            readonly deny_storm: number | null;
            /**
             * @description Calls of an agent in a minute that one rule denies.
             * @default 20
             */
            readonly rule_denies: number | null;
            /**
             * @description Calls in a minute, as a multiple of the agent's usual minute.
             * @default 10
             */
            readonly burst_factor: number | null;
            /**
             * @description Calls of an agent after which a tool that it never called before is unusual.
             * @default 1000
             */
            readonly new_tool_after_calls: number | null;
        };
        readonly BehaviourSettingsRequest: {
            /**
             * @description Identical calls of a session in a minute.
             * @default 20
             */
            readonly repeated_calls?: number | null;
            /**
             * @description Repeats within ten minutes of a call that a policy has denied.
             * @default 5
             */
            readonly denied_retries?: number | null;
            /**
             * @description Denied calls of an agent in a minute, when they are at least half of its calls.
             * @default 30
             */
            readonly deny_storm?: number | null;
            /**
             * @description Calls of an agent in a minute that one rule denies.
             * @default 20
             */
            readonly rule_denies?: number | null;
            /**
             * @description Calls in a minute, as a multiple of the agent's usual minute.
             * @default 10
             */
            readonly burst_factor?: number | null;
            /**
             * @description Calls of an agent after which a tool that it never called before is unusual.
             * @default 1000
             */
            readonly new_tool_after_calls?: number | null;
        };
        /** @description What one agent did in a time, beside the hour before. */
        readonly BusyAgent: {
            readonly agent_id: string;
            /** @description The namespace of its latest call. */
            readonly namespace: string;
            /** Format: int64 */
            readonly calls: number;
            /** Format: double */
            readonly calls_per_minute: number;
            /**
             * Format: int64
             * @description Calls that were denied, also after their row was written.
             */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** @description What the allowed calls named, and what reports say that they cost more. Decimal USD. */
            readonly cost_usd: string;
            /** @description Sessions with a call before the end of the time and one after its start. Null: too many to count. */
            readonly sessions: number | null;
            /**
             * Format: int64
             * @description Calls of its busiest minute of the time.
             */
            readonly busiest_minute: number;
            /** @description The same of the hour before `since`, or of what is known of it. */
            readonly before: components["schemas"]["EarlierCalls"];
        };
        /** @description Agents that called most, and what they did in the hour before. */
        readonly BusyAgents: {
            /**
             * Format: date-time
             * @description The start of the time: a whole minute.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The end of the time: now.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until: string;
            /**
             * Format: date-time
             * @description The start of the hour before that the time is compared with.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly before: string;
            /** @description The first minute with a call of any agent. Later than `before`: less than the hour is compared, and nothing when it is not before `since`. Null: no call is known. */
            readonly known_since: string | null;
            readonly agents: readonly components["schemas"]["BusyAgent"][];
            /**
             * Format: int64
             * @description How many agents called in the time.
             */
            readonly callers: number;
            /** @description False: too many agents called in too many minutes, and the earliest minutes are left out. */
            readonly counted_all: boolean;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        readonly Ceilings: {
            readonly max_steps: number | null;
            /** @description Decimal USD. */
            readonly max_usd_per_session: string | null;
        };
        /** @description An agent after a change, and the gateways that act by it. */
        readonly ChangedAgent: {
            /** @description What calls, policies and kill switches name. */
            readonly id: string;
            /** @description A name for people. */
            readonly name: string;
            /** @description The namespace of its calls. For a discovered agent: that of its latest call, else heartbeat. */
            readonly namespace: string;
            /** @description Who provides the model or the platform. */
            readonly provider: string | null;
            /** @description Words for finding agents. */
            readonly tags: readonly string[];
            /** @description What the agent says it can do. */
            readonly capabilities: readonly string[];
            /** @description The agent that starts this one. */
            readonly parent_agent_id: string | null;
            /** @description Computed from its registration and its sessions. */
            readonly status: components["schemas"]["AgentStatus"];
            /** @description The worst severity of its sessions. */
            readonly severity: components["schemas"]["Severity"];
            /** @description The latest of any session. Null: it sent none. */
            readonly last_heartbeat: string | null;
            /** @description Null: the agent is not in quarantine. */
            readonly quarantine: components["schemas"]["Quarantine"] | null;
            /** @description Its first call. Null: it has not called. */
            readonly first_seen: string | null;
            /** @description Its latest call. Null: it has not called. */
            readonly last_seen: string | null;
            /** @description Null: nobody registered it. */
            readonly registered_at: string | null;
            /** @description Id of the key that registered it. Null: nobody did. */
            readonly created_by: string | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description True only when every known gateway has acknowledged that it acts by it. */
            readonly enforced: boolean;
        };
        /** @description A new version of a policy, and which gateways decide by it. */
        readonly ChangedPolicy: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** @description False: every call that the policy governs is denied. */
            readonly enabled: boolean;
            /** @description Whether it is put away: it governs nothing, and its id stays taken. */
            readonly archived: boolean;
            /** @description Short texts by name, for finding policies. */
            readonly labels: {
                readonly [key: string]: string;
            };
            readonly name: string | null;
            /** @description The document as JSON of the same fields as the YAML form. */
            readonly document: Record<string, never>;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
            /** @description Findings that do not refuse the document. */
            readonly warnings: readonly components["schemas"]["PolicyFinding"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "changed";
            /** @description What the `agent_id` of a new policy's document has bound. Null: it names no agent. */
            readonly assignment?: components["schemas"]["PolicyAssignment"] | null;
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        /** @description An assignment, and which gateways follow it. */
        readonly ChangedPolicyAssignment: {
            readonly id: string;
            readonly policy_id: string;
            readonly agent_id: string | null;
            readonly namespace_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms?: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways?: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        readonly CheckedKillSwitches: {
            /** @description In the order in which a gateway checks them. */
            readonly checked: readonly string[];
            readonly matched: components["schemas"]["MatchedKillSwitch"] | null;
        };
        /** @description The signed head of a log. */
        readonly Checkpoint: {
            readonly log_id: string;
            /**
             * Format: int64
             * @description How many rows the checkpoint covers.
             */
            readonly size: number;
            /** @description The signed note, as docs/AUDIT-FORMAT.md specifies it. */
            readonly note: string;
        };
        /** @description A page of checkpoints, ascending by log and size. */
        readonly CheckpointPage: {
            readonly checkpoints: readonly components["schemas"]["Checkpoint"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Who called a target lately, and how often. */
        readonly CountedCallers: {
            /** @description Those that called in the last 15 minutes. */
            readonly agents: readonly string[];
            /** @description Those that called in the last 15 minutes. */
            readonly sessions: readonly string[];
            /** @description True: nobody else called, so an empty list means nobody. False: there may be more, because the audit index did not answer in time, or there are too many to name. */
            readonly complete: boolean;
            /** @description Calls that were allowed in the last hour, by all gateways. Null: they could not be counted. */
            readonly calls_per_hour?: number | null;
            /** @description Of these, those whose outcome nobody has reported yet. Null: they could not be counted. */
            readonly calls_in_flight?: number | null;
        };
        /** @description A small change of the call or of a list that changes the decision. It was evaluated. */
        readonly Counterfactual: components["schemas"]["ArgumentChange"] | components["schemas"]["ListChange"];
        readonly CoverageSettings: {
            /**
             * @description Whether calls count also in a session in which no run was reported.
             * @default false
             */
            readonly outcomes_expected: boolean;
            /**
             * Format: int64
             * @description Seconds after an allow until its outcome is missing.
             * @default 900
             */
            readonly outcome_within_seconds: number;
            /**
             * @description Allowed calls of a session in an hour without an outcome, if a tenth of them lacks one.
             * @default 5
             */
            readonly missing_outcomes: number | null;
            /**
             * @description Calls of a session in an hour that ran although they were not allowed.
             * @default 1
             */
            readonly unallowed_runs: number | null;
        };
        readonly CoverageSettingsRequest: {
            /**
             * @description Whether calls count also in a session in which no run was reported.
             * @default false
             */
            readonly outcomes_expected?: boolean;
            /**
             * Format: int64
             * @description Seconds after an allow until its outcome is missing.
             * @default 900
             */
            readonly outcome_within_seconds?: number;
            /**
             * @description Allowed calls of a session in an hour without an outcome, if a tenth of them lacks one.
             * @default 5
             */
            readonly missing_outcomes?: number | null;
            /**
             * @description Calls of a session in an hour that ran although they were not allowed.
             * @default 1
             */
            readonly unallowed_runs?: number | null;
        };
        /** @description A decision, how it ended, and the approval that belongs to it. */
        readonly Decision: {
            readonly decision_id: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            /** @description The row's hash in the chain, as hex. It covers every row before. */
            readonly hash: string;
            /** @description True: the caller was denied, whatever `row.decision` says. The row was written before that. */
            readonly withdrawn: boolean;
            /** @description The first report about the decision. Null: nobody has reported yet. */
            readonly outcome: components["schemas"]["ReportedOutcome"] | null;
            /** @description The approval that the decision opened or used. */
            readonly approval: components["schemas"]["ApprovalOfDecision"] | null;
            /** @description The row as it was hashed, as docs/AUDIT-FORMAT.md specifies it. */
            readonly row: {
                readonly [key: string]: unknown;
            };
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        readonly DecisionCounts: {
            /** Format: int64 */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** Format: int64 */
            readonly allow: number;
        };
        /** @description A recorded decision, made again and explained. */
        readonly DecisionExplanation: {
            readonly decision_id: string;
            /** @enum {string} */
            readonly decided_by: "policy" | "approval" | "kill_switch" | "gateway" | "fault";
            /** @description The decision in words. */
            readonly summary: string;
            readonly recorded: components["schemas"]["RecordedDecision"];
            /** @description Whether the decision was withdrawn: its caller got a deny instead. */
            readonly withdrawn: boolean;
            /** @description Whether a repeat of the call was answered with this decision. Null: no Idempotency-Key of the call is remembered. */
            readonly repeated: boolean | null;
            /** @description Whether the decision was reached again. False: a defect, which is counted and logged. Null: it cannot be decided again from what the row holds; `doubts` says why. */
            readonly agrees: boolean | null;
            /** @description What differs, or what the row does not hold. */
            readonly doubts: readonly string[];
            /** @description What was decided this time. Null: no policy decides this. */
            readonly evaluated: components["schemas"]["SimulatedVerdict"] | null;
            /** @description The kill switches of the time of the decision, by the times in their records. A row does not say which revision of control state its gateway had applied: that a switch changed within the lease of 1.5 s before the decision is in `doubts`, and is not a difference. */
            readonly kill_switches: components["schemas"]["RecordedKillSwitches"];
            /** @description The steps. Null: no policy decided. */
            readonly explanation: components["schemas"]["PolicyExplanation"] | null;
            readonly counterfactual: components["schemas"]["Counterfactual"] | null;
            /** @description Why there is none. */
            readonly no_counterfactual: string | null;
        };
        /** @enum {string} */
        readonly DecisionKind: "deny" | "pause" | "allow";
        /**
         * @description Of an attempt: delivered or failed. Of a delivery without success: waiting or dead.
         * @enum {string}
         */
        readonly DeliveryStatus: "delivered" | "failed" | "waiting" | "dead";
        /** @description Do not make the call. */
        readonly Deny: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly decision: "deny";
            /** @description Names the durable audit row. */
            readonly decision_id?: string;
            readonly policy_id?: string;
            /** Format: int64 */
            readonly policy_version?: number;
            readonly mode?: components["schemas"]["GovernanceMode"];
            /** @description True on the answer to a repeat with the same Idempotency-Key. The first call was charged, once. */
            readonly repeated?: boolean;
            /** @description For people. */
            readonly reason: string;
            /** @description For programs. A later version may add codes: take one that you do not know as a deny. */
            readonly reason_code: string;
            readonly rule_id?: string;
            readonly args_constrained: boolean;
            readonly kill_switch_id?: string;
            /** @description False: the same call is denied again, until somebody changes what denied it. */
            readonly retryable?: boolean;
            /** @description Where the server explains the reason code: below SVC_PUBLIC_URL where that is set, else as a path. */
            readonly docs?: string;
            /** @description True when a fault, not a policy, denied the call. */
            readonly fail_closed: boolean;
        };
        readonly DocumentPlace: {
            /** Format: int64 */
            readonly line: number;
            /** Format: int64 */
            readonly column: number;
            readonly excerpt: string;
        };
        /** @description What an agent did in the hour before. */
        readonly EarlierCalls: {
            /** Format: int64 */
            readonly calls: number;
            /** Format: double */
            readonly calls_per_minute: number;
            /**
             * Format: int64
             * @description Calls that were denied, also after their row was written.
             */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
            /** @description What the allowed calls named, and what reports say that they cost more. Decimal USD. */
            readonly cost_usd: string;
            /** @description Sessions with a call before the end of the time and one after its start. Null: too many to count. */
            readonly sessions: number | null;
        };
        /** @description A switch that has ended. */
        readonly EndedKillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description The session, agent, tool or namespace. Null for an account-wide switch that names none. */
            readonly target_id: string | null;
            /** @description Whether it stops every call of the organization. */
            readonly account_wide: boolean;
            readonly auto_recovery: boolean;
            readonly status: components["schemas"]["KillSwitchStatus"];
            readonly reason: string;
            readonly activated_by: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly activated_at: string;
            /** @description Null: active until somebody deactivates it. */
            readonly expires_at: string | null;
            readonly ended_at: string | null;
            /** @description Who ended it; `ttl_expiry` when its time was over. */
            readonly ended_by: string | null;
            readonly end_reason: string | null;
            /** @description Milliseconds from `activated_at` to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Which calls this switch stops now, in words. */
            readonly stops: string;
            /** @description Seconds until it ends by itself. Null when it does not, or when it has ended. */
            readonly remaining_seconds: number | null;
            /** @description Milliseconds from `ended_at` to the slowest acknowledgement of the end. Null while there is none. `propagation_ms` is that of the activation. */
            readonly end_propagation_ms?: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways?: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        /** @description The logins of a person that were ended. */
        readonly EndedLogins: {
            readonly person: string;
            /** @description Ids of the keys that ended now. Empty: all logins of the person had ended before. */
            readonly key_ids: readonly string[];
            /** @description True only when every known gateway has acknowledged that it refuses each of them. */
            readonly enforced: boolean;
        };
        readonly Escalation: {
            /** @default true */
            readonly auto_kill_on_emergency: boolean;
            /** @default [] */
            readonly notify_channels: readonly components["schemas"]["NotifyChannel"][];
            /**
             * Format: int64
             * @default 365
             */
            readonly audit_retention_days: number;
        };
        readonly EscalationRequest: {
            /** @default true */
            readonly auto_kill_on_emergency?: boolean;
            readonly notify_channels?: readonly components["schemas"]["NotifyChannelRequest"][];
            /**
             * Format: int64
             * @default 365
             */
            readonly audit_retention_days?: number;
        };
        /** @description A key of minutes, given for the token of a program. */
        readonly ExchangedToken: {
            /** @description The API key. It is shown this once. */
            readonly access_token: string;
            /** @constant */
            readonly issued_token_type: "urn:ietf:params:oauth:token-type:access_token";
            /** @constant */
            readonly token_type: "Bearer";
            /**
             * Format: int64
             * @description Seconds until the key ends.
             */
            readonly expires_in: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly expires_at: string;
            readonly key_id: string;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description The scopes of the key, with a space between two. */
            readonly scope: string;
            /** @description The trust rule that admitted the token. */
            readonly trust_rule_id: string;
        };
        /** @description One tool call that somebody wants to make. */
        readonly ExecuteRequest: {
            /** @description Who makes the call. */
            readonly agent_id: string;
            /** @description What is called. */
            readonly tool: string;
            /** @description The arguments. `{}` when absent. */
            readonly args?: {
                readonly [key: string]: unknown;
            };
            /** @description The conversation. A policy with limits per session denies a call without one. */
            readonly session_id?: string;
            /** @description `default` when absent. */
            readonly namespace?: string;
            /**
             * @description What this call costs. Without it the prices of the policy count.
             * @example 0.25
             */
            readonly cost_usd?: string;
        };
        /** @description A ceiling, and what the call adds. */
        readonly ExplainedCeiling: {
            readonly limit: string;
            /** @description What the session has used before the call. Null: the row of a recorded call does not say. */
            readonly used: string | null;
            /** @description What the call adds. */
            readonly call: string;
            readonly exceeded: boolean;
        };
        readonly ExplainedCeilings: {
            readonly max_steps: components["schemas"]["ExplainedCeiling"] | null;
            readonly max_usd_per_session: components["schemas"]["ExplainedCeiling"] | null;
        };
        /** @description What one condition saw, and what it said. */
        readonly ExplainedCondition: {
            readonly field: string;
            readonly operator: string;
            /** @description What the policy compares with. A long value is cut. */
            readonly expected?: unknown;
            /** @description The lists of the policy that the condition names. */
            readonly lists?: readonly string[];
            /**
             * @description `unsure`: the value has a type or form that cannot be judged. `unread`: the call needs too much work. `not_judged`: the conditions before it decided.
             * @enum {string}
             */
            readonly truth: "holds" | "fails" | "missing" | "unsure" | "unread" | "not_judged";
            /** @description The value that the rule saw, masked as in an audit row. A long value is cut. */
            readonly found?: unknown;
            /** @description What the operator read in the value, masked, at most 20: the commands, the statements, or the names of members that `only_names` does not list. */
            readonly read?: readonly string[];
            /** @description Present when the row of a recorded call masks what the condition read: what is said of the condition is true of the mask, and may not be true of the value. */
            readonly masked?: boolean;
        };
        /** @description A kill switch at the time of a decision. */
        readonly ExplainedKillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            readonly target_id: string | null;
            readonly account_wide: boolean;
            readonly reason: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly activated_at: string;
            readonly ended_at: string | null;
        };
        /** @description What became of one rule, and why. */
        readonly ExplainedRule: {
            readonly id: string;
            /** Format: int64 */
            readonly priority: number;
            readonly action: string;
            readonly tool: string;
            /**
             * @description `counts_as_matched`: a condition could not be judged, and the rule restricts. `not_judged`: the same, and the rule permits. `not_reached`: the evaluation ended before.
             * @enum {string}
             */
            readonly outcome: "matched" | "counts_as_matched" | "not_matched" | "not_judged" | "other_tool" | "not_reached";
            readonly why: string;
            /** @description Empty when the rule was not evaluated. */
            readonly conditions: readonly components["schemas"]["ExplainedCondition"][];
        };
        readonly ExplainedSession: {
            /** @description Whether the policy must know the session of a call. */
            readonly needed: boolean;
            readonly named: boolean;
        };
        /** @description A switch as adapters follow it. */
        readonly FollowedKillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description The session, agent, tool or namespace. Null for an account-wide switch that names none. */
            readonly target_id: string | null;
            /** @description Whether it stops every call of the organization. */
            readonly account_wide: boolean;
            readonly status: components["schemas"]["KillSwitchStatus"];
        };
        /** @description A process of the deployment, and how far it follows control state. */
        readonly Gateway: {
            /** @description Its gateway id, which is also the name of its audit log. */
            readonly id: string;
            /** @description The machine that it runs on. */
            readonly host: string;
            readonly version: string;
            /**
             * @description A control process decides no calls.
             * @enum {string}
             */
            readonly role: "all" | "gateway" | "control";
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly started_at: string;
            /**
             * Format: int64
             * @description The revision of control state that it enforces.
             */
            readonly applied_revision: number;
            /**
             * Format: int64
             * @description How many revisions it is behind.
             */
            readonly lag: number;
            /** @description When it begins to deny every call, unless it reads control state before. Null: it denies. */
            readonly lease_ends_at: string | null;
            /**
             * Format: date-time
             * @description Its last sign of life, by the clock of the database.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_seen_at: string;
            /**
             * Format: double
             * @description Calls that it decided, over the last seconds.
             */
            readonly decisions_per_second: number;
        };
        /** @description One gateway's part in the propagation of a change. */
        readonly GatewayAcknowledgement: {
            /** @description The gateway. */
            readonly id: string;
            /** @description Milliseconds from the commit to enforcement at this gateway. Null: it has not acknowledged in time. */
            readonly acknowledged_ms: number | null;
            /**
             * Format: date-time
             * @description Present when the gateway has not acknowledged: from then on it denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
        };
        /** @description Every process of the deployment, by id. */
        readonly GatewayPage: {
            readonly gateways: readonly components["schemas"]["Gateway"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        readonly GithubIntegrationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "github";
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /** @description The REST API: that of GitHub, or of an own server. */
            readonly url?: string;
            /** @description The repository that is read. */
            readonly repository: string;
            /** @description A token that may read the repository, and nothing else. */
            readonly token: string;
        };
        /** @enum {string} */
        readonly GovernanceMode: "audit_only" | "shadow" | "enforcement";
        readonly GrantRevocation: {
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly at: string;
            readonly by: string;
            readonly reason: string;
        };
        /** @description What a question in GraphQL was answered. */
        readonly GraphqlAnswer: {
            /** @description What was asked for. Absent: the question was refused. A field that was refused is null. */
            readonly data?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Absent: everything was answered. */
            readonly errors?: readonly components["schemas"]["GraphqlError"][];
        };
        readonly GraphqlError: {
            /** @description What was expected, what came, and what to do. */
            readonly message: string;
            /** @description Where in the document, from 1. */
            readonly locations?: readonly components["schemas"]["GraphqlLocation"][];
            /** @description Which value of the answer is missing, as names and indexes. */
            readonly path?: readonly unknown[];
            /** @description `code` is a problem code, as other routes answer it. */
            readonly extensions: {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly GraphqlLocation: {
            /** Format: int64 */
            readonly line: number;
            /** Format: int64 */
            readonly column: number;
        };
        /** @description A question in GraphQL. */
        readonly GraphqlRequest: {
            /** @description A document of GraphQL that reads. */
            readonly query: string;
            /**
             * @description Which operation of the document to run. Null: its only one.
             * @default null
             */
            readonly operationName?: string | null;
            /**
             * @description Values of the variables of the operation.
             * @default null
             */
            readonly variables?: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * @description Clients may send it. It has no effect.
             * @default null
             */
            readonly extensions?: {
                readonly [key: string]: unknown;
            } | null;
        };
        /** @description The process answers. */
        readonly Health: {
            /** @constant */
            readonly status: "ok";
        };
        /** @enum {string} */
        readonly HealthStatus: "operational" | "flagged" | "tool_calls_suspended" | "terminated" | "unsupervised";
        /** @description A sign of life of one session of the agent in the path. */
        readonly Heartbeat: {
            /** @description The session that is alive. Supervision starts with its first one. */
            readonly session_id: string;
            /**
             * @description The session that started this one. Null: none, or as an earlier heartbeat said.
             * @default null
             */
            readonly parent_session_id?: string | null;
            /**
             * @description True: the session ended in good order, so nobody waits for its heartbeats any more. It has no effect at CRITICAL and EMERGENCY; the answer says so.
             * @default false
             */
            readonly ended?: boolean;
        };
        readonly HeartbeatSettings: {
            /**
             * Format: int64
             * @default 15
             */
            readonly interval_seconds: number;
            /**
             * Format: int64
             * @default 2
             */
            readonly warn_after_missed: number;
            /**
             * Format: int64
             * @default 4
             */
            readonly critical_after_missed: number;
            /**
             * Format: int64
             * @default 8
             */
            readonly emergency_after_missed: number;
        };
        readonly HeartbeatSettingsRequest: {
            /**
             * Format: int64
             * @default 15
             */
            readonly interval_seconds?: number;
            /**
             * Format: int64
             * @default 2
             */
            readonly warn_after_missed?: number;
            /**
             * Format: int64
             * @default 4
             */
            readonly critical_after_missed?: number;
            /**
             * Format: int64
             * @default 8
             */
            readonly emergency_after_missed?: number;
        };
        /** @description A call that is held while its agent is suspended. */
        readonly HeldCall: {
            readonly id: string;
            /** @description `held`: the agent is suspended. `released`: it recovered, and the call can be repeated; that is judged like any other call. `revoked`: its session reached EMERGENCY. `expired`: neither happened in time. */
            readonly status: components["schemas"]["HeldCallStatus"];
            /** @description The page for people. Nobody can approve a held call. */
            readonly approval_url: string;
            readonly org_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly tool: string;
            /** @description The decision that held the call. */
            readonly decision_id: string;
            /** @description Id of the key that asked. */
            readonly requested_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly held_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly expires_at: string;
            readonly ended_at: string | null;
            /** @description The part of the server that ended it. */
            readonly ended_by: string | null;
            readonly end_reason: string | null;
        };
        /** @description A page of held calls, newest first. */
        readonly HeldCallList: {
            readonly held_calls: readonly components["schemas"]["HeldCall"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @enum {string} */
        readonly HeldCallStatus: "held" | "released" | "revoked" | "expired";
        /** @description A connection that the service writes to or reads from. */
        readonly Integration: {
            readonly id: string;
            readonly kind: components["schemas"]["IntegrationKind"];
            readonly name: string;
            readonly description: string | null;
            readonly enabled?: boolean;
            readonly url?: string;
            readonly format?: components["schemas"]["RowFormat"];
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly authorization?: "set" | null;
            readonly host?: string;
            /** Format: int64 */
            readonly port?: number;
            readonly region?: string;
            readonly bucket?: string;
            readonly prefix?: string;
            readonly access_key_id?: string;
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly secret_access_key?: "set" | null;
            readonly repository?: string;
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly token?: "set" | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
        };
        /** @description How far the receiver is, and how it fares. */
        readonly IntegrationHealth: {
            /** @enum {string} */
            readonly state: "healthy" | "failing" | "disabled";
            /**
             * Format: int64
             * @description Batches in a row that did not go through.
             */
            readonly failures: number;
            readonly failing_since: string | null;
            /** @description Why the last batch that failed did. Null: none has failed. */
            readonly last_error: string | null;
            readonly last_success_at: string | null;
            readonly last_failure_at: string | null;
            /** @description When a batch that failed is sent again. */
            readonly next_attempt_at: string | null;
            /**
             * Format: int64
             * @description Rows that the receiver has confirmed.
             */
            readonly rows_sent: number;
            /**
             * Format: int64
             * @description Rows that retention removed before they were sent, or that the receiver refused by itself.
             */
            readonly rows_lost: number;
            /**
             * Format: int64
             * @description Rows that are not confirmed yet.
             */
            readonly unsent: number;
            /** @description False: there are more than were counted. */
            readonly unsent_is_complete: boolean;
            readonly oldest_unsent_at: string | null;
            /**
             * Format: double
             * @description Age of the oldest row that is not confirmed; 0: every row is.
             */
            readonly lag_seconds: number;
        };
        /**
         * @description What it is connected to.
         * @enum {string}
         */
        readonly IntegrationKind: "siem_http" | "syslog" | "object_store" | "otlp" | "github";
        /** @description A page of integrations, newest first. */
        readonly IntegrationPage: {
            readonly integrations: readonly components["schemas"]["Integration"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description A connection that the service writes to or reads from. */
        readonly IntegrationRequest: components["schemas"]["SiemHttpIntegrationRequest"] | components["schemas"]["SyslogIntegrationRequest"] | components["schemas"]["ObjectStoreIntegrationRequest"] | components["schemas"]["OtlpIntegrationRequest"] | components["schemas"]["GithubIntegrationRequest"];
        /** @description What became of a test. */
        readonly IntegrationTest: {
            readonly succeeded: boolean;
            /** @description Of its answer. Null: it gave none, or does not speak HTTP. */
            readonly status: number | null;
            /** @description Why the test failed. */
            readonly fault: string | null;
            /** @description How its answer began. */
            readonly answer: string;
            /** Format: int64 */
            readonly latency_ms: number;
            /** @description For `github`: what was read. Null for other kinds. */
            readonly facts: components["schemas"]["RepositoryFacts"] | null;
        };
        /** @description What is left out stays as it is. The kind cannot change. */
        readonly IntegrationUpdate: {
            /** @description What people call it. */
            readonly name?: string;
            /** @description What it is for. */
            readonly description?: string | null;
            /** @description False: nothing is sent, and its place in the log stays where it is. */
            readonly enabled?: boolean;
            /** @description Where batches are posted, as newline-delimited JSON. */
            readonly url?: string;
            /** @description `rows`: each row as it is stored, with its place and hash. `ocsf`: an event of OCSF 1.5.0. */
            readonly format?: components["schemas"]["RowFormat"];
            /** @description The whole value of the header `authorization`, such as `Bearer ...`. Null: none is sent. */
            readonly authorization?: string | null;
            /** @description Who takes syslog over TLS. Its certificate must have this name. */
            readonly host?: string;
            /**
             * Format: int64
             * @description Its port; 6514 is that of syslog over TLS.
             */
            readonly port?: number;
            /** @description The region that requests are signed for. */
            readonly region?: string;
            /** @description Where objects are put. */
            readonly bucket?: string;
            /** @description Begins the name of every object. */
            readonly prefix?: string;
            /** @description Names the key that signs. */
            readonly access_key_id?: string;
            /** @description Signs each request (AWS Signature Version 4). */
            readonly secret_access_key?: string;
            /** @description The repository that is read. */
            readonly repository?: string;
            /** @description A token that may read the repository, and nothing else. */
            readonly token?: string;
        };
        /** @description An integration, and how it fares. */
        readonly IntegrationWithHealth: {
            readonly id: string;
            readonly kind: components["schemas"]["IntegrationKind"];
            readonly name: string;
            readonly description: string | null;
            readonly enabled?: boolean;
            readonly url?: string;
            readonly format?: components["schemas"]["RowFormat"];
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly authorization?: "set" | null;
            readonly host?: string;
            /** Format: int64 */
            readonly port?: number;
            readonly region?: string;
            readonly bucket?: string;
            readonly prefix?: string;
            readonly access_key_id?: string;
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly secret_access_key?: "set" | null;
            readonly repository?: string;
            /** @description `set`: there is one, which nobody is shown. Null: there is none. */
            readonly token?: "set" | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
            /** @description Null: nothing is sent to this kind. */
            readonly health: components["schemas"]["IntegrationHealth"] | null;
        };
        /** @description A key with a new secret, and the gateways that accept it. */
        readonly IssuedKey: {
            readonly id: string;
            readonly name: string;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description What the key may do. */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents: readonly string[] | null;
            /** @description The only namespaces that the key may act in. Null: every namespace. */
            readonly namespaces: readonly string[] | null;
            /** @description What made it: a start, another key, the token of a program, or a login. */
            readonly origin: components["schemas"]["KeyOrigin"];
            /** @description Whom an identity provider named. Null for other keys. */
            readonly identity: components["schemas"]["KeyIdentity"] | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key that made it; `bootstrap` when a start did. */
            readonly created_by: string;
            /** @description Null: it does not expire. */
            readonly expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Id of the key that revoked it. */
            readonly revoked_by: string | null;
            /** @description When each secret was made and ends, oldest first. The secrets themselves are not stored. */
            readonly secrets: readonly components["schemas"]["KeySecret"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "issued";
            /** @description The API key with its new secret. It is shown this once. */
            readonly key: string;
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        /** @description An endpoint with its new secret. */
        readonly IssuedWebhook: {
            readonly id: string;
            readonly url: string;
            readonly events: readonly string[];
            readonly description: string | null;
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly decisions: readonly components["schemas"]["DecisionKind"][] | null;
            readonly enabled: boolean;
            readonly disabled_at: string | null;
            /** @description Who or what disabled it: an operator, an answer 410, or failures for five days. */
            readonly disabled_reason: string | null;
            /** @description When the next secret takes over. Until then both sign. Null: there is one secret. */
            readonly next_secret_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "issued";
            /** @description The new secret, `whsec_` and Base64. It is shown this once. Null: none was made. */
            readonly secret: string | null;
        };
        /** @description An API key, and what its holder may do. */
        readonly Key: {
            readonly id: string;
            readonly name: string;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description What the key may do. */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents: readonly string[] | null;
            /** @description The only namespaces that the key may act in. Null: every namespace. */
            readonly namespaces: readonly string[] | null;
            /** @description What made it: a start, another key, the token of a program, or a login. */
            readonly origin: components["schemas"]["KeyOrigin"];
            /** @description Whom an identity provider named. Null for other keys. */
            readonly identity: components["schemas"]["KeyIdentity"] | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key that made it; `bootstrap` when a start did. */
            readonly created_by: string;
            /** @description Null: it does not expire. */
            readonly expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Id of the key that revoked it. */
            readonly revoked_by: string | null;
            /** @description When each secret was made and ends, oldest first. The secrets themselves are not stored. */
            readonly secrets: readonly components["schemas"]["KeySecret"][];
        };
        /** @description A key with a new secret, or what an earlier request has made. */
        readonly KeyAnswer: components["schemas"]["IssuedKey"] | components["schemas"]["RepeatedKey"];
        /** @description Whom the token of an identity provider named. */
        readonly KeyIdentity: {
            /** @description The identity provider. */
            readonly issuer: string;
            /** @description Whom it named. */
            readonly subject: string;
            /** @description The trust rule that admitted the token. Null: a login. */
            readonly trust_rule_id: string | null;
            /** @description The deployment environment that the token named. */
            readonly environment: string | null;
            /** @description Null: a program. */
            readonly person: components["schemas"]["Person"] | null;
        };
        /** @enum {string} */
        readonly KeyOrigin: "bootstrap" | "managed" | "exchanged" | "login";
        /** @description A page of keys. */
        readonly KeyPage: {
            readonly keys: readonly components["schemas"]["Key"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Who may do what, and for how long. */
        readonly KeyRequest: {
            /** @description What people call it. */
            readonly name: string;
            /** @description What the key may do. */
            readonly role: components["schemas"]["Role"];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents?: readonly string[] | null;
            /** @description The only namespaces that it may act in. Null: every one. */
            readonly namespaces?: readonly string[] | null;
            /** @description When the key ends, RFC 3339. Null: it does not. */
            readonly expires_at?: string | null;
            /**
             * @description Its organization. Null: that of the key that makes it, and no other without the bootstrap key.
             * @default null
             */
            readonly org_id?: string | null;
        };
        readonly KeyRotationRequest: {
            /**
             * Format: int64
             * @description Seconds until the secrets that the key has now end. 0: at once.
             * @default 3600
             */
            readonly overlap_seconds?: number;
        };
        /** @description The times of a secret, without the secret. */
        readonly KeySecret: {
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Null: it ends with the key. */
            readonly expires_at: string | null;
        };
        /** @description A switch that stops calls until it ends. */
        readonly KillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description The session, agent, tool or namespace. Null for an account-wide switch that names none. */
            readonly target_id: string | null;
            /** @description Whether it stops every call of the organization. */
            readonly account_wide: boolean;
            readonly auto_recovery: boolean;
            readonly status: components["schemas"]["KillSwitchStatus"];
            readonly reason: string;
            readonly activated_by: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly activated_at: string;
            /** @description Null: active until somebody deactivates it. */
            readonly expires_at: string | null;
            readonly ended_at: string | null;
            /** @description Who ended it; `ttl_expiry` when its time was over. */
            readonly ended_by: string | null;
            readonly end_reason: string | null;
            /** @description Milliseconds from `activated_at` to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Which calls this switch stops now, in words. */
            readonly stops: string;
            /** @description Seconds until it ends by itself. Null when it does not, or when it has ended. */
            readonly remaining_seconds: number | null;
        };
        /** @description A switch that is active, or what a dry run found. */
        readonly KillSwitchAnswer: components["schemas"]["ActivatedKillSwitch"] | components["schemas"]["KillSwitchDryRun"];
        /** @description Changes of kill switches by revision. */
        readonly KillSwitchChanges: {
            /** @description Changes when revisions start anew. Then read everything again. */
            readonly epoch: string;
            /**
             * Format: int64
             * @description Send it as `after` to get what changes next.
             */
            readonly revision: number;
            /** @description Whether these are all active switches, or only the changes since `after`. */
            readonly complete: boolean;
            readonly kill_switches: readonly components["schemas"]["FollowedKillSwitch"][];
            /** @description Present when `complete`. The switches that have ended, those that were activated last first, at most 50. They show what began and ended since an earlier answer. */
            readonly ended?: readonly components["schemas"]["FollowedKillSwitch"][];
        };
        /** @description Who would be stopped, and how fast. */
        readonly KillSwitchDryRun: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "dry_run";
            readonly dry_run: boolean;
            /** @description Nothing was activated. */
            readonly enforced: boolean;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description The session, agent, tool or namespace. Null for an account-wide switch that names none. */
            readonly target_id: string | null;
            /** @description Whether it stops every call of the organization. */
            readonly account_wide: boolean;
            /** @description Present when no gateway has seen the target, whose name may then be misspelt. */
            readonly warning?: string;
            /** @description Who has called lately and would be stopped. Null: that is not known. */
            readonly affected: components["schemas"]["CountedCallers"] | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description Milliseconds from `activated_at` to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
        };
        readonly KillSwitchEndRequest: {
            /** @description Why, for people. */
            readonly reason: string;
            /** @description Who or what ends it. */
            readonly deactivated_by: string;
        };
        readonly KillSwitchOfSession: {
            readonly kill_switch_id: string;
            /** Format: int64 */
            readonly decisions: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
        };
        /** @description A page of kill switches. */
        readonly KillSwitchPage: {
            readonly kill_switches: readonly components["schemas"]["KillSwitch"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Whom to stop, why, and for how long. */
        readonly KillSwitchRequest: {
            /** @description What `target_id` names. `global` means account-wide, and has no target. */
            readonly scope: components["schemas"]["KillSwitchScope"];
            /**
             * @description The exact name of what to stop. Null only for an account-wide switch.
             * @default null
             */
            readonly target_id?: string | null;
            /** @description Why, for people. */
            readonly reason: string;
            /** @description Who or what activates it. */
            readonly activated_by: string;
            /**
             * @description Seconds after which the switch ends by itself. Null: when somebody ends it.
             * @default null
             */
            readonly ttl_seconds?: number | null;
            /**
             * @description Whether every call of the organization stops.
             * @default false
             */
            readonly account_wide?: boolean;
            /**
             * @description Must be true for an account-wide switch that ends by itself.
             * @default false
             */
            readonly auto_recovery?: boolean;
            /**
             * @description Says who would be stopped, and stops nobody.
             * @default false
             */
            readonly dry_run?: boolean;
        };
        /** @enum {string} */
        readonly KillSwitchScope: "session" | "agent" | "tool" | "namespace" | "global";
        /** @enum {string} */
        readonly KillSwitchStatus: "active" | "inactive";
        /** @description Sent when a kill switch was activated, by a person or by the service. */
        readonly KillswitchActivatedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "killswitch.activated";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["KillswitchActivatedEventData"];
        };
        readonly KillswitchActivatedEventData: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description Null for an account-wide switch that names no target. */
            readonly target_id: string | null;
            readonly account_wide: boolean;
            /** @description The target, when the scope is `agent`. */
            readonly agent_id: string | null;
            /** @description The target, when the scope is `namespace`. */
            readonly namespace: string | null;
            readonly reason: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** @description Null: it has no end. */
            readonly expires_at: string | null;
            readonly activated_by: string;
        };
        /** @description Sent when a kill switch was ended before its time. */
        readonly KillswitchDeactivatedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "killswitch.deactivated";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["KillswitchDeactivatedEventData"];
        };
        readonly KillswitchDeactivatedEventData: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description Null for an account-wide switch that names no target. */
            readonly target_id: string | null;
            readonly account_wide: boolean;
            /** @description The target, when the scope is `agent`. */
            readonly agent_id: string | null;
            /** @description The target, when the scope is `namespace`. */
            readonly namespace: string | null;
            readonly reason: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** @description Null: it has no end. */
            readonly expires_at: string | null;
            readonly deactivated_by: string;
        };
        /** @description Sent when the time of a kill switch was over. */
        readonly KillswitchExpiredEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "killswitch.expired";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["KillswitchExpiredEventData"];
        };
        readonly KillswitchExpiredEventData: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description Null for an account-wide switch that names no target. */
            readonly target_id: string | null;
            readonly account_wide: boolean;
            /** @description The target, when the scope is `agent`. */
            readonly agent_id: string | null;
            /** @description The target, when the scope is `namespace`. */
            readonly namespace: string | null;
            readonly reason: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** @description Null: it has no end. */
            readonly expires_at: string | null;
        };
        /** @description Sent when an active kill switch got a later end. */
        readonly KillswitchExtendedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "killswitch.extended";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["KillswitchExtendedEventData"];
        };
        readonly KillswitchExtendedEventData: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            /** @description Null for an account-wide switch that names no target. */
            readonly target_id: string | null;
            readonly account_wide: boolean;
            /** @description The target, when the scope is `agent`. */
            readonly agent_id: string | null;
            /** @description The target, when the scope is `namespace`. */
            readonly namespace: string | null;
            readonly reason: string;
            readonly trigger_source: components["schemas"]["TriggerSource"];
            /** @description Null: it has no end. */
            readonly expires_at: string | null;
            readonly extended_by: string;
        };
        /** @description Rows that retention does not remove. */
        readonly LegalHold: {
            readonly id: string;
            readonly reason: string;
            readonly agent_id: string | null;
            readonly session_id: string | null;
            readonly namespace: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key. */
            readonly created_by: string;
            /** @description Null while the hold is in force. */
            readonly lifted_at: string | null;
            /** @description Id of the key; null while the hold is in force. */
            readonly lifted_by: string | null;
        };
        /** @description A page of legal holds, newest first. */
        readonly LegalHoldPage: {
            readonly legal_holds: readonly components["schemas"]["LegalHold"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Without agent, session and namespace the hold covers every row of the organization. */
        readonly LegalHoldRequest: {
            /** @description Why the rows are kept, such as the name of the case. */
            readonly reason: string;
            /** @description Decisions about calls of this agent. */
            readonly agent_id?: string;
            /** @description Decisions about calls of this session. */
            readonly session_id?: string;
            /** @description Decisions about calls in this namespace. */
            readonly namespace?: string;
        };
        /** @description Another entry in a list of the policy. */
        readonly ListChange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "list_entry";
            /** @enum {string} */
            readonly list: "tools.allowed" | "tools.denied";
            /** @enum {string} */
            readonly change: "add" | "remove";
            readonly entry: string;
            readonly decision: components["schemas"]["DecisionKind"];
        };
        readonly MatchedKillSwitch: {
            readonly kill_switch_id: string;
            readonly scope: components["schemas"]["KillSwitchScope"];
            readonly target_id: string | null;
            readonly account_wide: boolean;
            readonly reason: string;
        };
        /** @description Lines of a Rego module, both included, the first being 1. */
        readonly ModuleLines: {
            /** Format: int64 */
            readonly first: number;
            /** Format: int64 */
            readonly last: number;
        };
        /** @description A policy in its new state, and which gateways know of it. */
        readonly MovedPolicy: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** @description False: every call that the policy governs is denied. */
            readonly enabled: boolean;
            /** @description Whether it is put away: it governs nothing, and its id stays taken. */
            readonly archived: boolean;
            /** @description Short texts by name, for finding policies. */
            readonly labels: {
                readonly [key: string]: string;
            };
            readonly name: string | null;
            /** @description The document as JSON of the same fields as the YAML form. */
            readonly document: Record<string, never>;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        /** @description A group of agents and calls. */
        readonly Namespace: {
            /** @description What calls, assignments and kill switches name */
            readonly id: string;
            /** @description A name for people */
            readonly name: string;
            readonly description: string | null;
            /** @description Null for the namespace default, which nobody created */
            readonly created_at: string | null;
            /** @description Id of the key; null for the namespace default */
            readonly created_by: string | null;
            /** @description Null while the namespace default was never changed */
            readonly updated_at: string | null;
        };
        /** @description A page of namespaces, by id. */
        readonly NamespacePage: {
            readonly namespaces: readonly components["schemas"]["Namespace"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description At least one of id and name is set. A name that a path can hold is also the id. */
        readonly NamespaceRequest: {
            /** @description What calls and assignments name. It never changes. Absent: the name, if that can be an id. */
            readonly id?: string;
            /** @description What people call it. Absent: the id. */
            readonly name?: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
        };
        /** @description When missing heartbeats become an emergency. */
        readonly NamespaceRogueDetection: {
            readonly namespace_id: string;
            readonly rogue_detection: components["schemas"]["RogueDetectionSettings"];
            /** @description Null while the settings are the defaults */
            readonly updated_at: string | null;
            /** @description Id of the key; null while the settings are the defaults */
            readonly updated_by: string | null;
        };
        /** @description What is left out stays as it is. */
        readonly NamespaceUpdate: {
            /** @description What people call it. */
            readonly name?: string;
            /** @description What it is for. */
            readonly description?: string | null;
        };
        readonly NotReplayedCounts: {
            /** Format: int64 */
            readonly kill_switch: number;
            /** Format: int64 */
            readonly fault: number;
            /** Format: int64 */
            readonly gateway: number;
        };
        /** @description Somebody who is told what happens. */
        readonly NotificationChannel: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "webhook" | "slack" | "pagerduty" | "email";
            /** @constant */
            readonly webhook?: "set";
            /** @constant */
            readonly slack?: "set";
            /** @constant */
            readonly pagerduty?: "set";
            readonly email?: readonly string[];
            /** @description Where it sends to, without what is secret. Null: mail. */
            readonly origin: string | null;
            readonly description: string | null;
            /** @description False: a namespace or a workflow made it, by an entry with an address. */
            readonly named: boolean;
            readonly disabled_at: string | null;
            /** @description It answered 410, or failed for five days. PUT sets it up again. */
            readonly disabled_reason: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
        };
        /** @description A page of channels, newest first. */
        readonly NotificationChannelPage: {
            readonly notification_channels: readonly components["schemas"]["NotificationChannel"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description A channel with its id. */
        readonly NotificationChannelRequest: {
            /** @description What namespaces and workflows name. */
            readonly id: string;
            /** @description Where the events are sent, as to endpoints of webhooks. */
            readonly webhook?: string;
            /** @description The incoming webhook of a chat that speaks as Slack does. */
            readonly slack?: string;
            /** @description Another name of `slack`. */
            readonly chat?: string;
            /** @description The integration key of a service of PagerDuty (Events API v2). */
            readonly pagerduty?: string;
            /** @description Another name of `pagerduty`. */
            readonly paging?: string;
            /** @description Mail addresses. */
            readonly email?: readonly string[];
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /** @description For `webhook`: what deliveries are signed with. Left out: a random one that nobody knows. */
            readonly secret?: string;
        };
        /** @description What became of a test message. */
        readonly NotificationChannelTest: {
            readonly delivered: boolean;
            /** @description Of its answer. Null: it gave none, or the channel is mail. */
            readonly status: number | null;
            /** @description Why it was not delivered. */
            readonly fault: string | null;
            /** @description How its answer began. */
            readonly answer: string;
            /** Format: int64 */
            readonly latency_ms: number;
        };
        /** @description Whom a channel tells. */
        readonly NotificationChannelUpdate: {
            /** @description Where the events are sent, as to endpoints of webhooks. */
            readonly webhook?: string;
            /** @description The incoming webhook of a chat that speaks as Slack does. */
            readonly slack?: string;
            /** @description Another name of `slack`. */
            readonly chat?: string;
            /** @description The integration key of a service of PagerDuty (Events API v2). */
            readonly pagerduty?: string;
            /** @description Another name of `pagerduty`. */
            readonly paging?: string;
            /** @description Mail addresses. */
            readonly email?: readonly string[];
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /** @description For `webhook`: what deliveries are signed with. Left out: a random one that nobody knows. */
            readonly secret?: string;
        };
        readonly NotifyChannel: {
            /** @constant */
            readonly webhook?: "set";
            /** @constant */
            readonly slack?: "set";
            /** @constant */
            readonly pagerduty?: "set";
            readonly email?: readonly string[];
            /** @description The id of the notification channel. Absent: the entry is of an earlier version, and nobody is told. */
            readonly channel?: string;
        };
        readonly NotifyChannelRequest: {
            /** @description Where the events are sent, as to endpoints of webhooks. */
            readonly webhook?: string;
            /** @description The incoming webhook of a chat that speaks as Slack does. */
            readonly slack?: string;
            /** @description Another name of `slack`. */
            readonly chat?: string;
            /** @description The integration key of a service of PagerDuty (Events API v2). */
            readonly pagerduty?: string;
            /** @description Another name of `pagerduty`. */
            readonly paging?: string;
            /** @description Mail addresses. */
            readonly email?: readonly string[];
            /** @description The id of a notification channel. */
            readonly channel?: string;
        };
        readonly ObjectStoreIntegrationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "object_store";
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /**
             * @description False: nothing is sent, and its place in the log stays where it is.
             * @default true
             */
            readonly enabled?: boolean;
            /** @description The address of the store, in front of /bucket/name. */
            readonly url: string;
            /** @description The region that requests are signed for. */
            readonly region: string;
            /** @description Where objects are put. */
            readonly bucket: string;
            /**
             * @description Begins the name of every object.
             * @default
             */
            readonly prefix?: string;
            /** @description Names the key that signs. */
            readonly access_key_id: string;
            /** @description Signs each request (AWS Signature Version 4). */
            readonly secret_access_key: string;
        };
        /** @enum {string} */
        readonly OnExpiry: "deny";
        readonly OpenApiDocument: {
            readonly openapi: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly OrphanDetection: {
            /** @default true */
            readonly enabled: boolean;
            /**
             * Format: int64
             * @default 15
             */
            readonly parent_check_interval_seconds: number;
            /**
             * Format: int64
             * @default 60
             */
            readonly grace_period_seconds: number;
        };
        readonly OrphanDetectionRequest: {
            /** @default true */
            readonly enabled?: boolean;
            /**
             * Format: int64
             * @default 15
             */
            readonly parent_check_interval_seconds?: number;
            /**
             * Format: int64
             * @default 60
             */
            readonly grace_period_seconds?: number;
        };
        readonly OtlpIntegrationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "otlp";
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /**
             * @description False: nothing is sent, and its place in the log stays where it is.
             * @default true
             */
            readonly enabled?: boolean;
            /** @description Where a collector takes logs by OTLP/HTTP, such as https://host:4318/v1/logs. */
            readonly url: string;
            /**
             * @description `rows`: each row as it is stored, with its place and hash. `ocsf`: an event of OCSF 1.5.0.
             * @default rows
             */
            readonly format?: components["schemas"]["RowFormat"];
            /**
             * @description The whole value of the header `authorization`, such as `Bearer ...`. Null: none is sent.
             * @default null
             */
            readonly authorization?: string | null;
        };
        /** @description How a decision ended. */
        readonly Outcome: {
            /** @description `<log id>.<sequence number>`. For a decision it is the `decision_id`. */
            readonly id: string;
            readonly status: components["schemas"]["OutcomeStatus"];
            /** @description True: the gateway denied the call after the row was written. Nobody got the decision. */
            readonly withdrawn: boolean;
        };
        /** @description How an allowed call ended. */
        readonly OutcomeReport: {
            /** @description The `decision_id` of the verdict. */
            readonly decision_id: string;
            /** @description How it ended. `not_executed` gives step and cost back to keys that may ask for it. */
            readonly status: components["schemas"]["OutcomeStatus"];
            /**
             * @description What it really cost. Absent: what was reserved.
             * @example 0.25
             */
            readonly cost_usd?: string;
            /**
             * Format: double
             * @description Milliseconds that the call took.
             */
            readonly duration_ms?: number;
        };
        /** @enum {string} */
        readonly OutcomeStatus: "succeeded" | "failed" | "not_executed" | "revoked";
        /** @description A person must approve the call first. */
        readonly Pause: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly decision: "pause";
            /** @description Names the durable audit row. */
            readonly decision_id: string;
            readonly policy_id?: string;
            /** Format: int64 */
            readonly policy_version?: number;
            readonly mode?: components["schemas"]["GovernanceMode"];
            /** @description True on the answer to a repeat with the same Idempotency-Key. The first call was charged, once. */
            readonly repeated?: boolean;
            /** @description For people. */
            readonly reason: string;
            /** @description For programs. A later version may add codes: take one that you do not know as a deny. */
            readonly reason_code: string;
            readonly rule_id?: string;
            readonly args_constrained: boolean;
            /** @description Where a person approves the call. */
            readonly approval_url: string;
        };
        /** @description A person who has signed in. */
        readonly Person: {
            /** @description What people call the person. */
            readonly name: string | null;
            /** @description The groups that the identity provider named. */
            readonly groups: readonly string[];
            /** @description Every role of the person. */
            readonly roles: readonly components["schemas"]["Role"][];
        };
        /** @description A policy in its latest version. */
        readonly Policy: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** @description False: every call that the policy governs is denied. */
            readonly enabled: boolean;
            /** @description Whether it is put away: it governs nothing, and its id stays taken. */
            readonly archived: boolean;
            /** @description Short texts by name, for finding policies. */
            readonly labels: {
                readonly [key: string]: string;
            };
            readonly name: string | null;
            /** @description The document as JSON of the same fields as the YAML form. */
            readonly document: Record<string, never>;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
        };
        /** @description A version that is stored, or what a dry run found. */
        readonly PolicyAnswer: components["schemas"]["ChangedPolicy"] | components["schemas"]["PolicyDryRun"];
        /** @description Binds a policy to one agent or to one namespace. */
        readonly PolicyAssignment: {
            readonly id: string;
            readonly policy_id: string;
            readonly agent_id: string | null;
            readonly namespace_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
        };
        /** @description A page of assignments, by id. */
        readonly PolicyAssignmentPage: {
            readonly policy_assignments: readonly components["schemas"]["PolicyAssignment"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Exactly one of agent_id and namespace_id is set. */
        readonly PolicyAssignmentRequest: {
            /** @description The policy that is to govern. */
            readonly policy_id: string;
            /**
             * @description The agent that it governs.
             * @default null
             */
            readonly agent_id?: string | null;
            /**
             * @description The namespace that it governs.
             * @default null
             */
            readonly namespace_id?: string | null;
        };
        /** @description One difference in what two versions of a policy mean. */
        readonly PolicyChange: {
            /** @enum {string} */
            readonly kind: "added" | "removed" | "changed" | "moved";
            /** @enum {string} */
            readonly section: "rule" | "tools" | "ceiling" | "price" | "mode" | "field";
            /** @description An RFC 6901 pointer into the document, in which a rule is named by its id. */
            readonly path: string;
            /** @description Null when there was nothing. Of a tool list, the one glob that was removed. Of a moved rule, its place in the order of evaluation, from 1. */
            readonly before: unknown;
            /** @description The same, of the later version. */
            readonly after: unknown;
        };
        /** @description Whether a document can be loaded, and what is noticed about it. */
        readonly PolicyCheck: {
            /** @description Whether the document can be loaded. A document with warnings can. */
            readonly valid: boolean;
            /** @description Every finding: errors and warnings. */
            readonly diagnostics: readonly components["schemas"]["PolicyFinding"][];
        };
        /** @description Sent when a call was decided. */
        readonly PolicyDecisionEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "policy.decision";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["PolicyDecisionEventData"];
        };
        readonly PolicyDecisionEventData: {
            /** @description Leads to the decision and its row: `GET decisions/{id}`. */
            readonly decision_id: string;
            readonly namespace: string;
            readonly agent_id: string;
            /** @description Null: the call named none. */
            readonly session_id: string | null;
            readonly tool: string;
            readonly reason: string | null;
            /** @description As the audit log has them, secrets masked. Null when the event would be too large with them. */
            readonly args: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Whether there are arguments that the event leaves out. */
            readonly args_omitted: boolean;
            /** @description Null: no rule of the policy decided. */
            readonly rule_id: string | null;
            readonly policy_id: string | null;
            readonly policy_version: number | null;
            readonly decision: components["schemas"]["DecisionKind"];
            readonly reason_code: string | null;
            readonly mode: components["schemas"]["GovernanceMode"] | null;
            /** @description What a policy that only observes would have decided. */
            readonly would_be: {
                readonly [key: string]: unknown;
            } | null;
            readonly approval_id: string | null;
            /** @description Whether a fault denied the call, and no policy did. */
            readonly fail_closed: boolean;
        };
        /** @description What changed between two versions of a policy. */
        readonly PolicyDiff: {
            readonly policy_id: string;
            /**
             * Format: int64
             * @description The earlier version.
             */
            readonly from: number;
            /** Format: int64 */
            readonly to: number;
            /** @description Whether both versions have the same text, byte for byte. */
            readonly identical: boolean;
            /** @description Whether the texts differ and mean the same: comments, formatting, written-out defaults and the order of tool lists are not changes. */
            readonly text_only: boolean;
            /** @description Every difference in meaning. */
            readonly changes: readonly components["schemas"]["PolicyChange"][];
        };
        /** @description What a valid document says. Nothing was stored. */
        readonly PolicyDryRun: {
            /** @description Findings that do not refuse the document. */
            readonly warnings: readonly components["schemas"]["PolicyFinding"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "dry_run";
            readonly dry_run: boolean;
            readonly id: string;
            readonly name: string | null;
            /** @description The document as JSON of the same fields as the YAML form. */
            readonly document: Record<string, never>;
        };
        /** @description The steps of an evaluation, in their order. */
        readonly PolicyExplanation: {
            /** @enum {string} */
            readonly decided_by: "kill_switch" | "tools.denied" | "session" | "rule" | "rego" | "tools.allowed" | "fail_closed" | "ceiling";
            readonly kill_switches: components["schemas"]["CheckedKillSwitches"];
            /** @description Globs of `tools.denied` that match the tool. */
            readonly denied: readonly string[];
            readonly session: components["schemas"]["ExplainedSession"];
            /** @description Every rule, in the order of evaluation. */
            readonly rules: readonly components["schemas"]["ExplainedRule"][];
            /** @description Globs of `tools.allowed` that match the tool. */
            readonly allowed: readonly string[];
            readonly fail_closed: boolean;
            readonly ceilings: components["schemas"]["ExplainedCeilings"];
            readonly mode: components["schemas"]["GovernanceMode"];
            /** @description Absent when the policy has no module. */
            readonly rego?: components["schemas"]["RegoRecord"];
            /** @description Of a simulated call under a policy with a module, for the first 16 calls at most: tracing ends when it has taken half of the time of a simulation. Absent when the module failed. */
            readonly rego_trace?: components["schemas"]["RegoTrace"];
        };
        /** @description A finding about a policy document. */
        readonly PolicyFinding: {
            /** @enum {string} */
            readonly severity: "error" | "warning";
            /** @description Stable, for programs: `policy/unknown-key`. */
            readonly code: string;
            /** @description An RFC 6901 pointer into the document. Empty for the whole document. */
            readonly pointer: string;
            readonly file: string | null;
            /** Format: int64 */
            readonly line: number;
            /** Format: int64 */
            readonly column: number;
            /** @description The line of the document that the finding is about. */
            readonly excerpt: string;
            readonly message: string;
            readonly expected: string;
            readonly found: string;
            /** @description What to write instead. */
            readonly fix: string;
            /** @description The second place of a conflict. */
            readonly related: components["schemas"]["DocumentPlace"] | null;
            /** @description A call that shows the finding. Null where no call can. */
            readonly witness: components["schemas"]["Witness"] | null;
        };
        /** @description Which gateways decide by the latest version of a policy. */
        readonly PolicyInForce: {
            readonly policy_id: string;
            /**
             * Format: int64
             * @description The latest version.
             */
            readonly version: number;
            /** @description False: every call that the policy governs is denied. */
            readonly enabled: boolean;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
        };
        /** @description A policy in its latest version, without its document. */
        readonly PolicyItem: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** @description False: every call that the policy governs is denied. */
            readonly enabled: boolean;
            /** @description Whether it is put away: it governs nothing, and its id stays taken. */
            readonly archived: boolean;
            /** @description Short texts by name, for finding policies. */
            readonly labels: {
                readonly [key: string]: string;
            };
            readonly mode: components["schemas"]["GovernanceMode"];
            readonly name: string | null;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
        };
        readonly PolicyOfSession: {
            readonly policy_id: string;
            readonly policy_version: number | null;
            /** Format: int64 */
            readonly decisions: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
            /** @description Null: the version could not be found. */
            readonly ceilings: components["schemas"]["Ceilings"] | null;
        };
        /** @description A page of policies, each in its latest version. */
        readonly PolicyPage: {
            readonly policies: readonly components["schemas"]["PolicyItem"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description A change of a policy's labels. */
        readonly PolicyPatch: {
            /** @description Labels to set. Null removes a label, and labels that are not named stay. */
            readonly labels: {
                readonly [key: string]: string | null;
            };
            /**
             * @description Why. It goes into the history and into the audit log.
             * @default null
             */
            readonly why?: string | null;
        };
        /** @description Whose calls the proposed policy allows. */
        readonly PolicyProposalRequest: {
            /** @description Calls of this agent. Exactly one of it and `namespace`. */
            readonly agent_id?: string;
            /** @description Calls in this namespace. */
            readonly namespace?: string;
            /**
             * Format: date-time
             * @description The first time that is in.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The first time that is not. Absent: now.
             */
            readonly until?: string;
        };
        /** @description The decisions of a policy in a time, counted. */
        readonly PolicyReport: {
            readonly policy_id: string;
            /**
             * Format: date-time
             * @description The first minute that is counted.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The first minute that is not counted.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until: string;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly decisions: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly deny: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly pause: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly allow: number;
            /**
             * Format: int64
             * @description Decisions of these that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /**
             * Format: int64
             * @description Allowed calls that enforcement would have denied.
             */
            readonly newly_denied: number;
            /**
             * Format: int64
             * @description Allowed calls that enforcement would have paused.
             */
            readonly newly_paused: number;
            /** @description Agents that were decided for. Null: too many to count. */
            readonly agents: number | null;
            /** @description Sessions that were decided for. Null: too many to count. */
            readonly sessions: number | null;
            readonly versions: readonly components["schemas"]["PolicyReportVersion"][];
            /** @description The calls that enforcement would have denied or paused, most frequent first. */
            readonly would_change: readonly components["schemas"]["PolicyReportGroup"][];
            /** @description All decisions, most frequent first. */
            readonly groups: readonly components["schemas"]["PolicyReportGroup"][];
            /**
             * Format: int64
             * @description How many groups are not listed because there are more than 500. The totals count them.
             */
            readonly groups_left_out: number;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description How often a policy decided in one way for one tool. */
        readonly PolicyReportGroup: {
            readonly policy_version: number | null;
            readonly mode: components["schemas"]["GovernanceMode"] | null;
            readonly decision: components["schemas"]["DecisionKind"];
            /** @description What enforcement would have answered, where it differs. */
            readonly would_be: components["schemas"]["DecisionKind"] | null;
            readonly rule_id: string | null;
            /** @description The rule that would have decided under enforcement. */
            readonly would_be_rule_id: string | null;
            readonly tool: string | null;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly count: number;
            /**
             * Format: int64
             * @description Decisions of these that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /** @description Ids of a few of these decisions. */
            readonly examples: readonly string[];
        };
        /** @description The decisions of one version, counted. */
        readonly PolicyReportVersion: {
            /** Format: int64 */
            readonly policy_version: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly decisions: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly deny: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly pause: number;
            /**
             * Format: int64
             * @description Decisions.
             */
            readonly allow: number;
            /**
             * Format: int64
             * @description Decisions of these that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /**
             * Format: int64
             * @description Allowed calls that enforcement would have denied.
             */
            readonly newly_denied: number;
            /**
             * Format: int64
             * @description Allowed calls that enforcement would have paused.
             */
            readonly newly_paused: number;
            /** @description Agents that were decided for. Null: too many to count. */
            readonly agents: number | null;
            /** @description Sessions that were decided for. Null: too many to count. */
            readonly sessions: number | null;
        };
        /** @description What a gateway would answer. Nothing was written. */
        readonly PolicySimulation: {
            readonly policy_id: string;
            /** @description Null: the document of the request decided. */
            readonly policy_version: number | null;
            /** @description One for each call, in the same order. */
            readonly results: readonly components["schemas"]["SimulatedCall"][];
        };
        /** @description Calls, and the policy that decides them. */
        readonly PolicySimulationRequest: {
            /** @description A policy document: a text of YAML or JSON, or the same fields as an object. */
            readonly document?: string | Record<string, never>;
            /** @description A stored policy. Exactly one of it and `document` is set. */
            readonly policy_id?: string;
            /**
             * Format: int64
             * @description Absent: the latest.
             */
            readonly version?: number;
            /** @description Each is the body of `gateway/execute`, and may have `session`, what it has used before, and `time`. */
            readonly calls: readonly components["schemas"]["SimulatedCallRequest"][];
        };
        /** @description One version of a policy. Versions never change. */
        readonly PolicyVersion: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            readonly name: string | null;
            /** @description The document as JSON of the same fields as the YAML form. */
            readonly document: Record<string, never>;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
        };
        /** @description Sent when a policy got a new version: it was created, updated or rolled back. */
        readonly PolicyVersionCreatedEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "policy.version_created";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["PolicyVersionCreatedEventData"];
        };
        readonly PolicyVersionCreatedEventData: {
            readonly policy_id: string;
            /** Format: int64 */
            readonly policy_version: number;
            /** @description The agent that the document names. */
            readonly agent_id: string | null;
            /** @enum {string} */
            readonly change: "created" | "updated" | "rolled_back";
            /** @description The version whose document it has again. */
            readonly rolled_back_to: number | null;
            readonly mode: components["schemas"]["GovernanceMode"] | null;
            /** @description `sha256:` and hexadecimal digits of the document. */
            readonly document_digest: string | null;
            /** @description The id of the key. */
            readonly created_by: string;
            readonly why: string | null;
        };
        /** @description One version of a policy, without its document. */
        readonly PolicyVersionItem: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            readonly name: string | null;
            /**
             * Format: date-time
             * @description When this version was written.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /** @description The version whose content a rollback restored. Null for an ordinary change. */
            readonly rolled_back_to: number | null;
            /** @description Why this version was written, as its author said. */
            readonly why: string | null;
        };
        /** @description A page of the versions of one policy, newest first. */
        readonly PolicyVersionPage: {
            readonly versions: readonly components["schemas"]["PolicyVersionItem"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Sent when many calls of an agent were denied by one rule within a minute. */
        readonly PolicyViolationsEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "policy.violations";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["PolicyViolationsEventData"];
        };
        readonly PolicyViolationsEventData: {
            readonly agent_id: string;
            /** @description Null: the call that was denied last named none. */
            readonly session_id: string | null;
            readonly namespace: string | null;
            readonly explanation: string;
            /** @description Null: the policy denied the calls by something else than a rule. */
            readonly rule_id: string | null;
            /**
             * Format: int64
             * @description Calls that were denied within a minute.
             */
            readonly count: number;
            /**
             * Format: date-time
             * @description When the first call of the burst was denied.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /** @description Decisions that lead to the burst. */
            readonly decision_ids: readonly string[];
        };
        /** @description Why the request was refused. */
        readonly Problem: {
            /** @description Where the server explains the code, relative to its address. */
            readonly type: string;
            readonly title: string;
            /** Format: int64 */
            readonly status: number;
            /** @enum {string} */
            readonly code: "malformed_json" | "invalid_request" | "invalid_header" | "invalid_target" | "unauthenticated" | "token_refused" | "forbidden" | "org_mismatch" | "host_not_allowed" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "agent_already_bound" | "idempotency_conflict" | "request_in_flight" | "outcome_unknown" | "version_moved" | "body_too_large" | "unsupported_media_type" | "invalid_policy" | "idempotency_key_reused" | "too_much_work" | "limit_reached" | "headers_too_large" | "too_many_requests" | "internal_error" | "overloaded" | "unavailable" | "issuer_unavailable" | "compiler_unavailable";
            /** @description What is wrong and what to do, for people. */
            readonly detail: string;
            /** @description The id that log lines about this request have. */
            readonly request_id?: string;
            readonly errors?: readonly components["schemas"]["ProblemEntry"][];
        };
        /** @description One fault of the request. */
        readonly ProblemEntry: {
            /** @description Where: an RFC 6901 pointer into the body, or the name of a parameter. */
            readonly pointer: string;
            readonly expected: string;
            readonly found: string;
            /** @description What to send instead. */
            readonly fix?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly ProposedGrant: {
            readonly tool: string;
            /** Format: int64 */
            readonly calls: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_use: string;
        };
        /** @description The smallest policy that allows what ran. */
        readonly ProposedPolicy: {
            /** @description The policy document as YAML, with what was seen in comments. */
            readonly document: string;
            /** @description The policy that governs now. Null: none does. */
            readonly policy_id: string | null;
            /** @description The tools that ran. */
            readonly grants: readonly components["schemas"]["ProposedGrant"][];
            /** @description Grants of the present policy that no call used. */
            readonly unused: readonly components["schemas"]["UnusedGrant"][];
            /** @description Rules of the present policy that would stop calls that ran. The proposal leaves them out. */
            readonly left_out: readonly string[];
            /** @description Why the proposal may not be what was meant, such as an agent of which no call was allowed. */
            readonly warnings: readonly string[];
        };
        /** @description Until it ends, only read-only tools may be called. */
        readonly Quarantine: {
            readonly reason: string;
            /** @description Who or what asked for it. */
            readonly quarantined_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly quarantined_at: string;
            /** @description Null: it lasts until somebody lifts it. */
            readonly expires_at: string | null;
        };
        /** @description An agent in quarantine, or what a dry run found. */
        readonly QuarantineAnswer: components["schemas"]["QuarantinedAgent"] | components["schemas"]["QuarantineDryRun"];
        /** @description Who would be limited, and how fast. */
        readonly QuarantineDryRun: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "dry_run";
            readonly dry_run: boolean;
            /** @description Nothing was limited. */
            readonly enforced: boolean;
            readonly agent_id: string;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            readonly propagation_ms: number | null;
            /** @description Calls of the agent. Of these, only those of read-only tools would go on. Null: not known. */
            readonly affected: components["schemas"]["CountedCallers"] | null;
        };
        /** @description Why the quarantine ends. */
        readonly QuarantineLift: {
            /** @description Why, for people. */
            readonly reason: string;
            /** @description Who or what lifts it. */
            readonly lifted_by: string;
        };
        /** @description Why the agent is limited, and for how long. */
        readonly QuarantineRequest: {
            /** @description Why, for people. */
            readonly reason: string;
            /** @description Who or what asks for it. */
            readonly quarantined_by: string;
            /**
             * @description Seconds until it ends by itself. Null: it lasts until somebody lifts it.
             * @default null
             */
            readonly ttl_seconds?: number | null;
            /**
             * @description Only says what would stop.
             * @default false
             */
            readonly dry_run?: boolean;
        };
        /** @description An agent in quarantine, and the gateways that hold it there. */
        readonly QuarantinedAgent: {
            /** @description What calls, policies and kill switches name. */
            readonly id: string;
            /** @description A name for people. */
            readonly name: string;
            /** @description The namespace of its calls. For a discovered agent: that of its latest call, else heartbeat. */
            readonly namespace: string;
            /** @description Who provides the model or the platform. */
            readonly provider: string | null;
            /** @description Words for finding agents. */
            readonly tags: readonly string[];
            /** @description What the agent says it can do. */
            readonly capabilities: readonly string[];
            /** @description The agent that starts this one. */
            readonly parent_agent_id: string | null;
            /** @description Computed from its registration and its sessions. */
            readonly status: components["schemas"]["AgentStatus"];
            /** @description The worst severity of its sessions. */
            readonly severity: components["schemas"]["Severity"];
            /** @description The latest of any session. Null: it sent none. */
            readonly last_heartbeat: string | null;
            /** @description Null: the agent is not in quarantine. */
            readonly quarantine: components["schemas"]["Quarantine"] | null;
            /** @description Its first call. Null: it has not called. */
            readonly first_seen: string | null;
            /** @description Its latest call. Null: it has not called. */
            readonly last_seen: string | null;
            /** @description Null: nobody registered it. */
            readonly registered_at: string | null;
            /** @description Id of the key that registered it. Null: nobody did. */
            readonly created_by: string | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description True only when every known gateway has acknowledged that it acts by it. */
            readonly enforced: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "quarantined";
            /** @description Milliseconds to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Whether this request gave a quarantine a later end. */
            readonly extended: boolean;
            /** @description Null: that is not known. */
            readonly affected: components["schemas"]["RecentCallers"] | null;
        };
        /** @description Whether the process can decide calls now, and what is missing. */
        readonly Readiness: {
            /** @enum {string} */
            readonly status: "ready" | "not_ready";
            /** @enum {string} */
            readonly control_state: "ok" | "unverified";
            /** @enum {string} */
            readonly policies: "ok" | "loading";
            /** @enum {string} */
            readonly store: "ok" | "unavailable";
        };
        /** @description Ends CRITICAL for one session. It counts as a heartbeat of the session. */
        readonly Reauthentication: {
            /** @description The session whose tool calls are suspended. */
            readonly session_id: string;
        };
        /** @description Who called a target lately. */
        readonly RecentCallers: {
            /** @description Those that called in the last 15 minutes. */
            readonly agents: readonly string[];
            /** @description Those that called in the last 15 minutes. */
            readonly sessions: readonly string[];
            /** @description True: nobody else called, so an empty list means nobody. False: there may be more, because the audit index did not answer in time, or there are too many to name. */
            readonly complete: boolean;
        };
        /** @description The report is in the audit log. */
        readonly Recorded: {
            readonly recorded: boolean;
        };
        /** @description The decision as its row holds it. */
        readonly RecordedDecision: {
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly namespace: string;
            readonly tool: string;
            readonly decision: components["schemas"]["DecisionKind"];
            readonly reason: string | null;
            readonly reason_code: string | null;
            readonly rule_id: string | null;
            readonly would_be: components["schemas"]["WouldBe"] | null;
            readonly mode: components["schemas"]["GovernanceMode"] | null;
            readonly policy_id: string | null;
            readonly policy_version: number | null;
            readonly kill_switch_id: string | null;
            readonly approval_id: string | null;
            readonly cost_usd: string;
            /** @description What the decision saw of the session. Null: the row does not hold it. */
            readonly session_usage: components["schemas"]["SessionUsageBefore"] | null;
            readonly fail_closed: boolean;
            /** @description Whether values were masked when the row was written. Null: the row's digests do not say. */
            readonly masked: boolean | null;
        };
        readonly RecordedKillSwitches: {
            readonly checked: readonly string[];
            /** @description Switches that name the call and were active at its time. */
            readonly active: readonly components["schemas"]["ExplainedKillSwitch"][];
        };
        /** @description Why the call does not run. */
        readonly RefuseApprovalRequest: {
            /** @description Why. It goes into the audit log, with secrets masked. */
            readonly reason: string;
        };
        /** @enum {string} */
        readonly RefusedDecision: "deny" | "pause";
        /** @description What the Rego module of a policy said of a call, with secrets masked. */
        readonly RegoRecord: {
            readonly deny: readonly string[];
            /** @description Why it could not be evaluated, as a word such as `rego_timeout`. Then it has no messages. */
            readonly failed: string | null;
            readonly require_approval: readonly string[];
        };
        /** @description How the Rego module of a policy came to what it said of a call. */
        readonly RegoTrace: {
            /** @description The trace of OPA, cut at a limit. It names arguments of the call. */
            readonly trace: string;
            /** @description Lines that ran. */
            readonly covered: readonly components["schemas"]["ModuleLines"][];
            /** @description Lines that could run and did not. */
            readonly not_covered: readonly components["schemas"]["ModuleLines"][];
            /**
             * Format: double
             * @description Of the lines that can run.
             */
            readonly percent: number;
        };
        /** @description An agent that is no longer registered. */
        readonly RemovedAgent: {
            readonly id: string;
            readonly removed: boolean;
            /** @description What changes for its calls, in words. */
            readonly effect: string;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description True only when every known gateway has acknowledged that it acts by it. */
            readonly enforced: boolean;
        };
        /** @description What an earlier request has made. Its secret is shown once. */
        readonly RepeatedKey: {
            readonly id: string;
            readonly name: string;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description What the key may do. */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents: readonly string[] | null;
            /** @description The only namespaces that the key may act in. Null: every namespace. */
            readonly namespaces: readonly string[] | null;
            /** @description What made it: a start, another key, the token of a program, or a login. */
            readonly origin: components["schemas"]["KeyOrigin"];
            /** @description Whom an identity provider named. Null for other keys. */
            readonly identity: components["schemas"]["KeyIdentity"] | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key that made it; `bootstrap` when a start did. */
            readonly created_by: string;
            /** @description Null: it does not expire. */
            readonly expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Id of the key that revoked it. */
            readonly revoked_by: string | null;
            /** @description When each secret was made and ends, oldest first. The secrets themselves are not stored. */
            readonly secrets: readonly components["schemas"]["KeySecret"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "repeated";
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description Why the secret is missing. */
            readonly detail: string;
        };
        /** @description What an earlier request has made. Its secret is shown once. */
        readonly RepeatedWebhook: {
            readonly id: string;
            readonly url: string;
            readonly events: readonly string[];
            readonly description: string | null;
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly decisions: readonly components["schemas"]["DecisionKind"][] | null;
            readonly enabled: boolean;
            readonly disabled_at: string | null;
            /** @description Who or what disabled it: an operator, an answer 410, or failures for five days. */
            readonly disabled_reason: string | null;
            /** @description When the next secret takes over. Until then both sign. Null: there is one secret. */
            readonly next_secret_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "repeated";
            /** @description Why the secret is missing. */
            readonly detail: string;
        };
        /** @description Recorded calls that are decided again under a candidate. */
        readonly Replay: {
            readonly id: string;
            readonly policy_id: string;
            readonly candidate: components["schemas"]["ReplayCandidate"];
            /** @description The version that the candidate is compared with. Null: the recorded decisions. */
            readonly base_version?: number | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until: string;
            readonly agents: readonly string[] | null;
            /** @enum {string} */
            readonly status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description Why it failed. */
            readonly reason: string | null;
            readonly progress: components["schemas"]["ReplayProgress"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            readonly ended_at: string | null;
            /** @description Null until it is completed. */
            readonly result: components["schemas"]["ReplayResult"] | null;
        };
        readonly ReplayCandidate: {
            /** @description Null: a document of the request. */
            readonly version: number | null;
            readonly document_digest: string;
            readonly mode: components["schemas"]["GovernanceMode"];
        };
        /** @description Decisions of one tool that change in one way. */
        readonly ReplayGroup: {
            /** @enum {string} */
            readonly change: "newly_denied" | "newly_allowed" | "newly_paused" | "newly_rewritten" | "rewritten_otherwise";
            readonly tool: string;
            /** @description The rule of the candidate that decides. Null: a list or default. */
            readonly rule_id: string | null;
            readonly reason_code: string | null;
            /** @description As recorded, or of the version that is compared with. */
            readonly was_rule_id: string | null;
            readonly was_reason_code: string | null;
            /** Format: int64 */
            readonly count: number;
            /** @description Ids of the first decisions. */
            readonly examples: readonly string[];
        };
        /** @description A page of replays. */
        readonly ReplayPage: {
            readonly replays: readonly components["schemas"]["Replay"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        readonly ReplayProgress: {
            /** Format: int64 */
            readonly rows_read: number;
            /** Format: int64 */
            readonly rows_total: number;
        };
        /** @description A candidate, and the calls that it decides again. */
        readonly ReplayRequest: {
            /** @description The candidate: a text of YAML or JSON, or the same fields as an object. */
            readonly document?: string | Record<string, never>;
            /**
             * Format: int64
             * @description A stored version as the candidate. Absent, without `document`: the latest.
             */
            readonly version?: number;
            /**
             * Format: int64
             * @description A stored version, with whose decisions those of the candidate are compared. Absent: with the recorded ones.
             */
            readonly base_version?: number;
            /**
             * Format: date-time
             * @description The first time that is in.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The first time that is not. Absent: now.
             */
            readonly until?: string;
            /** @description Calls of these agents, whatever governed them. Absent: calls that the policy governed. */
            readonly agents?: readonly string[];
        };
        /** @description What the candidate changes. */
        readonly ReplayResult: {
            /**
             * Format: int64
             * @description Decisions that were made again.
             */
            readonly calls: number;
            /**
             * Format: int64
             * @description Decisions that are as recorded, or as those of the version that is compared with.
             */
            readonly unchanged: number;
            /**
             * Format: int64
             * @description Decisions that become a deny.
             */
            readonly newly_denied: number;
            /**
             * Format: int64
             * @description Decisions that become an allow.
             */
            readonly newly_allowed: number;
            /**
             * Format: int64
             * @description Decisions that become a pause.
             */
            readonly newly_paused: number;
            /**
             * Format: int64
             * @description Allowed calls whose arguments the candidate rewrites, and nothing did before.
             */
            readonly newly_rewritten: number;
            /**
             * Format: int64
             * @description Allowed calls whose arguments are rewritten in another way, or not any more.
             */
            readonly rewritten_otherwise: number;
            /**
             * Format: int64
             * @description Calls whose row masks a value. They are decided with the mask.
             */
            readonly masked: number;
            /** @description Decisions about which nothing is claimed. They are in no other count. */
            readonly undecided: components["schemas"]["UndecidedCounts"];
            /** @description What enforcement would answer where the mode of the candidate allows. */
            readonly would_be: components["schemas"]["WouldBeCounts"];
            /** @description Denied calls of the named agents that no policy decided. */
            readonly not_replayed: components["schemas"]["NotReplayedCounts"];
            /**
             * Format: int64
             * @description Allowed calls that the candidate pauses, whose approval had been granted.
             */
            readonly approvals_used: number;
            /**
             * Format: int64
             * @description Sessions whose usage was rebuilt.
             */
            readonly sessions: number;
            /**
             * Format: int64
             * @description Outcomes that changed what a session had used.
             */
            readonly outcomes_applied: number;
            /**
             * Format: int64
             * @description Rows of the range that retention has removed.
             */
            readonly rows_removed: number;
            /** @description What changes, by rule and tool, most decisions first. */
            readonly groups: readonly components["schemas"]["ReplayGroup"][];
            /**
             * Format: int64
             * @description Changed decisions that no group counts, because the result lists a limited number of groups.
             */
            readonly groups_left_out: number;
            /** @description Digest of this result. The same input gives the same digest. */
            readonly digest: string;
        };
        /** @description How a decision ended, and the row that says so. */
        readonly ReportedOutcome: {
            /** @description `<log id>.<sequence number>`. For a decision it is the `decision_id`. */
            readonly id: string;
            readonly status: components["schemas"]["OutcomeStatus"];
            /** @description True: the gateway denied the call after the row was written. Nobody got the decision. */
            readonly withdrawn: boolean;
            /** @description The row as it was hashed, as docs/AUDIT-FORMAT.md specifies it. */
            readonly row: {
                readonly [key: string]: unknown;
            };
        };
        /** @description The newest commit of the default branch, and whether its signature was verified. */
        readonly RepositoryCommit: {
            readonly sha: string;
            readonly signature_verified: boolean;
            readonly signature_reason: string;
        };
        /** @description What is read of a repository. */
        readonly RepositoryFacts: {
            readonly repository: string;
            readonly private: boolean;
            readonly archived: boolean;
            readonly default_branch: string;
            /** @description True: the token may do more than it needs. Give a narrower one. */
            readonly token_can_write: boolean;
            readonly head_commit: components["schemas"]["RepositoryCommit"];
            /** @description The first 100 workflows. */
            readonly workflows: readonly components["schemas"]["RepositoryWorkflow"][];
        };
        readonly RepositoryWorkflow: {
            readonly name: string;
            readonly path: string;
            readonly state: string;
        };
        /** @description What the re-registration ended. */
        readonly Reregistered: {
            readonly agent_id: string;
            /** @description Sessions that are not terminated any more. */
            readonly session_ids: readonly string[];
            /** @description Kill switches that this request ended. */
            readonly ended_kill_switches: readonly string[];
            /** @description Kill switches that still stop calls of these sessions. */
            readonly active_kill_switches: readonly string[];
            /** @description True: more sessions are terminated. Repeat the request for them. */
            readonly remaining: boolean;
        };
        /** @description The only way out of EMERGENCY. */
        readonly Reregistration: {
            /**
             * @description The terminated session. Null: every terminated session of the agent.
             * @default null
             */
            readonly session_id?: string | null;
            /** @description Why the agent may run again. */
            readonly reason: string;
            /** @description Who decided it. */
            readonly reregistered_by: string;
            /**
             * @description True: the kill switches that the detection activated on these sessions end, too.
             * @default false
             */
            readonly end_kill_switch?: boolean;
        };
        /** @description A key that was revoked, and the gateways that refuse it. */
        readonly RevokedKey: {
            readonly id: string;
            readonly name: string;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description What the key may do. */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents: readonly string[] | null;
            /** @description The only namespaces that the key may act in. Null: every namespace. */
            readonly namespaces: readonly string[] | null;
            /** @description What made it: a start, another key, the token of a program, or a login. */
            readonly origin: components["schemas"]["KeyOrigin"];
            /** @description Whom an identity provider named. Null for other keys. */
            readonly identity: components["schemas"]["KeyIdentity"] | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Id of the key that made it; `bootstrap` when a start did. */
            readonly created_by: string;
            /** @description Null: it does not expire. */
            readonly expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Id of the key that revoked it. */
            readonly revoked_by: string | null;
            /** @description When each secret was made and ends, oldest first. The secrets themselves are not stored. */
            readonly secrets: readonly components["schemas"]["KeySecret"][];
            /** @description Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none. */
            readonly propagation_ms: number | null;
            /** @description Every known gateway. Empty when the gateways could not be read from the database. */
            readonly gateways: readonly components["schemas"]["GatewayAcknowledgement"][];
            /**
             * Format: date-time
             * @description Present when the gateways could not be read: from then on each one denies every call until it follows.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly lease_ends_at?: string;
            /** @description Present unless every gateway has acknowledged. It says what that means. */
            readonly note?: string;
            /** @description True only when every known gateway has acknowledged that it refuses it. */
            readonly enforced: boolean;
        };
        readonly RiskSettings: {
            /**
             * @description Globs. An agent with an allowed call of such a tool in the last hour, of which no outcome came, has halved thresholds.
             * @default []
             */
            readonly sensitive_tools: readonly string[];
        };
        readonly RiskSettingsRequest: {
            /**
             * @description Globs. An agent with an allowed call of such a tool in the last hour, of which no outcome came, has halved thresholds.
             * @default []
             */
            readonly sensitive_tools?: readonly string[];
        };
        /** @description All settings. A key that is left out gets its default. */
        readonly RogueDetectionRequest: {
            /** @description Heartbeats, orphans, escalation, coverage, risk and behaviour. What is left out is the default. */
            readonly rogue_detection: components["schemas"]["RogueDetectionUpdateRequest"];
        };
        readonly RogueDetectionSettings: {
            readonly heartbeat: components["schemas"]["HeartbeatSettings"];
            readonly orphan_detection: components["schemas"]["OrphanDetection"];
            readonly escalation: components["schemas"]["Escalation"];
            readonly coverage: components["schemas"]["CoverageSettings"];
            readonly risk: components["schemas"]["RiskSettings"];
            readonly behaviour: components["schemas"]["BehaviourSettings"];
        };
        readonly RogueDetectionUpdateRequest: {
            readonly heartbeat?: components["schemas"]["HeartbeatSettingsRequest"];
            readonly orphan_detection?: components["schemas"]["OrphanDetectionRequest"];
            readonly escalation?: components["schemas"]["EscalationRequest"];
            readonly coverage?: components["schemas"]["CoverageSettingsRequest"];
            readonly risk?: components["schemas"]["RiskSettingsRequest"];
            readonly behaviour?: components["schemas"]["BehaviourSettingsRequest"];
        };
        /** @enum {string} */
        readonly Role: "agent" | "adapter" | "operator" | "approver" | "policy_author" | "auditor" | "ci" | "admin";
        /** @description Which version to go back to. */
        readonly RollbackRequest: {
            /**
             * Format: int64
             * @description The version whose content comes back.
             */
            readonly target_version: number;
            /**
             * @description Why. It goes into the history and into the audit log.
             * @default null
             */
            readonly why?: string | null;
        };
        /**
         * @description What a row is sent as.
         * @enum {string}
         */
        readonly RowFormat: "rows" | "ocsf";
        readonly RowsBehind: {
            readonly log_id: string;
            /**
             * Format: int64
             * @description The first row that the answer leaves out.
             */
            readonly from_seq: number;
            /**
             * Format: int64
             * @description How many rows it leaves out.
             */
            readonly rows: number;
        };
        /** @description One of the newest calls of an agent. */
        readonly SampleCall: {
            readonly decision_id: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
            readonly tool: string;
            readonly session_id: string | null;
            readonly decision: components["schemas"]["DecisionKind"];
            readonly withdrawn: boolean;
            readonly reason: string | null;
            /** @description As the row has them, with what it masks. */
            readonly args: {
                readonly [key: string]: unknown;
            };
        };
        /** @enum {string} */
        readonly Scope: "call:execute" | "outcome:own" | "outcome:any" | "outcome:refund" | "kill_switch:follow" | "kill_switch:read" | "kill_switch:write" | "policy:read" | "policy:write" | "policy:assign" | "policy:test" | "policy:report" | "namespace:read" | "namespace:write" | "key:read" | "key:write" | "admin_key:write" | "audit:read" | "audit:export" | "event:read" | "approval:own" | "legal_hold:write" | "approval:read" | "approval:cancel" | "approval:resolve" | "workflow:read" | "workflow:write" | "agent:read" | "agent:write" | "agent:heartbeat" | "agent:contain" | "webhook:read" | "webhook:write" | "alert:read" | "alert:write" | "integration:read" | "integration:write";
        /** @description Which release this is. */
        readonly ServerVersion: {
            /** @constant */
            readonly name: "svc";
            readonly version: string;
            /** @description The release of Open Policy Agent that evaluates Rego modules. */
            readonly opa: string;
        };
        /** @description What one agent did in one session. */
        readonly Session: {
            readonly agent_id: string;
            readonly session_id: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly last_at: string;
            /** @description What the session has used of its ceilings, by now. Zero where no policy limits it. */
            readonly usage: components["schemas"]["SessionUsage"];
            readonly decisions: components["schemas"]["DecisionCounts"];
            /**
             * Format: int64
             * @description Decisions that nobody got, because the gateway denied the call later.
             */
            readonly withdrawn: number;
            /**
             * Format: int64
             * @description Allowed calls that nobody has reported about.
             */
            readonly without_outcome: number;
            /**
             * Format: int64
             * @description Rows that the counts and names here come from: the newest 10,000.
             */
            readonly counted_rows: number;
            /** @description Whether these are all rows of the session. */
            readonly counted_all: boolean;
            /** @description Policy versions that governed the session, newest first. */
            readonly policies: readonly components["schemas"]["PolicyOfSession"][];
            /** @description Kill switches that stopped calls of the session, newest first. */
            readonly kill_switches: readonly components["schemas"]["KillSwitchOfSession"][];
            /** @description The newest rows of kill switches on this session, at most 50. */
            readonly switch_rows: readonly components["schemas"]["AuditRow"][];
            /** @description Decisions and reports of the session, newest first. */
            readonly rows: readonly components["schemas"]["AuditRow"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
            readonly indexed: components["schemas"]["AuditIndexed"];
        };
        /** @description The supervision of one session. */
        readonly SessionHealth: {
            readonly agent_id: string;
            /** @description Null: the agent has no supervised session. */
            readonly session_id: string | null;
            /** @description Null: it sent none. */
            readonly last_heartbeat: string | null;
            /** Format: int64 */
            readonly missed_heartbeats: number;
            readonly severity: components["schemas"]["Severity"];
            /** @description What the severity means for its calls. */
            readonly status: components["schemas"]["HealthStatus"];
            /** @description Seconds until the next escalation without a heartbeat. Null: nothing escalates. */
            readonly escalation_eta_seconds: number | null;
        };
        readonly SessionUsage: {
            /**
             * Format: int64
             * @description Steps that ceilings count.
             */
            readonly steps: number;
            /** @description Cost that ceilings count, reserved or reported, in decimal USD. */
            readonly cost_usd: string;
        };
        readonly SessionUsageBefore: {
            /** Format: int64 */
            readonly steps: number;
            readonly cost_usd: string;
        };
        /** @enum {string} */
        readonly Severity: "INFO" | "WARNING" | "CRITICAL" | "EMERGENCY";
        readonly SiemHttpIntegrationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "siem_http";
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /**
             * @description False: nothing is sent, and its place in the log stays where it is.
             * @default true
             */
            readonly enabled?: boolean;
            /** @description Where batches are posted, as newline-delimited JSON. */
            readonly url: string;
            /**
             * @description `rows`: each row as it is stored, with its place and hash. `ocsf`: an event of OCSF 1.5.0.
             * @default rows
             */
            readonly format?: components["schemas"]["RowFormat"];
            /**
             * @description The whole value of the header `authorization`, such as `Bearer ...`. Null: none is sent.
             * @default null
             */
            readonly authorization?: string | null;
        };
        /** @description What a gateway would answer to one call, and why. */
        readonly SimulatedCall: {
            readonly verdict: components["schemas"]["SimulatedVerdict"];
            readonly explanation: components["schemas"]["PolicyExplanation"];
        };
        /** @description The body of an execute request, `session` and `time`. */
        readonly SimulatedCallRequest: {
            /** @description What the session has used before the call. */
            readonly session?: components["schemas"]["UsedRequest"];
            /**
             * Format: date-time
             * @description When the gateway receives the call, for policies that read the time. Absent: now.
             */
            readonly time?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description What a gateway would answer. No row was written. */
        readonly SimulatedVerdict: {
            readonly decision: components["schemas"]["DecisionKind"];
            readonly reason: string | null;
            readonly reason_code: string | null;
            readonly rule_id: string | null;
            readonly kill_switch_id: string | null;
            /** @description What enforcement would answer, when the mode of the policy allows the call. */
            readonly would_be: components["schemas"]["WouldBe"] | null;
            readonly args_constrained: boolean;
            /** @description The rewritten arguments. What the secret detectors find in them is masked. */
            readonly shaped_args: Record<string, never> | null;
            readonly cost_usd: string;
        };
        /** @enum {string} */
        readonly SubjectTokenType: "urn:ietf:params:oauth:token-type:jwt" | "urn:ietf:params:oauth:token-type:id_token";
        /** @description How the session is supervised. */
        readonly SupervisionAnswer: {
            readonly agent_id: string;
            readonly session_id: string;
            /** @description How the session is rated now. What this request changes about it comes within a second. */
            readonly severity: components["schemas"]["Severity"];
            /** @description What the severity means for its calls. */
            readonly status: components["schemas"]["HealthStatus"];
            /**
             * Format: int64
             * @description Seconds after which the next heartbeat is expected.
             */
            readonly interval_seconds: number;
            /**
             * Format: int64
             * @description 0: this one has arrived.
             */
            readonly missed_heartbeats: number;
            /** @description True: tool calls stay suspended until the agent authenticates again. */
            readonly reauthenticate: boolean;
            /** @description True: supervision of the session has ended. False although the heartbeat said `ended`: it is at CRITICAL or above, and stays supervised. The heartbeat counts as any other. */
            readonly ended: boolean;
        };
        readonly SyslogIntegrationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly kind: "syslog";
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /**
             * @description False: nothing is sent, and its place in the log stays where it is.
             * @default true
             */
            readonly enabled?: boolean;
            /** @description Who takes syslog over TLS. Its certificate must have this name. */
            readonly host: string;
            /**
             * Format: int64
             * @description Its port; 6514 is that of syslog over TLS.
             * @default 6514
             */
            readonly port?: number;
            /**
             * @description `rows`: each row as it is stored, with its place and hash. `ocsf`: an event of OCSF 1.5.0.
             * @default rows
             */
            readonly format?: components["schemas"]["RowFormat"];
        };
        /** @description The token of a program, in the form of RFC 8693. */
        readonly TokenRequest: {
            /**
             * @description As RFC 8693 has it.
             * @constant
             */
            readonly grant_type: "urn:ietf:params:oauth:grant-type:token-exchange";
            /** @description The token that the identity provider gave to the program. */
            readonly subject_token: string;
            /**
             * @description What the token is.
             * @default urn:ietf:params:oauth:token-type:jwt
             */
            readonly subject_token_type?: components["schemas"]["SubjectTokenType"];
            /**
             * @description The trust rule to use. Null: the one that admits the token.
             * @default null
             */
            readonly trust_rule_id?: string | null;
            /**
             * @description The organization whose trust rules are asked.
             * @default default
             */
            readonly org_id?: string;
        };
        /** @enum {string} */
        readonly TriggerSource: "manual" | "api" | "rogue_detection" | "ttl_expiry";
        /** @description Which tokens of an issuer get which keys. */
        readonly TrustRule: {
            readonly id: string;
            readonly name: string;
            readonly issuer: string;
            readonly jwks_uri: string | null;
            readonly audience: string;
            readonly subject: string;
            readonly claims: {
                readonly [key: string]: string;
            } | null;
            readonly role: components["schemas"]["Role"];
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly environments: readonly string[] | null;
            /** Format: int64 */
            readonly lifetime_seconds: number;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            /** @description Who made it. */
            readonly created_by: string;
            /** @description Null while it admits tokens. */
            readonly removed_at: string | null;
            readonly removed_by: string | null;
            /** @description Tokens that the rule also admits, and that were probably not meant. */
            readonly warnings: readonly string[];
        };
        /** @description A page of trust rules, newest first. */
        readonly TrustRulePage: {
            readonly trust_rules: readonly components["schemas"]["TrustRule"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description Which tokens get which keys. */
        readonly TrustRuleRequest: {
            /** @description What people call it. */
            readonly name: string;
            /** @description The claim `iss` of the tokens, exactly as they have it. */
            readonly issuer: string;
            /**
             * @description Where the keys of the issuer are. Null: where the document of its discovery says.
             * @default null
             */
            readonly jwks_uri?: string | null;
            /** @description A value of the claim `aud` that names this server. */
            readonly audience: string;
            /** @description A pattern of the claim `sub`. `*` stands for any characters. */
            readonly subject: string;
            /**
             * @description Patterns of further claims by name. The token must have each of them. Registered ones, such as `iss`, are refused.
             * @default null
             */
            readonly claims?: {
                readonly [key: string]: string;
            } | null;
            /** @description What the keys may do. */
            readonly role: components["schemas"]["Role"];
            /** @description The only agents that the keys may act for. Null: every agent. */
            readonly agents?: readonly string[] | null;
            /** @description The only namespaces of the keys. Null: every one. */
            readonly namespaces?: readonly string[] | null;
            /** @description The claim `environment` must be one of these. Null: the token need not have one. */
            readonly environments?: readonly string[] | null;
            /**
             * Format: int64
             * @description Seconds that a key lives.
             * @default 600
             */
            readonly lifetime_seconds?: number;
        };
        readonly UndecidedCounts: {
            /**
             * Format: int64
             * @description The candidate reads what a mask stands for.
             */
            readonly masked: number;
            /**
             * Format: int64
             * @description An undecided call before leaves the usage of the session unknown.
             */
            readonly session: number;
        };
        readonly UnusedGrant: {
            /** @enum {string} */
            readonly kind: "tools.allowed" | "rule";
            readonly entry: string;
        };
        /** @description What a session has used. */
        readonly UsedRequest: {
            /**
             * Format: int64
             * @default 0
             */
            readonly steps?: number;
            readonly cost_usd?: string;
        };
        /** @description Whether the call may be made. Anything that is not an allow means no. */
        readonly Verdict: components["schemas"]["Deny"] | components["schemas"]["Pause"] | components["schemas"]["Allow"];
        /** @description Every key that checkpoints of this server were ever signed with. */
        readonly VerifierKeys: {
            /** @description Oldest first. */
            readonly keys: readonly string[];
        };
        /** @enum {string} */
        readonly VoteDecision: "approve" | "deny";
        /** @description An endpoint that events are delivered to. */
        readonly Webhook: {
            readonly id: string;
            readonly url: string;
            readonly events: readonly string[];
            readonly description: string | null;
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly decisions: readonly components["schemas"]["DecisionKind"][] | null;
            readonly enabled: boolean;
            readonly disabled_at: string | null;
            /** @description Who or what disabled it: an operator, an answer 410, or failures for five days. */
            readonly disabled_reason: string | null;
            /** @description When the next secret takes over. Until then both sign. Null: there is one secret. */
            readonly next_secret_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
        };
        /** @description An endpoint with a new secret, or what an earlier request has made. */
        readonly WebhookAnswer: components["schemas"]["IssuedWebhook"] | components["schemas"]["RepeatedWebhook"];
        /** @description An attempt to deliver an event, or what waits for one. */
        readonly WebhookDelivery: {
            /** @description The delivery, as `X-Svc-Delivery` has it. Each attempt has the same. */
            readonly id: string;
            readonly event_id: string;
            /** @description The kind of the event. */
            readonly event: string;
            readonly status: components["schemas"]["DeliveryStatus"];
            /** @description Null for a delivery that waits or is dead. */
            readonly attempted_at: string | null;
            readonly latency_ms: number | null;
            /** @description Null: no answer came. */
            readonly response_status: number | null;
            /** @description How the answer began, as text: 1 KiB of it. */
            readonly response: string | null;
            /** @description Why it failed. Null: it did not. */
            readonly fault: string | null;
            /** @description Attempts so far. Null in the list of attempts. */
            readonly attempts: number | null;
            readonly next_attempt_at: string | null;
        };
        /** @description A page of attempts, newest first, or of deliveries that wait or are dead. */
        readonly WebhookDeliveryPage: {
            readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description What would get deliveries. Nothing was stored. */
        readonly WebhookDryRun: {
            readonly url: string;
            readonly events: readonly string[];
            readonly description: string | null;
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly decisions: readonly components["schemas"]["DecisionKind"][] | null;
            readonly enabled: boolean;
            /** @constant */
            readonly kind: "dry_run";
            readonly dry_run: boolean;
        };
        /** @description Sent when the service disabled an endpoint of webhooks that answered 410 or failed for five days. */
        readonly WebhookEndpointDisabledEvent: {
            /** @description The same over retries and replays. Handle each id once. */
            readonly id: string;
            /**
             * @description The kind of the event.
             * @constant
             */
            readonly type: "webhook.endpoint_disabled";
            /**
             * Format: date-time
             * @description When it happened. Informational: clocks differ.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly timestamp: string;
            /** @description The organization. */
            readonly org_id: string;
            /**
             * Format: double
             * @description Grows when a member changes its meaning or goes away. New members may come at any time.
             * @constant
             */
            readonly schema_version: 1;
            /** @description The audit log that the event is made of. */
            readonly log_id: string;
            /**
             * Format: int64
             * @description Its place in this log. Of two events of a log, the later one has the greater number.
             */
            readonly sequence: number;
            readonly data: components["schemas"]["WebhookEndpointDisabledEventData"];
        };
        readonly WebhookEndpointDisabledEventData: {
            readonly webhook_id: string;
            /** @description Scheme, host and port of its address. */
            readonly origin: string;
            /** @description `gone`: it answered 410. `failed_for_too_long`: it failed for five days. */
            readonly disabled_reason: string | null;
        };
        /** @description How far an endpoint is, and how it fares. */
        readonly WebhookHealth: {
            /**
             * @description Suspended: after 20 failures in a row, one delivery a minute is tried.
             * @enum {string}
             */
            readonly state: "healthy" | "failing" | "suspended" | "disabled";
            /**
             * Format: int64
             * @description Attempts in a row that failed.
             */
            readonly failures: number;
            readonly last_success_at: string | null;
            readonly last_failure_at: string | null;
            /** @description When a suspended endpoint is tried again. */
            readonly next_probe_at: string | null;
            /**
             * Format: int64
             * @description Events that are not delivered yet, and not dead.
             */
            readonly pending: number;
            /** @description False: there are more, which were not counted. */
            readonly pending_is_complete: boolean;
            /** @description When the oldest of them happened. */
            readonly oldest_undelivered_at: string | null;
            /**
             * Format: int64
             * @description Deliveries that failed for good. A replay sends them again.
             */
            readonly dead: number;
            /**
             * Format: int64
             * @description Rows of the log that were gone before their events were sent.
             */
            readonly rows_lost: number;
        };
        /** @description A page of endpoints, newest first. */
        readonly WebhookPage: {
            readonly webhooks: readonly components["schemas"]["Webhook"][];
            /** @description Send it as `cursor` to get the next page. Null: the list ends here. */
            readonly next_cursor: string | null;
        };
        /** @description What is delivered again. */
        readonly WebhookReplay: {
            /**
             * Format: int64
             * @description Deliveries that are sent again, under the ids that they had.
             */
            readonly queued: number;
            /** @description Repeat the request with it as `cursor` for the rest. Null: everything was looked at. */
            readonly next_cursor: string | null;
        };
        /** @description What would be delivered again. Nothing is. */
        readonly WebhookReplayDryRun: {
            /**
             * Format: int64
             * @description Deliveries that would be sent again.
             */
            readonly queued: number;
            /** @description Repeat the request with it as `cursor` for the rest. Null: everything was looked at. */
            readonly next_cursor: string | null;
            readonly dry_run: boolean;
        };
        /** @description Which events are delivered again. */
        readonly WebhookReplayRequest: {
            /**
             * @description Events of this time or later.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly since: string;
            /**
             * @description Events before this time. Absent: up to now.
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly until?: string;
            /**
             * @description `dead`: only deliveries that failed for good.
             * @default all
             * @enum {string}
             */
            readonly status?: "all" | "dead";
            /** @description Where the replay before ended. Absent: at its beginning. */
            readonly cursor?: string;
        };
        /** @description Who is told what happens. */
        readonly WebhookRequest: {
            /** @description Where deliveries are sent. http:// is taken for addresses that SVC_OUTBOUND_ALLOW names. */
            readonly url: string;
            /** @description Kinds of events. `*` stands for every kind, also those of later versions. */
            readonly events: readonly string[];
            /**
             * @description What it is for.
             * @default null
             */
            readonly description?: string | null;
            /** @description Leaves out events that name another agent. Null: none. */
            readonly agents?: readonly string[] | null;
            /** @description Leaves out events that name another namespace. Null: none. */
            readonly namespaces?: readonly string[] | null;
            /** @description Only policy.decision events with one of these decisions. Null: all. */
            readonly decisions?: readonly components["schemas"]["DecisionKind"][] | null;
            /**
             * @description Whether it gets deliveries.
             * @default true
             */
            readonly enabled?: boolean;
        };
        readonly WebhookRotationRequest: {
            /**
             * Format: int64
             * @description Seconds until the new secret takes over. 0: at once, as after a theft.
             * @default 86400
             */
            readonly overlap_seconds?: number;
            /**
             * @description True: makes no secret, and lets the one of the last rotation take over now.
             * @default false
             */
            readonly activate?: boolean;
        };
        /** @description What the receiver answered to a sample. */
        readonly WebhookTest: {
            /** @description Whether the receiver confirmed it. */
            readonly delivered: boolean;
            readonly id: string;
            readonly event_id: string;
            /** @description The kind of the event. */
            readonly event: string;
            readonly latency_ms: number | null;
            /** @description Null: no answer came. */
            readonly response_status: number | null;
            /** @description How the answer began, as text: 1 KiB of it. */
            readonly response: string | null;
            /** @description Why it failed. Null: it did not. */
            readonly fault: string | null;
        };
        readonly WebhookTestRequest: {
            /** @description The kind of the sample. */
            readonly event?: string;
        };
        /** @description What is left out stays as it is. */
        readonly WebhookUpdate: {
            /** @description Where deliveries are sent. http:// is taken for addresses that SVC_OUTBOUND_ALLOW names. */
            readonly url?: string;
            /** @description Kinds of events. `*` stands for every kind, also those of later versions. */
            readonly events?: readonly string[];
            /** @description What it is for. */
            readonly description?: string | null;
            /** @description Leaves out events that name another agent. Null: none. */
            readonly agents?: readonly string[] | null;
            /** @description Leaves out events that name another namespace. Null: none. */
            readonly namespaces?: readonly string[] | null;
            /** @description Only policy.decision events with one of these decisions. Null: all. */
            readonly decisions?: readonly components["schemas"]["DecisionKind"][] | null;
            /** @description Whether it gets deliveries. */
            readonly enabled?: boolean;
        };
        /** @description An endpoint, and how it fares. */
        readonly WebhookWithHealth: {
            readonly id: string;
            readonly url: string;
            readonly events: readonly string[];
            readonly description: string | null;
            readonly agents: readonly string[] | null;
            readonly namespaces: readonly string[] | null;
            readonly decisions: readonly components["schemas"]["DecisionKind"][] | null;
            readonly enabled: boolean;
            readonly disabled_at: string | null;
            /** @description Who or what disabled it: an operator, an answer 410, or failures for five days. */
            readonly disabled_reason: string | null;
            /** @description When the next secret takes over. Until then both sign. Null: there is one secret. */
            readonly next_secret_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly created_at: string;
            readonly created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
            readonly health: components["schemas"]["WebhookHealth"];
        };
        /** @description The key of the request, and what it may do. */
        readonly WhoAmI: {
            /** @description How rows name the caller: the id of the key, or of the person. */
            readonly principal: string;
            /** @description Id of the key, or `anonymous` while authentication is off. */
            readonly key_id: string;
            /** @description Name of the key. Null while authentication is off. */
            readonly name: string | null;
            readonly org_id: string;
            readonly role: components["schemas"]["Role"];
            /** @description What the key may do. */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** @description The only agents that the key may act for. Null: every agent. */
            readonly agents: readonly string[] | null;
            /** @description The only namespaces that the key may act in. Null: every namespace. */
            readonly namespaces: readonly string[] | null;
            /** @description Null: it does not expire. */
            readonly expires_at: string | null;
            /** @description Whom an identity provider named. Null for other keys. */
            readonly identity: components["schemas"]["KeyIdentity"] | null;
            readonly server_version: string;
        };
        /** @description Why the change is made. */
        readonly WhyRequest: {
            /**
             * @description Why. It goes into the history and into the audit log.
             * @default null
             */
            readonly why?: string | null;
        };
        /** @description A call that shows a finding. */
        readonly Witness: {
            /** @description As `calls` of a simulation takes it. */
            readonly call: components["schemas"]["WitnessCall"];
            /** @description What the policy answers to it, before mode and ceilings. */
            readonly decision: components["schemas"]["DecisionKind"];
        };
        readonly WitnessCall: {
            readonly agent_id: string;
            readonly session_id: string | null;
            readonly namespace: string;
            readonly tool: string;
            readonly args: Record<string, never>;
            readonly session: components["schemas"]["WitnessUsage"];
            /**
             * Format: date-time
             * @example 2026-11-22T09:41:07.123Z
             */
            readonly time: string;
        };
        readonly WitnessUsage: {
            /** Format: int64 */
            readonly steps: number;
            readonly cost_usd: string;
        };
        /** @description What the governance mode kept from taking effect. */
        readonly WouldBe: {
            readonly decision: components["schemas"]["RefusedDecision"];
            readonly reason: string;
            readonly reason_code: string;
            readonly rule_id: string | null;
        };
        readonly WouldBeCounts: {
            /** Format: int64 */
            readonly deny: number;
            /** Format: int64 */
            readonly pause: number;
        };
    };
    responses: {
        /** @description The body is not strict JSON. */
        readonly malformed_json: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-malformed_json",
                 *       "title": "The body is not strict JSON",
                 *       "status": 400,
                 *       "code": "malformed_json",
                 *       "detail": "The body is not strict JSON.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request does not have the expected form. */
        readonly invalid_request: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-invalid_request",
                 *       "title": "The request does not have the expected form",
                 *       "status": 400,
                 *       "code": "invalid_request",
                 *       "detail": "The request does not have the expected form.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A request header is malformed or repeated. */
        readonly invalid_header: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-invalid_header",
                 *       "title": "A request header is malformed or repeated",
                 *       "status": 400,
                 *       "code": "invalid_header",
                 *       "detail": "A request header is malformed or repeated.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request target or Host is malformed. */
        readonly invalid_target: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-invalid_target",
                 *       "title": "The request target or Host is malformed",
                 *       "status": 400,
                 *       "code": "invalid_target",
                 *       "detail": "The request target or Host is malformed.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A valid API key is required. */
        readonly unauthenticated: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-unauthenticated",
                 *       "title": "A valid API key is required",
                 *       "status": 401,
                 *       "code": "unauthenticated",
                 *       "detail": "A valid API key is required.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No trust rule admits the token. */
        readonly token_refused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-token_refused",
                 *       "title": "No trust rule admits the token",
                 *       "status": 401,
                 *       "code": "token_refused",
                 *       "detail": "No trust rule admits the token.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This key or client may not do that. */
        readonly forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-forbidden",
                 *       "title": "This key or client may not do that",
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "detail": "This key or client may not do that.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description X-Svc-Org-Id names another organization than the key. */
        readonly org_mismatch: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-org_mismatch",
                 *       "title": "X-Svc-Org-Id names another organization than the key",
                 *       "status": 403,
                 *       "code": "org_mismatch",
                 *       "detail": "X-Svc-Org-Id names another organization than the key.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Host header does not name this server. */
        readonly host_not_allowed: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-host_not_allowed",
                 *       "title": "The Host header does not name this server",
                 *       "status": 403,
                 *       "code": "host_not_allowed",
                 *       "detail": "The Host header does not name this server.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource does not exist. */
        readonly not_found: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-not_found",
                 *       "title": "The resource does not exist",
                 *       "status": 404,
                 *       "code": "not_found",
                 *       "detail": "The resource does not exist.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Method not allowed. */
        readonly method_not_allowed: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-method_not_allowed",
                 *       "title": "Method not allowed",
                 *       "status": 405,
                 *       "code": "method_not_allowed",
                 *       "detail": "Method not allowed.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request did not arrive in time. */
        readonly request_timeout: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-request_timeout",
                 *       "title": "The request did not arrive in time",
                 *       "status": 408,
                 *       "code": "request_timeout",
                 *       "detail": "The request did not arrive in time.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request conflicts with the present state. */
        readonly conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-conflict",
                 *       "title": "The request conflicts with the present state",
                 *       "status": 409,
                 *       "code": "conflict",
                 *       "detail": "The request conflicts with the present state.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The agent or namespace already has an active policy. */
        readonly agent_already_bound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-agent_already_bound",
                 *       "title": "The agent or namespace already has an active policy",
                 *       "status": 409,
                 *       "code": "agent_already_bound",
                 *       "detail": "The agent or namespace already has an active policy.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used with another body. */
        readonly idempotency_conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-idempotency_conflict",
                 *       "title": "The Idempotency-Key was used with another body",
                 *       "status": 409,
                 *       "code": "idempotency_conflict",
                 *       "detail": "The Idempotency-Key was used with another body.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The same request is being carried out. */
        readonly request_in_flight: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-request_in_flight",
                 *       "title": "The same request is being carried out",
                 *       "status": 409,
                 *       "code": "request_in_flight",
                 *       "detail": "The same request is being carried out.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is not known whether the same request was carried out. */
        readonly outcome_unknown: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-outcome_unknown",
                 *       "title": "It is not known whether the same request was carried out",
                 *       "status": 409,
                 *       "code": "outcome_unknown",
                 *       "detail": "It is not known whether the same request was carried out.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource has changed since it was read. */
        readonly version_moved: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-version_moved",
                 *       "title": "The resource has changed since it was read",
                 *       "status": 412,
                 *       "code": "version_moved",
                 *       "detail": "The resource has changed since it was read.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. */
        readonly body_too_large: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-body_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "code": "body_too_large",
                 *       "detail": "The body is too large.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The media type or content coding is not supported. */
        readonly unsupported_media_type: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-unsupported_media_type",
                 *       "title": "The media type or content coding is not supported",
                 *       "status": 415,
                 *       "code": "unsupported_media_type",
                 *       "detail": "The media type or content coding is not supported.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The policy document was refused. */
        readonly invalid_policy: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-invalid_policy",
                 *       "title": "The policy document was refused",
                 *       "status": 422,
                 *       "code": "invalid_policy",
                 *       "detail": "The policy document was refused.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used with another request. */
        readonly idempotency_key_reused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-idempotency_key_reused",
                 *       "title": "The Idempotency-Key was used with another request",
                 *       "status": 422,
                 *       "code": "idempotency_key_reused",
                 *       "detail": "The Idempotency-Key was used with another request.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request needs more work than one request may take. */
        readonly too_much_work: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-too_much_work",
                 *       "title": "The request needs more work than one request may take",
                 *       "status": 422,
                 *       "code": "too_much_work",
                 *       "detail": "The request needs more work than one request may take.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit of this organization is reached. */
        readonly limit_reached: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-limit_reached",
                 *       "title": "A limit of this organization is reached",
                 *       "status": 422,
                 *       "code": "limit_reached",
                 *       "detail": "A limit of this organization is reached.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request headers are too large. */
        readonly headers_too_large: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-headers_too_large",
                 *       "title": "The request headers are too large",
                 *       "status": 431,
                 *       "code": "headers_too_large",
                 *       "detail": "The request headers are too large.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This caller or agent has too much in flight. */
        readonly too_many_requests: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-too_many_requests",
                 *       "title": "This caller or agent has too much in flight",
                 *       "status": 429,
                 *       "code": "too_many_requests",
                 *       "detail": "This caller or agent has too much in flight.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server failed. */
        readonly internal_error: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-internal_error",
                 *       "title": "The server failed",
                 *       "status": 500,
                 *       "code": "internal_error",
                 *       "detail": "The server failed.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests are in flight. */
        readonly overloaded: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-overloaded",
                 *       "title": "Too many requests are in flight",
                 *       "status": 503,
                 *       "code": "overloaded",
                 *       "detail": "Too many requests are in flight.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The store is unavailable. */
        readonly unavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-unavailable",
                 *       "title": "The store is unavailable",
                 *       "status": 503,
                 *       "code": "unavailable",
                 *       "detail": "The store is unavailable.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The identity provider does not answer. */
        readonly issuer_unavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-issuer_unavailable",
                 *       "title": "The identity provider does not answer",
                 *       "status": 503,
                 *       "code": "issuer_unavailable",
                 *       "detail": "The identity provider does not answer.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Policy documents cannot be checked now. */
        readonly compiler_unavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/reasons#problem-compiler_unavailable",
                 *       "title": "Policy documents cannot be checked now",
                 *       "status": 503,
                 *       "code": "compiler_unavailable",
                 *       "detail": "Policy documents cannot be checked now.",
                 *       "request_id": "req_5d1f3c9a7b0e4826"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
        readonly IdempotencyKey: string;
        /**
         * @description The version that you have read, as its `ETag`. Another latest version refuses the change.
         * @example "3"
         */
        readonly IfMatch: string;
        /**
         * @description The `id` of the last event that was read. The stream goes on behind it.
         * @example gw_1f0c=42
         */
        readonly LastEventId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id that log lines about this request have. */
        readonly "X-Request-Id": string;
        /** @description The version of the policy. Send it back in `If-Match`. */
        readonly ETag: string;
        /** @description The next page of the list. */
        readonly Link: string;
        /** @description Where the new resource is read. */
        readonly Location: string;
        /** @description How long the answer waited at most, of what `Prefer` asked for. */
        readonly "Preference-Applied": string;
        /** @description Seconds after which the request may be sent again. */
        readonly "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly executeCall: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "agent_id": "demo-agent",
                 *       "session_id": "s-1",
                 *       "tool": "payments.refund",
                 *       "args": {
                 *         "amount": 20
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        readonly responses: {
            /** @description The verdict. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision": "allow",
                     *       "decision_id": "gw_1f0c.7",
                     *       "policy_id": "demo",
                     *       "policy_version": 1,
                     *       "mode": "enforcement",
                     *       "args_constrained": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Verdict"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["idempotency_conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly reportOutcome: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "decision_id": "gw_1f0c.7",
                 *       "status": "succeeded",
                 *       "duration_ms": 120
                 *     }
                 */
                readonly "application/json": components["schemas"]["OutcomeReport"];
            };
        };
        readonly responses: {
            /** @description The report is recorded. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recorded": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Recorded"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly followKillSwitches: {
        readonly parameters: {
            readonly query?: {
                /** @description The `revision` of the answer before. */
                readonly after?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What changed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "epoch": "epoch_9b1d",
                     *       "revision": 41,
                     *       "complete": false,
                     *       "kill_switches": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KillSwitchChanges"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly listKillSwitches: {
        readonly parameters: {
            readonly query?: {
                /** @description Which switches. */
                readonly status?: "active" | "inactive" | "all";
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of switches. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kill_switches": [
                     *         {
                     *           "kill_switch_id": "ks_4c2a",
                     *           "scope": "agent",
                     *           "target_id": "demo-agent",
                     *           "account_wide": false,
                     *           "auto_recovery": false,
                     *           "status": "active",
                     *           "reason": "it refunds the same payment again and again",
                     *           "activated_by": "alice@example.com",
                     *           "trigger_source": "api",
                     *           "activated_at": "2026-11-22T03:00:00.000Z",
                     *           "expires_at": null,
                     *           "ended_at": null,
                     *           "ended_by": null,
                     *           "end_reason": null,
                     *           "propagation_ms": 3,
                     *           "stops": "every call of agent demo-agent",
                     *           "remaining_seconds": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KillSwitchPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly activateKillSwitch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "scope": "agent",
                 *       "target_id": "demo-agent",
                 *       "reason": "it refunds the same payment again and again",
                 *       "activated_by": "alice@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillSwitchRequest"];
            };
        };
        readonly responses: {
            /** @description A switch on this target was active before, or this was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "activated",
                     *       "kill_switch_id": "ks_4c2a",
                     *       "scope": "agent",
                     *       "target_id": "demo-agent",
                     *       "account_wide": false,
                     *       "auto_recovery": false,
                     *       "status": "active",
                     *       "reason": "it refunds the same payment again and again",
                     *       "activated_by": "alice@example.com",
                     *       "trigger_source": "api",
                     *       "activated_at": "2026-11-22T03:00:00.000Z",
                     *       "expires_at": null,
                     *       "ended_at": null,
                     *       "ended_by": null,
                     *       "end_reason": null,
                     *       "propagation_ms": 3,
                     *       "stops": "every call of agent demo-agent",
                     *       "remaining_seconds": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true,
                     *       "extended": false,
                     *       "affected": {
                     *         "agents": [
                     *           "demo-agent"
                     *         ],
                     *         "sessions": [
                     *           "s-1"
                     *         ],
                     *         "complete": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KillSwitchAnswer"];
                };
            };
            /** @description The switch is active. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "activated",
                     *       "kill_switch_id": "ks_4c2a",
                     *       "scope": "agent",
                     *       "target_id": "demo-agent",
                     *       "account_wide": false,
                     *       "auto_recovery": false,
                     *       "status": "active",
                     *       "reason": "it refunds the same payment again and again",
                     *       "activated_by": "alice@example.com",
                     *       "trigger_source": "api",
                     *       "activated_at": "2026-11-22T03:00:00.000Z",
                     *       "expires_at": null,
                     *       "ended_at": null,
                     *       "ended_by": null,
                     *       "end_reason": null,
                     *       "propagation_ms": 3,
                     *       "stops": "every call of agent demo-agent",
                     *       "remaining_seconds": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true,
                     *       "extended": false,
                     *       "affected": {
                     *         "agents": [
                     *           "demo-agent"
                     *         ],
                     *         "sessions": [
                     *           "s-1"
                     *         ],
                     *         "complete": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ActivatedKillSwitch"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getKillSwitch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The switch. */
                readonly kill_switch_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The switch. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kill_switch_id": "ks_4c2a",
                     *       "scope": "agent",
                     *       "target_id": "demo-agent",
                     *       "account_wide": false,
                     *       "auto_recovery": false,
                     *       "status": "active",
                     *       "reason": "it refunds the same payment again and again",
                     *       "activated_by": "alice@example.com",
                     *       "trigger_source": "api",
                     *       "activated_at": "2026-11-22T03:00:00.000Z",
                     *       "expires_at": null,
                     *       "ended_at": null,
                     *       "ended_by": null,
                     *       "end_reason": null,
                     *       "propagation_ms": 3,
                     *       "stops": "every call of agent demo-agent",
                     *       "remaining_seconds": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KillSwitch"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deactivateKillSwitch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The switch. */
                readonly kill_switch_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "the loop is mended",
                 *       "deactivated_by": "alice@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillSwitchEndRequest"];
            };
        };
        readonly responses: {
            /** @description The switch has ended. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kill_switch_id": "ks_4c2a",
                     *       "scope": "agent",
                     *       "target_id": "demo-agent",
                     *       "account_wide": false,
                     *       "auto_recovery": false,
                     *       "status": "inactive",
                     *       "reason": "it refunds the same payment again and again",
                     *       "activated_by": "alice@example.com",
                     *       "trigger_source": "api",
                     *       "activated_at": "2026-11-22T03:00:00.000Z",
                     *       "expires_at": null,
                     *       "ended_at": "2026-11-22T03:20:00.000Z",
                     *       "ended_by": "alice@example.com",
                     *       "end_reason": "the loop is mended",
                     *       "propagation_ms": 3,
                     *       "stops": "nothing: it has ended",
                     *       "remaining_seconds": null,
                     *       "end_propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 1.9
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EndedKillSwitch"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getKillSwitchCertificate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The switch. */
                readonly kill_switch_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The certificate. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example svc-containment/ks_4c2a
                     *     {"account_wide":false,"activated_at":"2026-11-22T03:00:00.000Z",...}
                     *
                     *     — svc-audit XCqfPmq...
                     */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listPolicies: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
                /** @description Policies with these ids. Several values: separate them by commas. */
                readonly id?: string;
                /** @description Policies that are assigned to this namespace. */
                readonly namespace?: string;
                /** @description Policies that are assigned to this agent. */
                readonly agent?: string;
                /** @description Policies of this governance mode. */
                readonly mode?: components["schemas"]["GovernanceMode"];
                /** @description Only enabled policies, or only disabled ones. */
                readonly enabled?: "true" | "false";
                /** @description Only archived policies, only the others, or all. */
                readonly archived?: "true" | "false" | "all";
                /** @description A text in the id, the name or a label (`team=payments`), whatever its case. */
                readonly q?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of policies. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policies": [
                     *         {
                     *           "id": "demo",
                     *           "version": 2,
                     *           "enabled": true,
                     *           "archived": false,
                     *           "labels": {
                     *             "team": "payments"
                     *           },
                     *           "name": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "rolled_back_to": null,
                     *           "why": "refunds go through the till",
                     *           "mode": "enforcement"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createPolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Refuses a document that has warnings, too. */
                readonly strict?: boolean;
                /** @description Checks the document and stores nothing. */
                readonly dry_run?: boolean;
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A policy document, as docs/POLICY.md specifies it. */
        readonly requestBody: {
            readonly content: {
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/yaml": string;
                readonly "application/json": Record<string, never>;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/x-yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/x-yaml": string;
            };
        };
        readonly responses: {
            /** @description The document is valid. This was a dry run, and nothing was stored. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "dry_run",
                     *       "dry_run": true,
                     *       "id": "demo",
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyDryRun"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description The policy exists. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 1,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": 19,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 12
                     *         }
                     *       ],
                     *       "assignment": {
                     *         "id": "asg_77b0",
                     *         "policy_id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "namespace_id": null,
                     *         "created_at": "2026-11-22T09:00:00.000Z",
                     *         "created_by": "3f9c1e2a7b4d"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicy"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `gateways` and `note` say where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 1,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there.",
                     *       "assignment": {
                     *         "id": "asg_77b0",
                     *         "policy_id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "namespace_id": null,
                     *         "created_at": "2026-11-22T09:00:00.000Z",
                     *         "created_by": "3f9c1e2a7b4d"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicy"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. `agent_already_bound`: The agent or namespace already has an active policy. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. `invalid_policy`: The policy document was refused. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly getPolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The policy. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Policy"];
                    /**
                     * @example id: demo
                     *     agent_id: demo-agent
                     *     tools:
                     *       allowed: [payments.refund]
                     */
                    readonly "application/yaml": unknown;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly updatePolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Refuses a document that has warnings, too. */
                readonly strict?: boolean;
                /** @description Checks the document and stores nothing. */
                readonly dry_run?: boolean;
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /**
                 * @description The version that you have read, as its `ETag`. Another latest version refuses the change.
                 * @example "3"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        /** @description A policy document, as docs/POLICY.md specifies it. */
        readonly requestBody: {
            readonly content: {
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/yaml": string;
                readonly "application/json": Record<string, never>;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/x-yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/x-yaml": string;
            };
        };
        readonly responses: {
            /** @description The version is stored, or this was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": 19,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 12
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyAnswer"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `gateways` and `note` say where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there."
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicy"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `conflict`: The request conflicts with the present state. `agent_already_bound`: The agent or namespace already has an active policy. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 412: components["responses"]["version_moved"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["invalid_policy"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patchPolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "labels": {
                 *         "team": "payments",
                 *         "draft": null
                 *       },
                 *       "why": "handed over"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyPatch"];
            };
        };
        readonly responses: {
            /** @description The policy with its labels. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": false,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Policy"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getPolicyGateways: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Which gateways decide by it. `note` is absent when all of them do. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy_id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 12
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyInForce"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listPolicyVersions: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of versions. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "id": "demo",
                     *           "version": 2,
                     *           "name": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "rolled_back_to": null,
                     *           "why": "refunds go through the till"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyVersionPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getPolicyVersion: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
                /** @description The version. */
                readonly version: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The version. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": "refunds go through the till"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyVersion"];
                    /**
                     * @example id: demo
                     *     agent_id: demo-agent
                     *     tools:
                     *       allowed: [payments.refund]
                     */
                    readonly "application/yaml": unknown;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly rollbackPolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Refuses a document that has warnings, too. */
                readonly strict?: boolean;
                /** @description Checks the document and stores nothing. */
                readonly dry_run?: boolean;
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The version that you have read, as its `ETag`. Another latest version refuses the change.
                 * @example "3"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "target_version": 1
                 *     }
                 */
                readonly "application/json": components["schemas"]["RollbackRequest"];
            };
        };
        readonly responses: {
            /** @description The version is stored, or this was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 3,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": 1,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": 19,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 12
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyAnswer"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `gateways` and `note` say where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "warnings": [],
                     *       "kind": "changed",
                     *       "id": "demo",
                     *       "version": 3,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": 1,
                     *       "why": "refunds go through the till",
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there."
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicy"];
                    /** @example Policy demo is loaded as version 2: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 412: components["responses"]["version_moved"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. `invalid_policy`: The policy document was refused. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly enablePolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "why": "incident 4711"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WhyRequest"];
            };
        };
        readonly responses: {
            /** @description It is in force. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `note` says where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": true,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there."
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly disablePolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "why": "incident 4711"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WhyRequest"];
            };
        };
        readonly responses: {
            /** @description It is in force. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": false,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `note` says where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": false,
                     *       "archived": false,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there."
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly archivePolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description Why. It goes into the history and into the audit log. */
                readonly why?: string;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "why": "incident 4711"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WhyRequest"];
            };
        };
        readonly responses: {
            /** @description It is archived. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": false,
                     *       "archived": true,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description The change is stored, and not yet in force at every gateway: `note` says where. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "version": 2,
                     *       "enabled": false,
                     *       "archived": true,
                     *       "labels": {
                     *         "team": "payments"
                     *       },
                     *       "name": null,
                     *       "document": {
                     *         "id": "demo",
                     *         "agent_id": "demo-agent",
                     *         "tools": {
                     *           "allowed": [
                     *             "payments.refund"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "rolled_back_to": null,
                     *       "why": null,
                     *       "propagation_ms": null,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": null
                     *         }
                     *       ],
                     *       "note": "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there."
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MovedPolicy"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly diffPolicy: {
        readonly parameters: {
            readonly query?: {
                /** @description The earlier version. Absent: the one before `to`. */
                readonly from?: number;
                /** @description The later version. Absent: the latest. */
                readonly to?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What changed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy_id": "payments",
                     *       "from": 1,
                     *       "to": 2,
                     *       "identical": false,
                     *       "text_only": false,
                     *       "changes": [
                     *         {
                     *           "kind": "changed",
                     *           "section": "mode",
                     *           "path": "/governance_mode",
                     *           "before": "shadow",
                     *           "after": "enforcement"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyDiff"];
                    /** @example ~ /governance_mode: "shadow" -> "enforcement" */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly validatePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A policy document, as docs/POLICY.md specifies it. */
        readonly requestBody: {
            readonly content: {
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/yaml": string;
                readonly "application/json": Record<string, never>;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "application/x-yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/yaml": string;
                /**
                 * @example id: demo
                 *     agent_id: demo-agent
                 *     tools:
                 *       allowed: [payments.refund]
                 */
                readonly "text/x-yaml": string;
            };
        };
        readonly responses: {
            /** @description The document was read. It may be invalid. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "diagnostics": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyCheck"];
                    /** @example Valid: no findings. */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["invalid_policy"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly simulatePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "policy_id": "payments",
                 *       "calls": [
                 *         {
                 *           "agent_id": "payments-agent",
                 *           "tool": "payments.refund",
                 *           "args": {
                 *             "amount": 900
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicySimulationRequest"];
            };
        };
        readonly responses: {
            /** @description One result for each call. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy_id": "payments",
                     *       "policy_version": 2,
                     *       "results": [
                     *         {
                     *           "verdict": {
                     *             "decision": "pause",
                     *             "reason": "the rule large-refund requires approval of this call",
                     *             "reason_code": "approval_required",
                     *             "rule_id": "large-refund",
                     *             "kill_switch_id": null,
                     *             "would_be": null,
                     *             "args_constrained": false,
                     *             "shaped_args": null,
                     *             "cost_usd": "0.25"
                     *           },
                     *           "explanation": {
                     *             "decided_by": "rule",
                     *             "kill_switches": {
                     *               "checked": [
                     *                 "account",
                     *                 "namespace default",
                     *                 "agent payments-agent",
                     *                 "tool payments.refund"
                     *               ],
                     *               "matched": null
                     *             },
                     *             "denied": [],
                     *             "session": {
                     *               "needed": false,
                     *               "named": false
                     *             },
                     *             "rules": [
                     *               {
                     *                 "id": "large-refund",
                     *                 "priority": 10,
                     *                 "action": "require_approval",
                     *                 "tool": "payments.refund",
                     *                 "outcome": "matched",
                     *                 "why": "its conditions hold",
                     *                 "conditions": [
                     *                   {
                     *                     "field": "args.amount",
                     *                     "operator": ">",
                     *                     "expected": 500,
                     *                     "truth": "holds",
                     *                     "found": 900
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "allowed": [
                     *               "payments.*"
                     *             ],
                     *             "fail_closed": true,
                     *             "ceilings": {
                     *               "max_steps": null,
                     *               "max_usd_per_session": null
                     *             },
                     *             "mode": "enforcement"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicySimulation"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `invalid_policy`: The policy document was refused. `too_much_work`: The request needs more work than one request may take. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly listApprovals: {
        readonly parameters: {
            readonly query?: {
                /** @description Where they stand; usable: approved, and a call can still use the grant. Absent: all. */
                readonly status?: components["schemas"]["ApprovalFilter"];
                /** @description Whose calls. */
                readonly agent_id?: string;
                /** @description Of which session. */
                readonly session_id?: string;
                /** @description Calls of which tool. */
                readonly tool?: string;
                /** @description Which follow this workflow. */
                readonly workflow?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of approvals. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvals": [
                     *         {
                     *           "id": "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *           "status": "pending",
                     *           "approval_url": "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *           "org_id": "default",
                     *           "namespace": "default",
                     *           "agent_id": "payments-agent",
                     *           "session_id": "s-1",
                     *           "tool": "payments.refund",
                     *           "rule_id": "large-refunds",
                     *           "policy_id": "refunds",
                     *           "policy_version": 3,
                     *           "void_because": null,
                     *           "decision_id": "gw_1f0c.42",
                     *           "requested_by": "9d41c07be2aa",
                     *           "requested_at": "2026-11-22T09:00:00.000Z",
                     *           "expires_at": "2026-11-23T09:00:00.000Z",
                     *           "workflow": null,
                     *           "required": 1,
                     *           "scope": "session",
                     *           "covers": [],
                     *           "max_uses": 1,
                     *           "votes": [],
                     *           "resolved_at": null,
                     *           "resolved_by": null,
                     *           "resolution": null,
                     *           "grant": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalList"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getApproval: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The approval. */
                readonly approval_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The approval. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "status": "pending",
                     *       "approval_url": "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "org_id": "default",
                     *       "namespace": "default",
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-1",
                     *       "tool": "payments.refund",
                     *       "rule_id": "large-refunds",
                     *       "policy_id": "refunds",
                     *       "policy_version": 3,
                     *       "void_because": null,
                     *       "decision_id": "gw_1f0c.42",
                     *       "requested_by": "9d41c07be2aa",
                     *       "requested_at": "2026-11-22T09:00:00.000Z",
                     *       "expires_at": "2026-11-23T09:00:00.000Z",
                     *       "workflow": null,
                     *       "required": 1,
                     *       "scope": "session",
                     *       "covers": [],
                     *       "max_uses": 1,
                     *       "votes": [],
                     *       "resolved_at": null,
                     *       "resolved_by": null,
                     *       "resolution": null,
                     *       "grant": null,
                     *       "args": {
                     *         "amount": 900,
                     *         "currency": "EUR"
                     *       },
                     *       "args_masked": false,
                     *       "edited_args": null,
                     *       "call_digest": "hmac-sha256:8f3b...",
                     *       "reason": "the rule large-refunds requires approval of this call; the approval holds for this call in session s-1",
                     *       "suspended_because": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly approveCall: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The approval. */
                readonly approval_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "the customer called",
                 *       "args": {
                 *         "amount": 500,
                 *         "currency": "EUR"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApproveRequest"];
            };
        };
        readonly responses: {
            /** @description The approval now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "status": "approved",
                     *       "approval_url": "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "org_id": "default",
                     *       "namespace": "default",
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-1",
                     *       "tool": "payments.refund",
                     *       "rule_id": "large-refunds",
                     *       "policy_id": "refunds",
                     *       "policy_version": 3,
                     *       "void_because": null,
                     *       "decision_id": "gw_1f0c.42",
                     *       "requested_by": "9d41c07be2aa",
                     *       "requested_at": "2026-11-22T09:00:00.000Z",
                     *       "expires_at": "2026-11-23T09:00:00.000Z",
                     *       "workflow": null,
                     *       "required": 1,
                     *       "scope": "session",
                     *       "covers": [],
                     *       "max_uses": 1,
                     *       "votes": [
                     *         {
                     *           "decision": "approve",
                     *           "reason": "the customer called",
                     *           "by": "3f9c1e2a7b4d",
                     *           "at": "2026-11-22T09:05:00.000Z"
                     *         }
                     *       ],
                     *       "resolved_at": "2026-11-22T09:05:00.000Z",
                     *       "resolved_by": "3f9c1e2a7b4d",
                     *       "resolution": "the customer called",
                     *       "grant": {
                     *         "expires_at": "2026-11-22T10:05:00.000Z",
                     *         "uses": 0,
                     *         "used_by": null,
                     *         "used_at": null,
                     *         "revoked": null
                     *       },
                     *       "args": {
                     *         "amount": 900,
                     *         "currency": "EUR"
                     *       },
                     *       "args_masked": false,
                     *       "edited_args": {
                     *         "amount": 500,
                     *         "currency": "EUR"
                     *       },
                     *       "call_digest": "hmac-sha256:8f3b...",
                     *       "reason": "the rule large-refunds requires approval of this call; the approval holds for this call in session s-1",
                     *       "suspended_because": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly denyApproval: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The approval. */
                readonly approval_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "the amount is wrong"
                 *     }
                 */
                readonly "application/json": components["schemas"]["RefuseApprovalRequest"];
            };
        };
        readonly responses: {
            /** @description The approval now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "status": "denied",
                     *       "approval_url": "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "org_id": "default",
                     *       "namespace": "default",
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-1",
                     *       "tool": "payments.refund",
                     *       "rule_id": "large-refunds",
                     *       "policy_id": "refunds",
                     *       "policy_version": 3,
                     *       "void_because": null,
                     *       "decision_id": "gw_1f0c.42",
                     *       "requested_by": "9d41c07be2aa",
                     *       "requested_at": "2026-11-22T09:00:00.000Z",
                     *       "expires_at": "2026-11-23T09:00:00.000Z",
                     *       "workflow": null,
                     *       "required": 1,
                     *       "scope": "session",
                     *       "covers": [],
                     *       "max_uses": 1,
                     *       "votes": [
                     *         {
                     *           "decision": "deny",
                     *           "reason": "the amount is wrong",
                     *           "by": "3f9c1e2a7b4d",
                     *           "at": "2026-11-22T09:05:00.000Z"
                     *         }
                     *       ],
                     *       "resolved_at": "2026-11-22T09:05:00.000Z",
                     *       "resolved_by": "3f9c1e2a7b4d",
                     *       "resolution": "the amount is wrong",
                     *       "grant": null,
                     *       "args": {
                     *         "amount": 900,
                     *         "currency": "EUR"
                     *       },
                     *       "args_masked": false,
                     *       "edited_args": null,
                     *       "call_digest": "hmac-sha256:8f3b...",
                     *       "reason": "the rule large-refunds requires approval of this call; the approval holds for this call in session s-1",
                     *       "suspended_because": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly cancelApproval: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The approval. */
                readonly approval_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "not needed any more"
                 *     }
                 */
                readonly "application/json": components["schemas"]["RefuseApprovalRequest"];
            };
        };
        readonly responses: {
            /** @description The approval now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "status": "cancelled",
                     *       "approval_url": "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
                     *       "org_id": "default",
                     *       "namespace": "default",
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-1",
                     *       "tool": "payments.refund",
                     *       "rule_id": "large-refunds",
                     *       "policy_id": "refunds",
                     *       "policy_version": 3,
                     *       "void_because": null,
                     *       "decision_id": "gw_1f0c.42",
                     *       "requested_by": "9d41c07be2aa",
                     *       "requested_at": "2026-11-22T09:00:00.000Z",
                     *       "expires_at": "2026-11-23T09:00:00.000Z",
                     *       "workflow": null,
                     *       "required": 1,
                     *       "scope": "session",
                     *       "covers": [],
                     *       "max_uses": 1,
                     *       "votes": [],
                     *       "resolved_at": "2026-11-22T09:05:00.000Z",
                     *       "resolved_by": "3f9c1e2a7b4d",
                     *       "resolution": "not needed any more",
                     *       "grant": null,
                     *       "args": {
                     *         "amount": 900,
                     *         "currency": "EUR"
                     *       },
                     *       "args_masked": false,
                     *       "edited_args": null,
                     *       "call_digest": "hmac-sha256:8f3b...",
                     *       "reason": "the rule large-refunds requires approval of this call; the approval holds for this call in session s-1",
                     *       "suspended_because": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listHeldCalls: {
        readonly parameters: {
            readonly query?: {
                /** @description Where they stand. Absent: all. */
                readonly status?: components["schemas"]["HeldCallStatus"];
                /** @description Whose calls. */
                readonly agent_id?: string;
                /** @description Of which session. */
                readonly session_id?: string;
                /** @description Calls of which tool. */
                readonly tool?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of held calls. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "held_calls": [
                     *         {
                     *           "id": "hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
                     *           "status": "held",
                     *           "approval_url": "https://svc.example.com/approvals/hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
                     *           "org_id": "default",
                     *           "namespace": "default",
                     *           "agent_id": "payments-agent",
                     *           "session_id": "s-1",
                     *           "tool": "payments.refund",
                     *           "decision_id": "gw_1f0c.42",
                     *           "requested_by": "9d41c07be2aa",
                     *           "held_at": "2026-11-22T09:00:00.000Z",
                     *           "expires_at": "2026-11-23T09:00:00.000Z",
                     *           "ended_at": null,
                     *           "ended_by": null,
                     *           "end_reason": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["HeldCallList"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getHeldCall: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The held call. */
                readonly held_call_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The held call. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
                     *       "status": "held",
                     *       "approval_url": "https://svc.example.com/approvals/hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
                     *       "org_id": "default",
                     *       "namespace": "default",
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-1",
                     *       "tool": "payments.refund",
                     *       "decision_id": "gw_1f0c.42",
                     *       "requested_by": "9d41c07be2aa",
                     *       "held_at": "2026-11-22T09:00:00.000Z",
                     *       "expires_at": "2026-11-23T09:00:00.000Z",
                     *       "ended_at": null,
                     *       "ended_by": null,
                     *       "end_reason": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["HeldCall"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listApprovalWorkflows: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of workflows. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval_workflows": [
                     *         {
                     *           "id": "finance",
                     *           "version": 1,
                     *           "name": "Two from finance",
                     *           "required": 2,
                     *           "approvers": {
                     *             "roles": [
                     *               "approver"
                     *             ],
                     *             "keys": null
                     *           },
                     *           "expires_in_seconds": 3600,
                     *           "channels": [],
                     *           "on_expiry": "deny",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalWorkflowPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createApprovalWorkflow: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "finance",
                 *       "required": 2,
                 *       "approvers": {
                 *         "roles": [
                 *           "approver"
                 *         ]
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApprovalWorkflowRequest"];
            };
        };
        readonly responses: {
            /** @description It is created. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "finance",
                     *       "version": 1,
                     *       "name": "Two from finance",
                     *       "required": 2,
                     *       "approvers": {
                     *         "roles": [
                     *           "approver"
                     *         ],
                     *         "keys": null
                     *       },
                     *       "expires_in_seconds": 3600,
                     *       "channels": [],
                     *       "on_expiry": "deny",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalWorkflow"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getApprovalWorkflow: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The workflow. */
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The workflow. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "finance",
                     *       "version": 1,
                     *       "name": "Two from finance",
                     *       "required": 2,
                     *       "approvers": {
                     *         "roles": [
                     *           "approver"
                     *         ],
                     *         "keys": null
                     *       },
                     *       "expires_in_seconds": 3600,
                     *       "channels": [],
                     *       "on_expiry": "deny",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalWorkflow"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly putApprovalWorkflow: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The version that you have read, as its `ETag`. Another latest version refuses the change.
                 * @example "3"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /** @description The workflow. */
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "required": 1,
                 *       "approvers": {
                 *         "roles": [
                 *           "approver"
                 *         ]
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApprovalWorkflowUpdate"];
            };
        };
        readonly responses: {
            /** @description The workflow now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "finance",
                     *       "version": 1,
                     *       "name": "Two from finance",
                     *       "required": 2,
                     *       "approvers": {
                     *         "roles": [
                     *           "approver"
                     *         ],
                     *         "keys": null
                     *       },
                     *       "expires_in_seconds": 3600,
                     *       "channels": [],
                     *       "on_expiry": "deny",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalWorkflow"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 412: components["responses"]["version_moved"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteApprovalWorkflow: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The version that you have read, as its `ETag`. Another latest version refuses the change.
                 * @example "3"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /** @description The workflow. */
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "finance",
                     *       "version": 1,
                     *       "name": "Two from finance",
                     *       "required": 2,
                     *       "approvers": {
                     *         "roles": [
                     *           "approver"
                     *         ],
                     *         "keys": null
                     *       },
                     *       "expires_in_seconds": 3600,
                     *       "channels": [],
                     *       "on_expiry": "deny",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalWorkflow"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 409: components["responses"]["conflict"];
            readonly 412: components["responses"]["version_moved"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listAssignments: {
        readonly parameters: {
            readonly query?: {
                /** @description Only assignments of this policy. */
                readonly policy_id?: string;
                /** @description Only the assignment to this agent. */
                readonly agent_id?: string;
                /** @description Only the assignment to this namespace. */
                readonly namespace_id?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of assignments. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy_assignments": [
                     *         {
                     *           "id": "asg_77b0",
                     *           "policy_id": "demo",
                     *           "agent_id": "second-agent",
                     *           "namespace_id": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyAssignmentPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly assignPolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "policy_id": "demo",
                 *       "agent_id": "second-agent"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyAssignmentRequest"];
            };
        };
        readonly responses: {
            /** @description It was bound before. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "asg_77b0",
                     *       "policy_id": "demo",
                     *       "agent_id": "second-agent",
                     *       "namespace_id": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicyAssignment"];
                };
            };
            /** @description The policy is bound. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "asg_77b0",
                     *       "policy_id": "demo",
                     *       "agent_id": "second-agent",
                     *       "namespace_id": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicyAssignment"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. `agent_already_bound`: The agent or namespace already has an active policy. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAssignment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The assignment. */
                readonly assignment_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The assignment. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "asg_77b0",
                     *       "policy_id": "demo",
                     *       "agent_id": "second-agent",
                     *       "namespace_id": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyAssignment"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly unassignPolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The assignment. */
                readonly assignment_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "asg_77b0",
                     *       "policy_id": "demo",
                     *       "agent_id": "second-agent",
                     *       "namespace_id": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedPolicyAssignment"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listGateways: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The processes, by id. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "gateways": [
                     *         {
                     *           "id": "gw_5c2a9f3e1b7d",
                     *           "host": "node-1",
                     *           "version": "0.1.0",
                     *           "role": "all",
                     *           "started_at": "2026-11-22T09:00:00.000Z",
                     *           "applied_revision": 4711,
                     *           "lag": 0,
                     *           "lease_ends_at": "2026-11-22T09:41:08.407Z",
                     *           "last_seen_at": "2026-11-22T09:41:07.123Z",
                     *           "decisions_per_second": 312.4
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listAgents: {
        readonly parameters: {
            readonly query?: {
                /** @description Agents with these ids. Several values: separate them by commas. */
                readonly id?: string;
                /** @description Agents whose worst session has one of these severities. One or more of INFO, WARNING, CRITICAL, EMERGENCY. */
                readonly severity?: string;
                /** @description Agents with one of these statuses. One or more of registered, discovered, suspended, terminated. */
                readonly status?: string;
                /** @description Agents in these namespaces. Several values: separate them by commas. */
                readonly namespace?: string;
                /** @description Registered agents with this tag. */
                readonly tag?: string;
                /** @description A text in the id, the name or the provider, whatever its case. No character is a wildcard. */
                readonly q?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of agents. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "id": "billing-bot",
                     *           "name": "Billing",
                     *           "namespace": "payments",
                     *           "provider": "acme",
                     *           "tags": [
                     *             "prod"
                     *           ],
                     *           "capabilities": [
                     *             "refunds"
                     *           ],
                     *           "parent_agent_id": null,
                     *           "status": "registered",
                     *           "severity": "INFO",
                     *           "last_heartbeat": null,
                     *           "quarantine": null,
                     *           "first_seen": "2026-11-21T08:00:00.000Z",
                     *           "last_seen": "2026-11-22T09:00:00.000Z",
                     *           "registered_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AgentPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly registerAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "billing-bot",
                 *       "namespace": "payments",
                 *       "tags": [
                 *         "prod"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentRequest"];
            };
        };
        readonly responses: {
            /** @description It is registered. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": null,
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The agent. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": null,
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "the project has ended"
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentRemoval"];
            };
        };
        readonly responses: {
            /** @description It is no longer registered. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "removed": true,
                     *       "effect": "Agent billing-bot may call in any namespace that its key is not kept out of.",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RemovedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly updateAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "namespace": "payments-eu"
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        readonly responses: {
            /** @description It is changed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": null,
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly adoptAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "tags": [
                 *         "prod"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentAdoption"];
            };
        };
        readonly responses: {
            /** @description It is registered. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": null,
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listAgentSessions: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of sessions. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "session_id": "s-1",
                     *           "rows": 12,
                     *           "first_at": "2026-11-22T08:00:00.000Z",
                     *           "last_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "counted_all": true,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AgentSessionPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listBusyAgents: {
        readonly parameters: {
            readonly query?: {
                /** @description The start of the time: of the last 24 hours, widened to a whole minute. Absent: five minutes ago. */
                readonly since?: string;
                /** @description What is listed first. */
                readonly sort?: "calls" | "deny" | "pause" | "cost";
                /** @description Agents in the answer. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The busiest agents. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "since": "2026-11-22T09:36:00.000Z",
                     *       "until": "2026-11-22T09:41:07.500Z",
                     *       "before": "2026-11-22T08:36:00.000Z",
                     *       "known_since": "2026-11-01T07:00:00.000Z",
                     *       "agents": [
                     *         {
                     *           "agent_id": "refund-bot",
                     *           "namespace": "payments",
                     *           "calls": 1500,
                     *           "calls_per_minute": 292.68,
                     *           "deny": 40,
                     *           "pause": 0,
                     *           "cost_usd": "15",
                     *           "sessions": 2,
                     *           "busiest_minute": 1180,
                     *           "before": {
                     *             "calls": 60,
                     *             "calls_per_minute": 1,
                     *             "deny": 0,
                     *             "pause": 0,
                     *             "cost_usd": "0.6",
                     *             "sessions": 1
                     *           }
                     *         }
                     *       ],
                     *       "callers": 1,
                     *       "counted_all": true,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["BusyAgents"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAgentActivity: {
        readonly parameters: {
            readonly query?: {
                /** @description The start of the time. Absent: an hour before its end. */
                readonly since?: string;
                /** @description The end of the time, which is left out. Absent: now. */
                readonly until?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What the agent did. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "refund-bot",
                     *       "since": "2026-11-22T08:41:07.500Z",
                     *       "until": "2026-11-22T09:41:07.501Z",
                     *       "deny": 40,
                     *       "pause": 0,
                     *       "allow": 1460,
                     *       "withdrawn": 0,
                     *       "first_at": "2026-11-22T08:41:09.004Z",
                     *       "last_at": "2026-11-22T09:41:07.123Z",
                     *       "tools": [
                     *         {
                     *           "tool": "payments.refund",
                     *           "deny": 40,
                     *           "pause": 0,
                     *           "allow": 1460,
                     *           "withdrawn": 0,
                     *           "first_at": "2026-11-22T08:41:09.004Z",
                     *           "last_at": "2026-11-22T09:41:07.123Z"
                     *         }
                     *       ],
                     *       "tools_left_out": 0,
                     *       "sessions": [
                     *         {
                     *           "session_id": "s-81",
                     *           "deny": 40,
                     *           "pause": 0,
                     *           "allow": 1460,
                     *           "withdrawn": 0,
                     *           "first_at": "2026-11-22T08:41:09.004Z",
                     *           "last_at": "2026-11-22T09:41:07.123Z"
                     *         }
                     *       ],
                     *       "sessions_left_out": 0,
                     *       "verdicts": [
                     *         {
                     *           "decision": "deny",
                     *           "rule_id": "no-large-refunds",
                     *           "reason": "refund over 500 USD",
                     *           "reason_code": "rule",
                     *           "calls": 40,
                     *           "withdrawn": 0,
                     *           "first_at": "2026-11-22T08:41:09.004Z",
                     *           "last_at": "2026-11-22T09:41:07.123Z"
                     *         }
                     *       ],
                     *       "verdicts_left_out": 0,
                     *       "arguments": [
                     *         {
                     *           "tool": "payments.refund",
                     *           "decision": "allow",
                     *           "argument": "amount",
                     *           "values": 1460,
                     *           "sum": 73000,
                     *           "min": 20,
                     *           "max": 500
                     *         }
                     *       ],
                     *       "arguments_left_out": 0,
                     *       "samples": [
                     *         {
                     *           "decision_id": "gw_1f0c.41",
                     *           "time": "2026-11-22T09:41:07.123Z",
                     *           "tool": "payments.refund",
                     *           "session_id": "s-81",
                     *           "decision": "deny",
                     *           "withdrawn": false,
                     *           "reason": "refund over 500 USD",
                     *           "args": {
                     *             "amount": 900,
                     *             "order": "A-7"
                     *           }
                     *         }
                     *       ],
                     *       "read_calls": 1500,
                     *       "counted_all": true,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AgentActivity"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly quarantineAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "it reads customers that it has no case for",
                 *       "quarantined_by": "alice@example.com",
                 *       "ttl_seconds": 3600
                 *     }
                 */
                readonly "application/json": components["schemas"]["QuarantineRequest"];
            };
        };
        readonly responses: {
            /** @description The agent was in quarantine before, or this was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "quarantined",
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": {
                     *         "reason": "it reads customers that it has no case for",
                     *         "quarantined_by": "alice@example.com",
                     *         "quarantined_at": "2026-11-22T09:00:00.000Z",
                     *         "expires_at": "2026-11-22T10:00:00.000Z"
                     *       },
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true,
                     *       "propagation_ms": 3,
                     *       "extended": false,
                     *       "affected": {
                     *         "agents": [
                     *           "billing-bot"
                     *         ],
                     *         "sessions": [
                     *           "s-1"
                     *         ],
                     *         "complete": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["QuarantineAnswer"];
                };
            };
            /** @description The agent is in quarantine. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "quarantined",
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": {
                     *         "reason": "it reads customers that it has no case for",
                     *         "quarantined_by": "alice@example.com",
                     *         "quarantined_at": "2026-11-22T09:00:00.000Z",
                     *         "expires_at": "2026-11-22T10:00:00.000Z"
                     *       },
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true,
                     *       "propagation_ms": 3,
                     *       "extended": false,
                     *       "affected": {
                     *         "agents": [
                     *           "billing-bot"
                     *         ],
                     *         "sessions": [
                     *           "s-1"
                     *         ],
                     *         "complete": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["QuarantinedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly liftQuarantine: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "the case was there, under another name",
                 *       "lifted_by": "alice@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["QuarantineLift"];
            };
        };
        readonly responses: {
            /** @description The agent is not in quarantine. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "billing-bot",
                     *       "name": "Billing",
                     *       "namespace": "payments",
                     *       "provider": "acme",
                     *       "tags": [
                     *         "prod"
                     *       ],
                     *       "capabilities": [
                     *         "refunds"
                     *       ],
                     *       "parent_agent_id": null,
                     *       "status": "registered",
                     *       "severity": "INFO",
                     *       "last_heartbeat": null,
                     *       "quarantine": null,
                     *       "first_seen": "2026-11-21T08:00:00.000Z",
                     *       "last_seen": "2026-11-22T09:00:00.000Z",
                     *       "registered_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 2.4
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChangedAgent"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listAlerts: {
        readonly parameters: {
            readonly query?: {
                /** @description Where they stand. Absent: all. */
                readonly status?: components["schemas"]["AlertStatus"];
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of alerts. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alerts": [
                     *         {
                     *           "id": "alert_5c2a9f3e1b7d",
                     *           "condition": "agent_severity",
                     *           "severity": "critical",
                     *           "status": "open",
                     *           "subject": "refund-agent",
                     *           "agent_id": "refund-agent",
                     *           "summary": "The agent refund-agent has a session at CRITICAL.",
                     *           "details": {
                     *             "severity": "CRITICAL",
                     *             "sessions": 1,
                     *             "session_ids": [
                     *               "s-1"
                     *             ]
                     *           },
                     *           "opened_at": "2026-11-22T09:00:00.000Z",
                     *           "acknowledged_at": null,
                     *           "acknowledged_by": null,
                     *           "note": null,
                     *           "resolved_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AlertPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAlert: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The alert. */
                readonly alert_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The alert. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "alert_5c2a9f3e1b7d",
                     *       "condition": "agent_severity",
                     *       "severity": "critical",
                     *       "status": "open",
                     *       "subject": "refund-agent",
                     *       "agent_id": "refund-agent",
                     *       "summary": "The agent refund-agent has a session at CRITICAL.",
                     *       "details": {
                     *         "severity": "CRITICAL",
                     *         "sessions": 1,
                     *         "session_ids": [
                     *           "s-1"
                     *         ]
                     *       },
                     *       "opened_at": "2026-11-22T09:00:00.000Z",
                     *       "acknowledged_at": null,
                     *       "acknowledged_by": null,
                     *       "note": null,
                     *       "resolved_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly acknowledgeAlert: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The alert. */
                readonly alert_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "note": "I look at it."
                 *     }
                 */
                readonly "application/json": components["schemas"]["AlertAcknowledgement"];
            };
        };
        readonly responses: {
            /** @description The alert now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "alert_5c2a9f3e1b7d",
                     *       "condition": "agent_severity",
                     *       "severity": "critical",
                     *       "status": "acknowledged",
                     *       "subject": "refund-agent",
                     *       "agent_id": "refund-agent",
                     *       "summary": "The agent refund-agent has a session at CRITICAL.",
                     *       "details": {
                     *         "severity": "CRITICAL",
                     *         "sessions": 1,
                     *         "session_ids": [
                     *           "s-1"
                     *         ]
                     *       },
                     *       "opened_at": "2026-11-22T09:00:00.000Z",
                     *       "acknowledged_at": "2026-11-22T09:04:00.000Z",
                     *       "acknowledged_by": "3f9c1e2a7b4d",
                     *       "note": "I look at it.",
                     *       "resolved_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listNamespaces: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of namespaces. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespaces": [
                     *         {
                     *           "id": "prod",
                     *           "name": "Production",
                     *           "description": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NamespacePage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createNamespace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "prod",
                 *       "name": "Production"
                 *     }
                 */
                readonly "application/json": components["schemas"]["NamespaceRequest"];
            };
        };
        readonly responses: {
            /** @description It is created. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prod",
                     *       "name": "Production",
                     *       "description": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getNamespace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The namespace. */
                readonly namespace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The namespace. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prod",
                     *       "name": "Production",
                     *       "description": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteNamespace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The namespace. */
                readonly namespace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prod",
                     *       "name": "Production",
                     *       "description": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 409: components["responses"]["conflict"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly updateNamespace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The namespace. */
                readonly namespace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "description": "Everything that customers see"
                 *     }
                 */
                readonly "application/json": components["schemas"]["NamespaceUpdate"];
            };
        };
        readonly responses: {
            /** @description It is changed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prod",
                     *       "name": "Production",
                     *       "description": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getRogueDetection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The namespace. */
                readonly namespace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The settings. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespace_id": "prod",
                     *       "rogue_detection": {
                     *         "heartbeat": {
                     *           "interval_seconds": 15,
                     *           "warn_after_missed": 2,
                     *           "critical_after_missed": 4,
                     *           "emergency_after_missed": 8
                     *         },
                     *         "orphan_detection": {
                     *           "enabled": true,
                     *           "parent_check_interval_seconds": 15,
                     *           "grace_period_seconds": 60
                     *         },
                     *         "escalation": {
                     *           "auto_kill_on_emergency": true,
                     *           "notify_channels": [],
                     *           "audit_retention_days": 365
                     *         },
                     *         "coverage": {
                     *           "outcomes_expected": false,
                     *           "outcome_within_seconds": 900,
                     *           "missing_outcomes": 5,
                     *           "unallowed_runs": 1
                     *         },
                     *         "risk": {
                     *           "sensitive_tools": []
                     *         },
                     *         "behaviour": {
                     *           "repeated_calls": 20,
                     *           "denied_retries": 5,
                     *           "deny_storm": 30,
                     *           "rule_denies": 20,
                     *           "burst_factor": 10,
                     *           "new_tool_after_calls": 1000
                     *         }
                     *       },
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NamespaceRogueDetection"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly putRogueDetection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The namespace. */
                readonly namespace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "rogue_detection": {
                 *         "heartbeat": {
                 *           "interval_seconds": 5
                 *         }
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["RogueDetectionRequest"];
            };
        };
        readonly responses: {
            /** @description The settings now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespace_id": "prod",
                     *       "rogue_detection": {
                     *         "heartbeat": {
                     *           "interval_seconds": 15,
                     *           "warn_after_missed": 2,
                     *           "critical_after_missed": 4,
                     *           "emergency_after_missed": 8
                     *         },
                     *         "orphan_detection": {
                     *           "enabled": true,
                     *           "parent_check_interval_seconds": 15,
                     *           "grace_period_seconds": 60
                     *         },
                     *         "escalation": {
                     *           "auto_kill_on_emergency": true,
                     *           "notify_channels": [],
                     *           "audit_retention_days": 365
                     *         },
                     *         "coverage": {
                     *           "outcomes_expected": false,
                     *           "outcome_within_seconds": 900,
                     *           "missing_outcomes": 5,
                     *           "unallowed_runs": 1
                     *         },
                     *         "risk": {
                     *           "sensitive_tools": []
                     *         },
                     *         "behaviour": {
                     *           "repeated_calls": 20,
                     *           "denied_retries": 5,
                     *           "deny_storm": 30,
                     *           "rule_denies": 20,
                     *           "burst_factor": 10,
                     *           "new_tool_after_calls": 1000
                     *         }
                     *       },
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NamespaceRogueDetection"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly sendHeartbeat: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. It need not be registered. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "session_id": "run-42",
                 *       "parent_session_id": "run-41"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Heartbeat"];
            };
        };
        readonly responses: {
            /** @description The heartbeat counts. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "research-agent",
                     *       "session_id": "run-42",
                     *       "severity": "INFO",
                     *       "status": "operational",
                     *       "interval_seconds": 15,
                     *       "missed_heartbeats": 0,
                     *       "reauthenticate": false,
                     *       "ended": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SupervisionAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly reauthenticateAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent. It need not be registered. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "session_id": "run-42"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Reauthentication"];
            };
        };
        readonly responses: {
            /** @description It is noted. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "research-agent",
                     *       "session_id": "run-42",
                     *       "severity": "INFO",
                     *       "status": "operational",
                     *       "interval_seconds": 15,
                     *       "missed_heartbeats": 0,
                     *       "reauthenticate": false,
                     *       "ended": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SupervisionAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly reregisterAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The agent. It need not be registered. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "session_id": "run-42",
                 *       "reason": "The host was restarted.",
                 *       "reregistered_by": "ana@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Reregistration"];
            };
        };
        readonly responses: {
            /** @description The sessions are not terminated any more. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "research-agent",
                     *       "session_ids": [
                     *         "run-42"
                     *       ],
                     *       "ended_kill_switches": [],
                     *       "active_kill_switches": [
                     *         "ks_1f0c9a"
                     *       ],
                     *       "remaining": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Reregistered"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAgentHealth: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent. It need not be registered. */
                readonly agent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sessions of the agent, worst first. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "research-agent",
                     *       "session_id": "run-42",
                     *       "last_heartbeat": "2026-11-22T10:00:00.000Z",
                     *       "missed_heartbeats": 5,
                     *       "severity": "CRITICAL",
                     *       "status": "tool_calls_suspended",
                     *       "escalation_eta_seconds": 41,
                     *       "sessions": [
                     *         {
                     *           "agent_id": "research-agent",
                     *           "session_id": "run-42",
                     *           "last_heartbeat": "2026-11-22T10:00:00.000Z",
                     *           "missed_heartbeats": 5,
                     *           "severity": "CRITICAL",
                     *           "status": "tool_calls_suspended",
                     *           "escalation_eta_seconds": 41
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "quarantine": {
                     *         "reason": "It asks for customer data at night.",
                     *         "quarantined_by": "ana@example.com",
                     *         "quarantined_at": "2026-11-22T09:30:00.000Z",
                     *         "expires_at": null
                     *       },
                     *       "anomalies": [],
                     *       "coverage": {
                     *         "since": "2026-11-22T08:15:00.000Z",
                     *         "until": "2026-11-22T09:15:00.000Z",
                     *         "allows": 42,
                     *         "outcomes": 41,
                     *         "allows_without_outcome": 1,
                     *         "unreported_allows": 0,
                     *         "outcomes_without_decision": 0,
                     *         "complete": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AgentHealth"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listAuditRows: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows of these agents. Several values: separate them by commas. */
                readonly agent_id?: string;
                /** @description Rows of these sessions. Several values: separate them by commas. */
                readonly session_id?: string;
                /** @description Rows of calls of these tools. Several values: separate them by commas. */
                readonly tool?: string;
                /** @description Rows of these namespaces. Several values: separate them by commas. */
                readonly namespace?: string;
                /** @description Decisions of these rules. Several values: separate them by commas. */
                readonly rule_id?: string;
                /** @description Decisions of these policies, and changes of them. Several values: separate them by commas. */
                readonly policy_id?: string;
                /** @description Rows that these API keys caused, by id. Several values: separate them by commas. */
                readonly principal?: string;
                /** @description Rows of these approvals. Several values: separate them by commas. */
                readonly approval_id?: string;
                /** @description Rows of these kinds. One or more of decision, outcome, kill_switch, policy, namespace, key, approval, approval_workflow, retention, legal_hold, trust_rule, agent, severity, anomaly, alert, held_call, webhook, notification_channel, integration. */
                readonly kind?: string;
                /** @description Decisions with these outcomes. One or more of deny, pause, allow. */
                readonly decision?: string;
                /** @description Decisions that enforcement would have answered in these ways. One or more of deny, pause. */
                readonly would_be?: string;
                /** @description Rows of this time or later. */
                readonly since?: string;
                /** @description Rows before this time. */
                readonly until?: string;
                /** @description A text in the reason, whatever its case. No character is a wildcard. */
                readonly q?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "id": "gw_1f0c.41",
                     *           "log_id": "gw_1f0c",
                     *           "seq": 41,
                     *           "time": "2026-11-22T09:41:07.123Z",
                     *           "kind": "decision",
                     *           "hash": "5b1e4f0a9c",
                     *           "outcome": null,
                     *           "row": {
                     *             "v": 1,
                     *             "kind": "decision",
                     *             "time": "2026-11-22T09:41:07.123Z",
                     *             "org": "default",
                     *             "principal": "9d41c07be2aa",
                     *             "agent_id": "payments-agent",
                     *             "session_id": "s-81",
                     *             "tool": "payments.refund",
                     *             "decision": "deny",
                     *             "reason": "refund over 500 USD",
                     *             "rule_id": "no-large-refunds",
                     *             "policy_id": "refunds",
                     *             "policy_version": 3
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "searched_back_to": null,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getAuditRow: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description `<log id>.<sequence number>`, as lists answer it in `id`. */
                readonly row_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The row. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "gw_1f0c.41",
                     *       "log_id": "gw_1f0c",
                     *       "seq": 41,
                     *       "time": "2026-11-22T09:41:07.123Z",
                     *       "kind": "decision",
                     *       "hash": "5b1e4f0a9c",
                     *       "outcome": null,
                     *       "row": {
                     *         "v": 1,
                     *         "kind": "decision",
                     *         "time": "2026-11-22T09:41:07.123Z",
                     *         "org": "default",
                     *         "principal": "9d41c07be2aa",
                     *         "agent_id": "payments-agent",
                     *         "session_id": "s-81",
                     *         "tool": "payments.refund",
                     *         "decision": "deny",
                     *         "reason": "refund over 500 USD",
                     *         "rule_id": "no-large-refunds",
                     *         "policy_id": "refunds",
                     *         "policy_version": 3
                     *       },
                     *       "prev_hash": "77d0c2e4b1",
                     *       "checkpoint": {
                     *         "log_id": "gw_1f0c",
                     *         "size": 48,
                     *         "note": "svc/gw_1f0c\n48\n...\n\n— svc-audit ...\n"
                     *       },
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AuditRowProof"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getDecision: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The `decision_id` of a verdict. */
                readonly decision_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The decision. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision_id": "gw_1f0c.41",
                     *       "time": "2026-11-22T09:41:07.123Z",
                     *       "hash": "5b1e4f0a9c",
                     *       "withdrawn": false,
                     *       "outcome": null,
                     *       "approval": null,
                     *       "row": {
                     *         "v": 1,
                     *         "kind": "decision",
                     *         "time": "2026-11-22T09:41:07.123Z",
                     *         "org": "default",
                     *         "principal": "9d41c07be2aa",
                     *         "agent_id": "payments-agent",
                     *         "session_id": "s-81",
                     *         "tool": "payments.refund",
                     *         "decision": "deny",
                     *         "reason": "refund over 500 USD",
                     *         "rule_id": "no-large-refunds",
                     *         "policy_id": "refunds",
                     *         "policy_version": 3
                     *       },
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getSession: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent. Other agents with a session of this name have their own. */
                readonly agent_id: string;
                /** @description The session. */
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The session, and a page of its rows. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "payments-agent",
                     *       "session_id": "s-81",
                     *       "first_at": "2026-11-22T09:40:01.004Z",
                     *       "last_at": "2026-11-22T09:41:07.123Z",
                     *       "usage": {
                     *         "steps": 3,
                     *         "cost_usd": "0.75"
                     *       },
                     *       "decisions": {
                     *         "deny": 1,
                     *         "pause": 0,
                     *         "allow": 3
                     *       },
                     *       "withdrawn": 0,
                     *       "without_outcome": 1,
                     *       "counted_rows": 6,
                     *       "counted_all": true,
                     *       "policies": [
                     *         {
                     *           "policy_id": "refunds",
                     *           "policy_version": 3,
                     *           "decisions": 4,
                     *           "first_at": "2026-11-22T09:40:01.004Z",
                     *           "last_at": "2026-11-22T09:41:07.123Z",
                     *           "ceilings": {
                     *             "max_steps": 40,
                     *             "max_usd_per_session": "5"
                     *           }
                     *         }
                     *       ],
                     *       "kill_switches": [],
                     *       "switch_rows": [],
                     *       "rows": [
                     *         {
                     *           "id": "gw_1f0c.41",
                     *           "log_id": "gw_1f0c",
                     *           "seq": 41,
                     *           "time": "2026-11-22T09:41:07.123Z",
                     *           "kind": "decision",
                     *           "hash": "5b1e4f0a9c",
                     *           "outcome": null,
                     *           "row": {
                     *             "v": 1,
                     *             "kind": "decision",
                     *             "time": "2026-11-22T09:41:07.123Z",
                     *             "org": "default",
                     *             "principal": "9d41c07be2aa",
                     *             "agent_id": "payments-agent",
                     *             "session_id": "s-81",
                     *             "tool": "payments.refund",
                     *             "decision": "deny",
                     *             "reason": "refund over 500 USD",
                     *             "rule_id": "no-large-refunds",
                     *             "policy_id": "refunds",
                     *             "policy_version": 3
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getPolicyReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The start of the report. Absent: seven days before its end. */
                readonly since?: string;
                /** @description The end of the report. Absent: now. At most 92 days after its start. */
                readonly until?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the policy. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy_id": "refunds",
                     *       "since": "2026-11-15T09:42:00.000Z",
                     *       "until": "2026-11-22T09:42:00.000Z",
                     *       "decisions": 1200,
                     *       "deny": 0,
                     *       "pause": 0,
                     *       "allow": 1200,
                     *       "withdrawn": 0,
                     *       "newly_denied": 14,
                     *       "newly_paused": 3,
                     *       "agents": 2,
                     *       "sessions": 81,
                     *       "versions": [
                     *         {
                     *           "policy_version": 3,
                     *           "decisions": 1200,
                     *           "deny": 0,
                     *           "pause": 0,
                     *           "allow": 1200,
                     *           "withdrawn": 0,
                     *           "newly_denied": 14,
                     *           "newly_paused": 3,
                     *           "agents": 2,
                     *           "sessions": 81
                     *         }
                     *       ],
                     *       "would_change": [
                     *         {
                     *           "policy_version": 3,
                     *           "mode": "shadow",
                     *           "decision": "allow",
                     *           "would_be": "deny",
                     *           "rule_id": null,
                     *           "would_be_rule_id": "no-large-refunds",
                     *           "tool": "payments.refund",
                     *           "count": 14,
                     *           "withdrawn": 0,
                     *           "examples": [
                     *             "gw_1f0c.41"
                     *           ]
                     *         }
                     *       ],
                     *       "groups": [
                     *         {
                     *           "policy_version": 3,
                     *           "mode": "shadow",
                     *           "decision": "allow",
                     *           "would_be": "deny",
                     *           "rule_id": null,
                     *           "would_be_rule_id": "no-large-refunds",
                     *           "tool": "payments.refund",
                     *           "count": 14,
                     *           "withdrawn": 0,
                     *           "examples": [
                     *             "gw_1f0c.41"
                     *           ]
                     *         }
                     *       ],
                     *       "groups_left_out": 0,
                     *       "indexed": {
                     *         "complete": true,
                     *         "behind": []
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyReport"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly exportAuditLog: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows of this time and later. */
                readonly since?: string;
                /** @description Rows before this time. */
                readonly until?: string;
                /** @description Rows that name this agent, and kill switches on it. */
                readonly agent_id?: string;
                /** @description Rows of this kind, such as `decision`. */
                readonly kind?: "decision" | "outcome" | "kill_switch" | "policy" | "namespace" | "key" | "approval" | "approval_workflow" | "retention" | "legal_hold" | "trust_rule" | "agent" | "severity" | "anomaly" | "alert" | "held_call" | "webhook" | "notification_channel" | "integration";
                /** @description `ocsf`: events of the Open Cybersecurity Schema Framework, which prove nothing. */
                readonly format?: "ndjson" | "ocsf";
                /** @description Rows of this log. Absent: of every log. */
                readonly log_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The log. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example {"log_id":"gw_1f0c","seq":0,"prev_hash":"...","row":"..."} */
                    readonly "application/x-ndjson": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listCheckpoints: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of checkpoints. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkpoints": [
                     *         {
                     *           "log_id": "gw_1f0c",
                     *           "size": 8,
                     *           "note": "svc/gw_1f0c\n8\n...\n\n— svc-audit ...\n"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CheckpointPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getVerifierKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         "svc-audit+5c2a9f3e+AVx0aGlzIGlzIGFuIGV4YW1wbGUgb2YgYSBrZXkh"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["VerifierKeys"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly explainDecision: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The `decision_id` of a verdict. */
                readonly decision_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The decision, explained. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision_id": "gw_1f0c.41",
                     *       "decided_by": "policy",
                     *       "summary": "Denied by policy payments version 2: the rule large-refund denies this call.",
                     *       "recorded": {
                     *         "decision": "deny",
                     *         "reason": "the rule large-refund denies this call",
                     *         "reason_code": "rule",
                     *         "rule_id": "large-refund",
                     *         "kill_switch_id": null,
                     *         "would_be": null,
                     *         "cost_usd": "0",
                     *         "time": "2026-11-22T09:41:07.123Z",
                     *         "agent_id": "payments-agent",
                     *         "session_id": "s-1",
                     *         "namespace": "default",
                     *         "tool": "payments.refund",
                     *         "mode": "enforcement",
                     *         "policy_id": "payments",
                     *         "policy_version": 2,
                     *         "approval_id": null,
                     *         "session_usage": null,
                     *         "fail_closed": false,
                     *         "masked": false
                     *       },
                     *       "withdrawn": false,
                     *       "repeated": null,
                     *       "agrees": true,
                     *       "doubts": [],
                     *       "evaluated": {
                     *         "decision": "deny",
                     *         "reason": "the rule large-refund denies this call",
                     *         "reason_code": "rule",
                     *         "rule_id": "large-refund",
                     *         "kill_switch_id": null,
                     *         "would_be": null,
                     *         "args_constrained": false,
                     *         "shaped_args": null,
                     *         "cost_usd": "0"
                     *       },
                     *       "kill_switches": {
                     *         "checked": [
                     *           "account",
                     *           "namespace default",
                     *           "agent payments-agent",
                     *           "session s-1",
                     *           "tool payments.refund"
                     *         ],
                     *         "active": []
                     *       },
                     *       "explanation": {
                     *         "decided_by": "rule",
                     *         "kill_switches": {
                     *           "checked": [],
                     *           "matched": null
                     *         },
                     *         "denied": [],
                     *         "session": {
                     *           "needed": false,
                     *           "named": true
                     *         },
                     *         "rules": [
                     *           {
                     *             "id": "large-refund",
                     *             "priority": 10,
                     *             "action": "deny",
                     *             "tool": "payments.refund",
                     *             "outcome": "matched",
                     *             "why": "its conditions hold",
                     *             "conditions": [
                     *               {
                     *                 "field": "args.amount",
                     *                 "operator": ">",
                     *                 "expected": 500,
                     *                 "truth": "holds",
                     *                 "found": 900
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "allowed": [
                     *           "payments.*"
                     *         ],
                     *         "fail_closed": true,
                     *         "ceilings": {
                     *           "max_steps": null,
                     *           "max_usd_per_session": null
                     *         },
                     *         "mode": "enforcement"
                     *       },
                     *       "counterfactual": {
                     *         "kind": "argument",
                     *         "rule_id": "large-refund",
                     *         "field": "args.amount",
                     *         "requirement": "args.amount <= 500",
                     *         "tried": 500,
                     *         "decision": "allow"
                     *       },
                     *       "no_counterfactual": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DecisionExplanation"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly streamEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Kinds of events: decision, outcome, kill_switch, policy, namespace, key, approval, approval_workflow, retention, legal_hold, trust_rule, agent, severity, anomaly, alert, held_call, webhook, notification_channel, integration. Several have a comma between two. Absent: all. */
                readonly kind?: string;
                /** @description Events about these agents. Several have a comma between two. Absent: all. */
                readonly agent_id?: string;
                /** @description Events about these namespaces. Several have a comma between two. Absent: all. */
                readonly namespace?: string;
                /** @description Decisions with these results, and their outcomes. Several have a comma between two. Absent: all. */
                readonly decision?: string;
            };
            readonly header?: {
                /**
                 * @description The `id` of the last event that was read. The stream goes on behind it.
                 * @example gw_1f0c=42
                 */
                readonly "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events, until either side ends the stream. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *     id: gw_1f0c=42
                     *
                     *     event: decision
                     *     id: gw_1f0c=43
                     *     data: {"id":"gw_1f0c.42","log_id":"gw_1f0c","seq":42,"kind":"decision","row":{"decision":"deny","agent_id":"agent-1"}}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly askGraphqlByUrl: {
        readonly parameters: {
            readonly query?: {
                /** @description A document of GraphQL that reads. */
                readonly query?: string;
                /** @description Which operation of the document to run. */
                readonly operationName?: string;
                /** @description Values of the variables of the operation, as JSON text. */
                readonly variables?: string;
                /** @description Clients may send it. It has no effect. */
                readonly extensions?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The answer. Fields that were refused are null, and `errors` says why. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "policies": {
                     *           "nodes": [
                     *             {
                     *               "id": "refunds",
                     *               "version": 3,
                     *               "mode": "ENFORCEMENT"
                     *             }
                     *           ],
                     *           "pageInfo": {
                     *             "endCursor": null,
                     *             "hasNextPage": false
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GraphqlAnswer"];
                    /** @example {"data":{"policies":{"nodes":[{"id":"refunds","version":3,"mode":"ENFORCEMENT"}],"pageInfo":{"endCursor":null,"hasNextPage":false}}}} */
                    readonly "application/graphql-response+json": string;
                };
            };
            /** @description The document, its variables or its cost were refused, in this form. A body that is not such a question is refused as a problem. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"nmae\" on type \"PolicyItem\". Did you mean \"name\"?",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 22
                     *             }
                     *           ],
                     *           "extensions": {
                     *             "code": "invalid_request"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GraphqlAnswer"];
                    /** @example {"errors":[{"message":"Cannot query field \"nmae\" on type \"PolicyItem\". Did you mean \"name\"?","locations":[{"line":1,"column":22}],"extensions":{"code":"invalid_request"}}]} */
                    readonly "application/graphql-response+json": string;
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly askGraphql: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "query": "{ policies(first: 2) { nodes { id version mode } pageInfo { endCursor hasNextPage } } }"
                 *     }
                 */
                readonly "application/json": components["schemas"]["GraphqlRequest"];
            };
        };
        readonly responses: {
            /** @description The answer. Fields that were refused are null, and `errors` says why. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "policies": {
                     *           "nodes": [
                     *             {
                     *               "id": "refunds",
                     *               "version": 3,
                     *               "mode": "ENFORCEMENT"
                     *             }
                     *           ],
                     *           "pageInfo": {
                     *             "endCursor": null,
                     *             "hasNextPage": false
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GraphqlAnswer"];
                    /** @example {"data":{"policies":{"nodes":[{"id":"refunds","version":3,"mode":"ENFORCEMENT"}],"pageInfo":{"endCursor":null,"hasNextPage":false}}}} */
                    readonly "application/graphql-response+json": string;
                };
            };
            /** @description The document, its variables or its cost were refused, in this form. A body that is not such a question is refused as a problem. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"nmae\" on type \"PolicyItem\". Did you mean \"name\"?",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 22
                     *             }
                     *           ],
                     *           "extensions": {
                     *             "code": "invalid_request"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GraphqlAnswer"];
                    /** @example {"errors":[{"message":"Cannot query field \"nmae\" on type \"PolicyItem\". Did you mean \"name\"?","locations":[{"line":1,"column":22}],"extensions":{"code":"invalid_request"}}]} */
                    readonly "application/graphql-response+json": string;
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `overloaded`: Too many requests are in flight. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly startReplay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The policy that governed the calls. */
                readonly policy_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "version": 3,
                 *       "since": "2026-11-15T00:00:00Z"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        readonly responses: {
            /** @description The replay waits or runs. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_3f0c",
                     *       "policy_id": "payments",
                     *       "candidate": {
                     *         "version": 3,
                     *         "document_digest": "sha256:9f2b",
                     *         "mode": "enforcement"
                     *       },
                     *       "base_version": null,
                     *       "since": "2026-11-15T00:00:00.000Z",
                     *       "until": "2026-11-22T00:00:00.000Z",
                     *       "agents": null,
                     *       "status": "queued",
                     *       "reason": null,
                     *       "progress": {
                     *         "rows_read": 0,
                     *         "rows_total": 48210
                     *       },
                     *       "created_at": "2026-11-22T09:41:07.123Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "ended_at": null,
                     *       "result": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. `invalid_policy`: The policy document was refused. `too_much_work`: The request needs more work than one request may take. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly proposePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "agent_id": "payments-agent",
                 *       "since": "2026-11-15T00:00:00Z"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyProposalRequest"];
            };
        };
        readonly responses: {
            /** @description The proposal. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "document": "id: \"payments\"\ntools:\n  allowed:\n    # 812 calls\n    - \"payments.refund\"\n",
                     *       "policy_id": "payments",
                     *       "grants": [
                     *         {
                     *           "tool": "payments.refund",
                     *           "calls": 812,
                     *           "last_use": "2026-11-22T09:41:07.123Z"
                     *         }
                     *       ],
                     *       "unused": [
                     *         {
                     *           "kind": "tools.allowed",
                     *           "entry": "mail.*"
                     *         }
                     *       ],
                     *       "left_out": [],
                     *       "warnings": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ProposedPolicy"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["too_much_work"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description `unavailable`: The store is unavailable. `compiler_unavailable`: Policy documents cannot be checked now. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly listReplays: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of replays. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replays": [
                     *         {
                     *           "id": "rpl_3f0c",
                     *           "policy_id": "payments",
                     *           "candidate": {
                     *             "version": 3,
                     *             "document_digest": "sha256:9f2b",
                     *             "mode": "enforcement"
                     *           },
                     *           "base_version": null,
                     *           "since": "2026-11-15T00:00:00.000Z",
                     *           "until": "2026-11-22T00:00:00.000Z",
                     *           "agents": null,
                     *           "status": "completed",
                     *           "reason": null,
                     *           "progress": {
                     *             "rows_read": 48210,
                     *             "rows_total": 48210
                     *           },
                     *           "created_at": "2026-11-22T09:41:07.123Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "ended_at": "2026-11-22T09:41:08.004Z",
                     *           "result": {
                     *             "calls": 47990,
                     *             "unchanged": 47800,
                     *             "newly_denied": 150,
                     *             "newly_allowed": 0,
                     *             "newly_paused": 20,
                     *             "newly_rewritten": 0,
                     *             "rewritten_otherwise": 0,
                     *             "masked": 310,
                     *             "undecided": {
                     *               "masked": 20,
                     *               "session": 0
                     *             },
                     *             "would_be": {
                     *               "deny": 0,
                     *               "pause": 0
                     *             },
                     *             "not_replayed": {
                     *               "kill_switch": 0,
                     *               "fault": 0,
                     *               "gateway": 0
                     *             },
                     *             "approvals_used": 2,
                     *             "sessions": 1204,
                     *             "outcomes_applied": 220,
                     *             "rows_removed": 0,
                     *             "groups": [
                     *               {
                     *                 "change": "newly_denied",
                     *                 "tool": "payments.refund",
                     *                 "rule_id": "large-refund",
                     *                 "reason_code": "rule",
                     *                 "was_rule_id": "ask-first",
                     *                 "was_reason_code": "approval_required",
                     *                 "count": 150,
                     *                 "examples": [
                     *                   "gw_1f0c.41"
                     *                 ]
                     *               }
                     *             ],
                     *             "groups_left_out": 0,
                     *             "digest": "sha256:77aa"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ReplayPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getReplay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The replay. */
                readonly replay_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The replay. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_3f0c",
                     *       "policy_id": "payments",
                     *       "candidate": {
                     *         "version": 3,
                     *         "document_digest": "sha256:9f2b",
                     *         "mode": "enforcement"
                     *       },
                     *       "base_version": null,
                     *       "since": "2026-11-15T00:00:00.000Z",
                     *       "until": "2026-11-22T00:00:00.000Z",
                     *       "agents": null,
                     *       "status": "completed",
                     *       "reason": null,
                     *       "progress": {
                     *         "rows_read": 48210,
                     *         "rows_total": 48210
                     *       },
                     *       "created_at": "2026-11-22T09:41:07.123Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "ended_at": "2026-11-22T09:41:08.004Z",
                     *       "result": {
                     *         "calls": 47990,
                     *         "unchanged": 47800,
                     *         "newly_denied": 150,
                     *         "newly_allowed": 0,
                     *         "newly_paused": 20,
                     *         "newly_rewritten": 0,
                     *         "rewritten_otherwise": 0,
                     *         "masked": 310,
                     *         "undecided": {
                     *           "masked": 20,
                     *           "session": 0
                     *         },
                     *         "would_be": {
                     *           "deny": 0,
                     *           "pause": 0
                     *         },
                     *         "not_replayed": {
                     *           "kill_switch": 0,
                     *           "fault": 0,
                     *           "gateway": 0
                     *         },
                     *         "approvals_used": 2,
                     *         "sessions": 1204,
                     *         "outcomes_applied": 220,
                     *         "rows_removed": 0,
                     *         "groups": [
                     *           {
                     *             "change": "newly_denied",
                     *             "tool": "payments.refund",
                     *             "rule_id": "large-refund",
                     *             "reason_code": "rule",
                     *             "was_rule_id": "ask-first",
                     *             "was_reason_code": "approval_required",
                     *             "count": 150,
                     *             "examples": [
                     *               "gw_1f0c.41"
                     *             ]
                     *           }
                     *         ],
                     *         "groups_left_out": 0,
                     *         "digest": "sha256:77aa"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly endReplay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The replay. */
                readonly replay_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it was left. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_3f0c",
                     *       "policy_id": "payments",
                     *       "candidate": {
                     *         "version": 3,
                     *         "document_digest": "sha256:9f2b",
                     *         "mode": "enforcement"
                     *       },
                     *       "base_version": null,
                     *       "since": "2026-11-15T00:00:00.000Z",
                     *       "until": "2026-11-22T00:00:00.000Z",
                     *       "agents": null,
                     *       "status": "cancelled",
                     *       "reason": null,
                     *       "progress": {
                     *         "rows_read": 0,
                     *         "rows_total": 48210
                     *       },
                     *       "created_at": "2026-11-22T09:41:07.123Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "ended_at": null,
                     *       "result": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listLegalHolds: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of legal holds. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "legal_holds": [
                     *         {
                     *           "id": "hold_5c2a9f3e1b7d",
                     *           "reason": "Case 4711",
                     *           "agent_id": "refund-bot",
                     *           "session_id": null,
                     *           "namespace": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "lifted_at": null,
                     *           "lifted_by": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["LegalHoldPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly placeLegalHold: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "reason": "Case 4711",
                 *       "agent_id": "refund-bot"
                 *     }
                 */
                readonly "application/json": components["schemas"]["LegalHoldRequest"];
            };
        };
        readonly responses: {
            /** @description It is in force. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hold_5c2a9f3e1b7d",
                     *       "reason": "Case 4711",
                     *       "agent_id": "refund-bot",
                     *       "session_id": null,
                     *       "namespace": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "lifted_at": null,
                     *       "lifted_by": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["LegalHold"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getLegalHold: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The legal hold. */
                readonly legal_hold_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The legal hold. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hold_5c2a9f3e1b7d",
                     *       "reason": "Case 4711",
                     *       "agent_id": "refund-bot",
                     *       "session_id": null,
                     *       "namespace": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "lifted_at": null,
                     *       "lifted_by": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["LegalHold"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly liftLegalHold: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The legal hold. */
                readonly legal_hold_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is lifted. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hold_5c2a9f3e1b7d",
                     *       "reason": "Case 4711",
                     *       "agent_id": "refund-bot",
                     *       "session_id": null,
                     *       "namespace": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "lifted_at": "2027-03-01T09:00:00.000Z",
                     *       "lifted_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["LegalHold"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description The organization. Only the bootstrap key may name another than its own. */
                readonly org_id?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of keys. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "9d41c07be2aa",
                     *           "name": "payments agent",
                     *           "org_id": "default",
                     *           "role": "agent",
                     *           "scopes": [
                     *             "call:execute",
                     *             "outcome:own"
                     *           ],
                     *           "agents": [
                     *             "payments-agent"
                     *           ],
                     *           "namespaces": null,
                     *           "origin": "managed",
                     *           "identity": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "revoked_by": null,
                     *           "secrets": [
                     *             {
                     *               "created_at": "2026-11-22T09:00:00.000Z",
                     *               "expires_at": null
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeyPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "payments agent",
                 *       "role": "agent",
                 *       "agents": [
                 *         "payments-agent"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["KeyRequest"];
            };
        };
        readonly responses: {
            /** @description The key is created, and accepted where a gateway has acknowledged. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "issued",
                     *       "key": "svc_9d41c07be2aa_<secret>",
                     *       "id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "origin": "managed",
                     *       "identity": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "revoked_by": null,
                     *       "secrets": [
                     *         {
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "expires_at": null
                     *         }
                     *       ],
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 1.9
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeyAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the key: the part between `svc_` and the next `_`. */
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "origin": "managed",
                     *       "identity": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "revoked_by": null,
                     *       "secrets": [
                     *         {
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "expires_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Key"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the key: the part between `svc_` and the next `_`. */
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key is revoked. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "origin": "managed",
                     *       "identity": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "expires_at": null,
                     *       "revoked_at": "2026-11-22T10:00:00.000Z",
                     *       "revoked_by": "3f9c1e2a7b4d",
                     *       "secrets": [],
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 1.9
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RevokedKey"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly rotateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The id of the key: the part between `svc_` and the next `_`. */
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                readonly "application/json": components["schemas"]["KeyRotationRequest"];
            };
        };
        readonly responses: {
            /** @description The key has a new secret. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "issued",
                     *       "key": "svc_9d41c07be2aa_<secret>",
                     *       "id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "origin": "managed",
                     *       "identity": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "revoked_by": null,
                     *       "secrets": [
                     *         {
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "expires_at": "2026-11-22T11:00:00.000Z"
                     *         },
                     *         {
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "expires_at": null
                     *         }
                     *       ],
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 1.9
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeyAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly endLogin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The login has ended. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "origin": "managed",
                     *       "identity": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "expires_at": null,
                     *       "revoked_at": "2026-11-22T10:00:00.000Z",
                     *       "revoked_by": "3f9c1e2a7b4d",
                     *       "secrets": [],
                     *       "propagation_ms": 4,
                     *       "gateways": [
                     *         {
                     *           "id": "gw_1f0c",
                     *           "acknowledged_ms": 1.9
                     *         }
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RevokedKey"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 409: components["responses"]["conflict"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly endLoginsOf: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description How rows name the person, such as `ada@login.example.com`, or subject and issuer as the provider writes them. One segment: `/` is `%2F`. */
                readonly person: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The logins have ended. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "person": "ada@login.example.com",
                     *       "key_ids": [
                     *         "9d41c07be2aa"
                     *       ],
                     *       "enforced": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EndedLogins"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly whoAmI: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key of the request. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "principal": "9d41c07be2aa",
                     *       "key_id": "9d41c07be2aa",
                     *       "name": "payments agent",
                     *       "org_id": "default",
                     *       "role": "agent",
                     *       "scopes": [
                     *         "call:execute",
                     *         "outcome:own"
                     *       ],
                     *       "agents": [
                     *         "payments-agent"
                     *       ],
                     *       "namespaces": null,
                     *       "expires_at": null,
                     *       "identity": null,
                     *       "server_version": "0.1.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WhoAmI"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listTrustRules: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of trust rules. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trust_rules": [
                     *         {
                     *           "id": "trust_5c2a9f3e1b7d",
                     *           "name": "deployments of acme",
                     *           "issuer": "https://token.actions.githubusercontent.com",
                     *           "audience": "https://svc.example.com",
                     *           "subject": "repo:acme/deployments:environment:production",
                     *           "role": "ci",
                     *           "jwks_uri": null,
                     *           "claims": null,
                     *           "agents": null,
                     *           "namespaces": null,
                     *           "environments": null,
                     *           "lifetime_seconds": 600,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "removed_at": null,
                     *           "removed_by": null,
                     *           "warnings": []
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TrustRulePage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createTrustRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "deployments of acme",
                 *       "issuer": "https://token.actions.githubusercontent.com",
                 *       "audience": "https://svc.example.com",
                 *       "subject": "repo:acme/deployments:environment:production",
                 *       "role": "ci"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TrustRuleRequest"];
            };
        };
        readonly responses: {
            /** @description It admits tokens. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "trust_5c2a9f3e1b7d",
                     *       "name": "deployments of acme",
                     *       "issuer": "https://token.actions.githubusercontent.com",
                     *       "audience": "https://svc.example.com",
                     *       "subject": "repo:acme/deployments:environment:production",
                     *       "role": "ci",
                     *       "jwks_uri": null,
                     *       "claims": null,
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "environments": null,
                     *       "lifetime_seconds": 600,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "removed_at": null,
                     *       "removed_by": null,
                     *       "warnings": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TrustRule"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getTrustRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The trust rule. */
                readonly trust_rule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The trust rule. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "trust_5c2a9f3e1b7d",
                     *       "name": "deployments of acme",
                     *       "issuer": "https://token.actions.githubusercontent.com",
                     *       "audience": "https://svc.example.com",
                     *       "subject": "repo:acme/deployments:environment:production",
                     *       "role": "ci",
                     *       "jwks_uri": null,
                     *       "claims": null,
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "environments": null,
                     *       "lifetime_seconds": 600,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "removed_at": null,
                     *       "removed_by": null,
                     *       "warnings": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TrustRule"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly removeTrustRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The trust rule. */
                readonly trust_rule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "trust_5c2a9f3e1b7d",
                     *       "name": "deployments of acme",
                     *       "issuer": "https://token.actions.githubusercontent.com",
                     *       "audience": "https://svc.example.com",
                     *       "subject": "repo:acme/deployments:environment:production",
                     *       "role": "ci",
                     *       "jwks_uri": null,
                     *       "claims": null,
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "environments": null,
                     *       "lifetime_seconds": 600,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "removed_at": "2027-03-01T09:00:00.000Z",
                     *       "removed_by": "3f9c1e2a7b4d",
                     *       "warnings": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TrustRule"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of webhooks. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "whk_5c2a9f3e1b7d",
                     *           "url": "https://hooks.example.com/svc",
                     *           "events": [
                     *             "killswitch.activated",
                     *             "approval.requested"
                     *           ],
                     *           "description": "the pager of operations",
                     *           "agents": null,
                     *           "namespaces": null,
                     *           "decisions": null,
                     *           "enabled": true,
                     *           "disabled_at": null,
                     *           "disabled_reason": null,
                     *           "next_secret_at": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Judges the request as ever, and registers nothing. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/svc",
                 *       "events": [
                 *         "killswitch.activated",
                 *         "approval.requested"
                 *       ],
                 *       "description": "the pager of operations"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        readonly responses: {
            /** @description It would get deliveries. This was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "dry_run",
                     *       "dry_run": true,
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookDryRun"];
                };
            };
            /** @description It gets deliveries. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "issued",
                     *       "id": "whk_5c2a9f3e1b7d",
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "next_secret_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d",
                     *       "secret": "whsec_<secret>"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The webhook. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_5c2a9f3e1b7d",
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "next_secret_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d",
                     *       "health": {
                     *         "state": "healthy",
                     *         "failures": 0,
                     *         "last_success_at": "2026-11-22T09:41:07.123Z",
                     *         "last_failure_at": null,
                     *         "next_probe_at": null,
                     *         "pending": 0,
                     *         "pending_is_complete": true,
                     *         "oldest_undelivered_at": null,
                     *         "dead": 0,
                     *         "rows_lost": 0
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookWithHealth"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_5c2a9f3e1b7d",
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "next_secret_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 409: components["responses"]["conflict"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        readonly responses: {
            /** @description It is changed. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_5c2a9f3e1b7d",
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "next_secret_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookRotationRequest"];
            };
        };
        readonly responses: {
            /** @description The webhook and its next secret. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "issued",
                     *       "id": "whk_5c2a9f3e1b7d",
                     *       "url": "https://hooks.example.com/svc",
                     *       "events": [
                     *         "killswitch.activated",
                     *         "approval.requested"
                     *       ],
                     *       "description": "the pager of operations",
                     *       "agents": null,
                     *       "namespaces": null,
                     *       "decisions": null,
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "next_secret_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d",
                     *       "secret": "whsec_<secret>"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "event": "policy.decision"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        readonly responses: {
            /** @description What the receiver answered. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "id": "dlv_9f86d081884c7d659a2feaa0c55ad015",
                     *       "event_id": "evt_test_5c2a",
                     *       "event": "policy.decision",
                     *       "latency_ms": 12,
                     *       "response_status": 204,
                     *       "response": "",
                     *       "fault": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Absent: every attempt. */
                readonly status?: components["schemas"]["DeliveryStatus"];
                /** @description Attempts of this time or later; of waiting and dead ones their events. */
                readonly since?: string;
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "dlv_9f86d081884c7d659a2feaa0c55ad015",
                     *           "event_id": "evt_gw_1f0c-42",
                     *           "event": "policy.decision",
                     *           "status": "failed",
                     *           "attempted_at": "2026-11-22T09:41:07.123Z",
                     *           "latency_ms": 31,
                     *           "response_status": 503,
                     *           "response": "try again later",
                     *           "fault": "the receiver answered 503",
                     *           "attempts": null,
                     *           "next_attempt_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly replayDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The delivery. */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is sent again. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly replayWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Counts them, and sends none. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "since": "2026-11-22T09:00:00.000Z"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        readonly responses: {
            /** @description They would be sent again. This was a dry run. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "queued": 42,
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookReplayDryRun"];
                };
            };
            /** @description They are sent again. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listNotificationChannels: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of channels. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "notification_channels": [
                     *         {
                     *           "id": "operations",
                     *           "kind": "slack",
                     *           "slack": "set",
                     *           "origin": "https://hooks.example.com",
                     *           "description": "the chat of operations",
                     *           "named": true,
                     *           "disabled_at": null,
                     *           "disabled_reason": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannelPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createNotificationChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "operations",
                 *       "slack": "https://hooks.example.com/services/T0/B0/k3v7",
                 *       "description": "the chat of operations"
                 *     }
                 */
                readonly "application/json": components["schemas"]["NotificationChannelRequest"];
            };
        };
        readonly responses: {
            /** @description Those who name it are told there. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "operations",
                     *       "kind": "slack",
                     *       "slack": "set",
                     *       "origin": "https://hooks.example.com",
                     *       "description": "the chat of operations",
                     *       "named": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getNotificationChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The channel. */
                readonly notification_channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The channel. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "operations",
                     *       "kind": "slack",
                     *       "slack": "set",
                     *       "origin": "https://hooks.example.com",
                     *       "description": "the chat of operations",
                     *       "named": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly putNotificationChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The channel. */
                readonly notification_channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "slack": "https://hooks.example.com/services/T0/B0/k3v7",
                 *       "description": "the chat of operations"
                 *     }
                 */
                readonly "application/json": components["schemas"]["NotificationChannelUpdate"];
            };
        };
        readonly responses: {
            /** @description The channel is as the request says. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "operations",
                     *       "kind": "slack",
                     *       "slack": "set",
                     *       "origin": "https://hooks.example.com",
                     *       "description": "the chat of operations",
                     *       "named": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteNotificationChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The channel. */
                readonly notification_channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is gone. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "operations",
                     *       "kind": "slack",
                     *       "slack": "set",
                     *       "origin": "https://hooks.example.com",
                     *       "description": "the chat of operations",
                     *       "named": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 409: components["responses"]["conflict"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly testNotificationChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The channel. */
                readonly notification_channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What became of the message. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "status": 200,
                     *       "fault": null,
                     *       "answer": "ok",
                     *       "latency_ms": 84
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NotificationChannelTest"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly listIntegrations: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on the page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Absent: the first page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of integrations. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "integrations": [
                     *         {
                     *           "id": "int_5c2a9f3e1b7d",
                     *           "name": "SIEM",
                     *           "description": null,
                     *           "kind": "siem_http",
                     *           "url": "https://siem.example.com/collector/raw",
                     *           "format": "ocsf",
                     *           "enabled": true,
                     *           "authorization": "set",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "created_by": "3f9c1e2a7b4d",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_by": "3f9c1e2a7b4d"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["IntegrationPage"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly createIntegration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "kind": "siem_http",
                 *       "name": "SIEM",
                 *       "url": "https://siem.example.com/collector/raw",
                 *       "format": "ocsf",
                 *       "authorization": "Bearer k3v7"
                 *     }
                 */
                readonly "application/json": components["schemas"]["IntegrationRequest"];
            };
        };
        readonly responses: {
            /** @description The integration. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "int_5c2a9f3e1b7d",
                     *       "name": "SIEM",
                     *       "description": null,
                     *       "kind": "siem_http",
                     *       "url": "https://siem.example.com/collector/raw",
                     *       "format": "ocsf",
                     *       "enabled": true,
                     *       "authorization": "set",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly getIntegration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The integration. */
                readonly integration_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The integration. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "int_5c2a9f3e1b7d",
                     *       "name": "SIEM",
                     *       "description": null,
                     *       "kind": "siem_http",
                     *       "url": "https://siem.example.com/collector/raw",
                     *       "format": "ocsf",
                     *       "enabled": true,
                     *       "authorization": "set",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d",
                     *       "health": {
                     *         "state": "healthy",
                     *         "failures": 0,
                     *         "failing_since": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-22T09:41:07.123Z",
                     *         "last_failure_at": null,
                     *         "next_attempt_at": null,
                     *         "rows_sent": 1204,
                     *         "rows_lost": 0,
                     *         "unsent": 0,
                     *         "unsent_is_complete": true,
                     *         "oldest_unsent_at": null,
                     *         "lag_seconds": 0
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["IntegrationWithHealth"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly deleteIntegration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The integration. */
                readonly integration_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is gone. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "int_5c2a9f3e1b7d",
                     *       "name": "SIEM",
                     *       "description": null,
                     *       "kind": "siem_http",
                     *       "url": "https://siem.example.com/collector/raw",
                     *       "format": "ocsf",
                     *       "enabled": true,
                     *       "authorization": "set",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 409: components["responses"]["conflict"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly updateIntegration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The integration. */
                readonly integration_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                readonly "application/json": components["schemas"]["IntegrationUpdate"];
            };
        };
        readonly responses: {
            /** @description The integration after the change. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "int_5c2a9f3e1b7d",
                     *       "name": "SIEM",
                     *       "description": null,
                     *       "kind": "siem_http",
                     *       "url": "https://siem.example.com/collector/raw",
                     *       "format": "ocsf",
                     *       "enabled": true,
                     *       "authorization": "set",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "created_by": "3f9c1e2a7b4d",
                     *       "updated_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_by": "3f9c1e2a7b4d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 409: components["responses"]["conflict"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly testIntegration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A name that you choose for this request. A repeat with the same name takes effect once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /** @description The integration. */
                readonly integration_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What became of the test. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "succeeded": true,
                     *       "status": 200,
                     *       "fault": null,
                     *       "answer": "ok",
                     *       "latency_ms": 84,
                     *       "facts": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["unauthenticated"];
            /** @description `org_mismatch`: X-Svc-Org-Id names another organization than the key. `host_not_allowed`: The Host header does not name this server. `forbidden`: This key or client may not do that. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 404: components["responses"]["not_found"];
            /** @description `request_in_flight`: The same request is being carried out. `outcome_unknown`: It is not known whether the same request was carried out. `conflict`: The request conflicts with the present state. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The Idempotency-Key was used with another request. `limit_reached`: A limit of this organization is reached. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["unavailable"];
        };
    };
    readonly exchangeToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                 *       "subject_token": "header.claims.signature"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TokenRequest"];
            };
        };
        readonly responses: {
            /** @description The key, which is shown this once. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "svc_4f1d2a9b7c3e5d60718293a4_<secret>",
                     *       "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
                     *       "token_type": "Bearer",
                     *       "expires_in": 600,
                     *       "expires_at": "2026-11-22T09:10:00.000Z",
                     *       "key_id": "4f1d2a9b7c3e5d60718293a4",
                     *       "org_id": "default",
                     *       "role": "ci",
                     *       "scope": "kill_switch:read policy:read policy:test",
                     *       "trust_rule_id": "trust_5c2a9f3e1b7d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ExchangedToken"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. `malformed_json`: The body is not strict JSON. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["token_refused"];
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 408: components["responses"]["request_timeout"];
            readonly 413: components["responses"]["body_too_large"];
            readonly 415: components["responses"]["unsupported_media_type"];
            readonly 422: components["responses"]["limit_reached"];
            readonly 429: components["responses"]["too_many_requests"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            readonly 503: components["responses"]["issuer_unavailable"];
        };
    };
    readonly getOpenApiYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The description. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example openapi: 3.1.0 */
                    readonly "application/yaml": unknown;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getOpenApiJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The description. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getOpenApi30Yaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The description. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example openapi: 3.0.3 */
                    readonly "application/yaml": unknown;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getGraphqlSchema: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The schema. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example type Query {
                     *       whoami: WhoAmI
                     *     }
                     */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly showDocs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    readonly "text/html": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly showReasons: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    readonly "text/html": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getDocsFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the file. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example  */
                    readonly "text/javascript": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 404: components["responses"]["not_found"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It answers. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getReadiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It can. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "control_state": "ok",
                     *       "policies": "ok",
                     *       "store": "ok"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
            /** @description It cannot, and denies calls. The members say what is missing. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not_ready",
                     *       "control_state": "ok",
                     *       "policies": "ok",
                     *       "store": "unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    readonly getMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The metrics. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example svc_decisions_total{decision="allow"} 7 */
                    readonly "text/plain": string;
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly getVersion: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The version. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "svc",
                     *       "version": "0.1.0",
                     *       "opa": "1.22.2"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ServerVersion"];
                };
            };
            /** @description `invalid_target`: The request target or Host is malformed. `invalid_header`: A request header is malformed or repeated. `invalid_request`: The request does not have the expected form. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 403: components["responses"]["host_not_allowed"];
            readonly 431: components["responses"]["headers_too_large"];
            readonly 500: components["responses"]["internal_error"];
        };
    };
    readonly onPolicyDecision: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "policy.decision",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "decision_id": "gw_1f0c.42",
                 *         "namespace": "default",
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "tool": "payments.refund",
                 *         "reason": "refunds above 1000 are not allowed",
                 *         "args": {
                 *           "amount": 5000
                 *         },
                 *         "args_omitted": false,
                 *         "rule_id": "large-refund",
                 *         "policy_id": "payments",
                 *         "policy_version": 3,
                 *         "decision": "deny",
                 *         "reason_code": "rule",
                 *         "mode": "enforcement",
                 *         "would_be": null,
                 *         "approval_id": null,
                 *         "fail_closed": false
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyDecisionEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onApprovalRequested: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "approval.requested",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "decision_id": "gw_1f0c.42",
                 *         "namespace": "default",
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "tool": "payments.refund",
                 *         "reason": "refunds above 100 need approval",
                 *         "args": {
                 *           "amount": 5000
                 *         },
                 *         "args_omitted": false,
                 *         "rule_id": "large-refund",
                 *         "policy_id": "payments",
                 *         "policy_version": 3,
                 *         "approval_id": "apr_5c2a"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApprovalRequestedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onApprovalResolved: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "approval.resolved",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "decision_id": "gw_1f0c.42",
                 *         "namespace": "default",
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "tool": "payments.refund",
                 *         "reason": "checked with the customer",
                 *         "approval_id": "apr_5c2a",
                 *         "resolution": "approved",
                 *         "resolved_by": "3f9c1e2a7b4d"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApprovalResolvedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onKillswitchActivated: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "killswitch.activated",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "kill_switch_id": "ks_77b0",
                 *         "scope": "agent",
                 *         "target_id": "refund-agent",
                 *         "account_wide": false,
                 *         "agent_id": "refund-agent",
                 *         "namespace": null,
                 *         "reason": "incident 7",
                 *         "trigger_source": "manual",
                 *         "expires_at": null,
                 *         "activated_by": "ana"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillswitchActivatedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onKillswitchExtended: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "killswitch.extended",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "kill_switch_id": "ks_77b0",
                 *         "scope": "agent",
                 *         "target_id": "refund-agent",
                 *         "account_wide": false,
                 *         "agent_id": "refund-agent",
                 *         "namespace": null,
                 *         "reason": "incident 7",
                 *         "trigger_source": "manual",
                 *         "expires_at": "2026-11-22T10:00:00.000Z",
                 *         "extended_by": "ana"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillswitchExtendedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onKillswitchDeactivated: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "killswitch.deactivated",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "kill_switch_id": "ks_77b0",
                 *         "scope": "agent",
                 *         "target_id": "refund-agent",
                 *         "account_wide": false,
                 *         "agent_id": "refund-agent",
                 *         "namespace": null,
                 *         "reason": "incident 7 is over",
                 *         "trigger_source": "manual",
                 *         "expires_at": null,
                 *         "deactivated_by": "ana"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillswitchDeactivatedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onKillswitchExpired: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "killswitch.expired",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "kill_switch_id": "ks_77b0",
                 *         "scope": "agent",
                 *         "target_id": "refund-agent",
                 *         "account_wide": false,
                 *         "agent_id": "refund-agent",
                 *         "namespace": null,
                 *         "reason": "the time to live ended at 2026-11-22T10:00:00.000Z",
                 *         "trigger_source": "ttl_expiry",
                 *         "expires_at": "2026-11-22T10:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["KillswitchExpiredEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAgentRegistered: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "agent.registered",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "agent_id": "refund-agent",
                 *         "namespace": "default",
                 *         "registration": {
                 *           "name": "Refunds",
                 *           "provider": null,
                 *           "tags": [],
                 *           "capabilities": [],
                 *           "parent_agent_id": null
                 *         },
                 *         "registration_omitted": false
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentRegisteredEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAgentSeverityChanged: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "agent.severity_changed",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "namespace": "default",
                 *         "previous_severity": "WARNING",
                 *         "severity": "CRITICAL",
                 *         "reason": "3 heartbeats are missing",
                 *         "trigger_source": "rogue_detection",
                 *         "missed_heartbeats": 3
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentSeverityChangedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAgentAnomaly: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "agent.anomaly",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "namespace": "default",
                 *         "anomaly": "tool_never_seen",
                 *         "explanation": "the agent called a tool for the first time",
                 *         "evidence": {
                 *           "tool": "payments.refund"
                 *         }
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentAnomalyEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAgentQuarantined: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "agent.quarantined",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "agent_id": "refund-agent",
                 *         "namespace": "default",
                 *         "reason": "incident 7",
                 *         "quarantined_by": "ana",
                 *         "trigger_source": "manual",
                 *         "expires_at": null
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AgentQuarantinedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPolicyVersionCreated: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "policy.version_created",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "policy_id": "payments",
                 *         "policy_version": 4,
                 *         "agent_id": "refund-agent",
                 *         "change": "updated",
                 *         "rolled_back_to": null,
                 *         "mode": "enforcement",
                 *         "document_digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *         "created_by": "3f9c1e2a7b4d",
                 *         "why": "refunds above 1000 need approval"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyVersionCreatedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPolicyViolations: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "policy.violations",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "agent_id": "refund-agent",
                 *         "session_id": "s-1",
                 *         "namespace": "default",
                 *         "explanation": "had 20 calls denied by large-refund within a minute",
                 *         "rule_id": "large-refund",
                 *         "count": 20,
                 *         "since": "2026-11-22T09:40:41.000Z",
                 *         "decision_ids": [
                 *           "gw_1f0c.42"
                 *         ]
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PolicyViolationsEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAlertOpened: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "alert.opened",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "alert_id": "alert_9d41",
                 *         "condition": "agent_severity",
                 *         "severity": "critical",
                 *         "subject": "refund-agent",
                 *         "agent_id": "refund-agent",
                 *         "summary": "The agent refund-agent has a session at CRITICAL.",
                 *         "details": {
                 *           "severity": "CRITICAL",
                 *           "sessions": 1,
                 *           "session_ids": [
                 *             "s-1"
                 *           ]
                 *         },
                 *         "opened_at": "2026-11-22T09:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AlertOpenedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onAlertResolved: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "alert.resolved",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "alert_id": "alert_9d41",
                 *         "condition": "agent_severity",
                 *         "severity": "critical",
                 *         "subject": "refund-agent",
                 *         "agent_id": "refund-agent",
                 *         "summary": "The agent refund-agent has a session at CRITICAL.",
                 *         "details": {
                 *           "severity": "CRITICAL",
                 *           "sessions": 1,
                 *           "session_ids": [
                 *             "s-1"
                 *           ]
                 *         },
                 *         "opened_at": "2026-11-22T09:00:00.000Z",
                 *         "resolved_at": "2026-11-22T09:41:07.123Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["AlertResolvedEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onWebhookEndpointDisabled: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_gw_1f0c-42",
                 *       "type": "webhook.endpoint_disabled",
                 *       "timestamp": "2026-11-22T09:41:07.123Z",
                 *       "org_id": "acme",
                 *       "schema_version": 1,
                 *       "log_id": "gw_1f0c",
                 *       "sequence": 42,
                 *       "data": {
                 *         "webhook_id": "whk_3a1e",
                 *         "origin": "https://hooks.example",
                 *         "disabled_reason": "gone"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        readonly responses: {
            /** @description It has arrived. After any other answer, or none in 15 s, it is sent again. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
