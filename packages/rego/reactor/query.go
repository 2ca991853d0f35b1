//go:build wasip1

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
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
}

type queryResults struct {
	Bindings []map[string]any `json:"bindings"`
	Code     string           `json:"code,omitempty"`
	Message  string           `json:"message,omitempty"`
}

func query(r *queryRequest) *queryResults {
	bindings, err := r.run()
	if err == nil {
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

// run does what OPA's own runner of its cases does.
func (r *queryRequest) run() ([]map[string]any, error) {
	options := ast.ParserOptions{Capabilities: capabilities, RegoVersion: ast.RegoV1}
	modules := map[string]*ast.Module{}
	for at, text := range r.Modules {
		name := fmt.Sprintf("test-%d.rego", at)
		module, err := ast.ParseModuleWithOpts(name, text, options)
		if err != nil {
			return nil, err
		}
		modules[name] = module
	}
	compiler := ast.NewCompiler().WithCapabilities(capabilities)
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, compiler.Errors
	}
	body, err := ast.ParseBodyWithOpts(r.Query, options)
	if err != nil {
		return nil, err
	}
	compiled, err := compiler.QueryCompiler().Compile(body)
	if err != nil {
		return nil, err
	}
	input, err := r.input()
	if err != nil {
		return nil, err
	}
	return r.evaluate(compiler, compiled, input)
}

func (r *queryRequest) input() (*ast.Term, error) {
	if r.InputTerm != "" {
		return ast.ParseTerm(r.InputTerm)
	}
	if len(r.Input) == 0 {
		return nil, nil
	}
	value, err := ast.ValueFromReader(bytes.NewReader(r.Input))
	return ast.NewTerm(value), err
}

func (r *queryRequest) evaluate(compiler *ast.Compiler, body ast.Body, input *ast.Term) ([]map[string]any, error) {
	store, err := storeOf(r.Data)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	results, err := topdown.NewQuery(body).WithCompiler(compiler).WithStore(store).
		WithTransaction(storage.NewTransactionOrDie(ctx, store)).WithInput(input).
		WithStrictBuiltinErrors(r.StrictError).Run(ctx)
	if err != nil {
		return nil, err
	}
	all := []map[string]any{}
	for _, result := range results {
		bindings := map[string]any{}
		for name, term := range result {
			if bindings[string(name)], err = ast.JSON(term.Value); err != nil {
				return nil, err
			}
		}
		all = append(all, bindings)
	}
	return all, nil
}
