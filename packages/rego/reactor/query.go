//go:build wasip1

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// queryRequest is one of OPA's published cases. No policy is evaluated in this way.
type queryRequest struct {
	Modules     []string        `json:"modules"`
	Data        json.RawMessage `json:"data"`
	Query       string          `json:"query"`
	Input       json.RawMessage `json:"input"`
	InputTerm   string          `json:"input_term"`
	StrictError bool            `json:"strict_error"`
	IsV0        bool            `json:"is_v0"`
}

type queryResults struct {
	Bindings []rego.Vars `json:"bindings"`
	Code     string      `json:"code,omitempty"`
	Message  string      `json:"message,omitempty"`
}

func query(r *queryRequest) *queryResults {
	results, err := r.run()
	if err == nil {
		bindings := []rego.Vars{}
		for _, result := range results {
			bindings = append(bindings, result.Bindings)
		}
		return &queryResults{Bindings: bindings}
	}
	failed := &queryResults{Message: err.Error()}
	var evaluation *topdown.Error
	var several ast.Errors
	if errors.As(err, &evaluation) {
		failed.Code = evaluation.Code
	} else if errors.As(err, &several) && len(several) > 0 {
		failed.Code = several[0].Code
	}
	return failed
}

func (r *queryRequest) run() (rego.ResultSet, error) {
	version := ast.RegoV1
	if r.IsV0 {
		version = ast.RegoV0
	}
	store, err := storeOf(r.Data)
	if err != nil {
		return nil, err
	}
	options := []func(*rego.Rego){
		rego.Query(r.Query), rego.Store(store), rego.Capabilities(capabilitiesFor(version)),
		rego.StrictBuiltinErrors(r.StrictError), rego.SetRegoVersion(version),
	}
	for at, text := range r.Modules {
		options = append(options, rego.Module(fmt.Sprintf("test-%d.rego", at), text))
	}
	if r.InputTerm != "" {
		term, err := ast.ParseTerm(r.InputTerm)
		if err != nil {
			return nil, err
		}
		options = append(options, rego.ParsedInput(term.Value))
	} else if len(r.Input) > 0 {
		input, err := ast.ValueFromReader(bytes.NewReader(r.Input))
		if err != nil {
			return nil, err
		}
		options = append(options, rego.ParsedInput(input))
	}
	return rego.New(options...).Eval(context.Background())
}
