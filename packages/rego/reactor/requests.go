//go:build wasip1

package main

import (
	"encoding/json"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/version"
)

type request struct {
	Op     string          `json:"op"`
	Text   string          `json:"text"`
	Data   json.RawMessage `json:"data"`
	Schema json.RawMessage `json:"schema"`
	Handle int32           `json:"handle"`
	Input  json.RawMessage `json:"input"`
	Query  queryRequest    `json:"query"`
}

// problem is one thing that is wrong with a module.
type problem struct {
	// OPA's code, or one of ours: see shape.go.
	Code    string           `json:"code"`
	Message string           `json:"message"`
	Row     int              `json:"row"`
	Column  int              `json:"column"`
	Details ast.ErrorDetails `json:"details,omitempty"`
}

type response struct {
	// What the program could not do at all. Empty: it did.
	Error    string    `json:"error,omitempty"`
	Problems []problem `json:"problems,omitempty"`
	Rules    []string  `json:"rules,omitempty"`
	// The row of the first rule in the syntax before Rego v1, and the module in v1; 0: it is v1.
	OldSyntaxRow int           `json:"old_syntax_row,omitempty"`
	NewSyntax    string        `json:"new_syntax,omitempty"`
	Handle       int32         `json:"handle,omitempty"`
	Version      string        `json:"version,omitempty"`
	Builtins     []builtin     `json:"builtins,omitempty"`
	Explained    *explanation  `json:"explained,omitempty"`
	Result       *queryResults `json:"result,omitempty"`
}

func respond(r *request) *response {
	switch r.Op {
	case "version":
		return &response{Version: version.Version}
	case "builtins":
		return &response{Builtins: builtins()}
	case "check":
		c := check(r)
		answer := c.response()
		if answer.OldSyntaxRow > 0 {
			answer.NewSyntax = newSyntax(r.Text)
		}
		return answer
	case "prepare":
		return prepare(r)
	case "drop":
		delete(prepared, r.Handle)
		return &response{}
	case "explain":
		return explain(r)
	case "query":
		return &response{Result: query(&r.Query)}
	}
	return &response{Error: fmt.Sprintf("unknown operation %q", r.Op)}
}
