-- Asks svc-checkgw whether a request may pass: http-request lua.svc_check <address> <port>
-- Sets txn.svc_verdict and similar variables to what a refused client gets.
-- Sets txn.svc_allowed to true for exactly one answer: status 200, one X-Svc-Decision: allow, no
-- X-Svc-Shaping-Required. Everything else, an error of this script included, leaves it unset: denied.
-- HAProxy's own HTTP client is not used: it repeats a slow request, and that cannot be turned off.

-- Seconds for the whole check.
local TIMEOUT = 3

-- Largest number of header lines that are read of an answer.
local MAX_HEADER_LINES = 64

-- What a client gets when there is no verdict. The adapter sends its refusals as JSON in printable ASCII, so
-- nothing needs escaping.
local NO_VERDICT = '{"decision":"deny","reason":"No verdict was obtained for this request.","fail_closed":true}'

local function seconds()
    local now = core.now()
    return now.sec + now.usec / 1000000
end

-- A value with a line break is left out. The adapter then gets an incomplete question, which it denies.
local function line(name, value)
    if value == nil or value == "" or string.find(value, "[%c]") then
        return ""
    end
    return name .. ": " .. value .. "\r\n"
end

local function render(txn, address)
    return "GET /check HTTP/1.0\r\n"
        -- The adapter answers only requests to loopback names, unless SVC_CHECKGW_ALLOWED_HOSTS names others.
        .. line("Host", address)
        .. line("X-Svc-Agent-Id", txn:get_var("txn.svc_agent"))
        .. line("X-Svc-Tool", txn:get_var("txn.svc_tool"))
        .. line("X-Svc-Idempotency-Key", txn.f:uuid())
        .. line("X-Original-Method", txn.f:method())
        .. line("X-Original-Uri", txn.f:pathq())
        .. "\r\n"
end

-- The status and every header of the answer. Nil if the answer is not complete within the deadline.
local function read_answer(socket, deadline)
    local status = string.match(socket:receive("*l") or "", "^HTTP/1%.[01] (%d%d%d)")
    local headers = {}
    for _ = 1, MAX_HEADER_LINES do
        if status == nil or seconds() > deadline then
            return nil
        end
        local text = socket:receive("*l")
        if text == nil then
            return nil
        end
        text = string.gsub(text, "\r$", "")
        if text == "" then
            return status, headers
        end
        local name, value = string.match(text, "^([^:%s]+):%s*(.-)%s*$")
        if name == nil then
            return nil
        end
        name = string.lower(name)
        headers[name] = headers[name] and headers[name] .. ", " .. value or value
    end
    return nil
end

-- A variable that is set to nil reads as 0. A variable that is not set adds no header.
local function tell(txn, name, value)
    if value ~= nil then
        txn:set_var("txn." .. name, value)
    end
end

core.register_action("svc_check", { "http-req" }, function(txn, address, port)
    txn:set_var("txn.svc_refusal", "deny")
    txn:set_var("txn.svc_verdict", NO_VERDICT)
    local deadline = seconds() + TIMEOUT
    local socket = core.tcp()
    socket:settimeout(TIMEOUT)
    if not socket:connect(address, tonumber(port)) then
        return
    end
    socket:send(render(txn, address))
    local status, headers = read_answer(socket, deadline)
    socket:close()
    if status == nil then
        return
    end
    txn:set_var("txn.svc_refusal", headers["x-svc-decision"] == "pause" and "pause" or "deny")
    txn:set_var("txn.svc_verdict", headers["x-svc-verdict"] or NO_VERDICT)
    tell(txn, "svc_decision_id", headers["x-svc-decision-id"])
    tell(txn, "svc_reason", headers["x-svc-reason"])
    tell(txn, "svc_rule_id", headers["x-svc-rule-id"])
    tell(txn, "svc_approval_url", headers["x-svc-approval-url"])
    local allowed = status == "200" and headers["x-svc-decision"] == "allow"
    if allowed and headers["x-svc-shaping-required"] == nil then
        txn:set_var("txn.svc_allowed", true)
    end
end, 2)
