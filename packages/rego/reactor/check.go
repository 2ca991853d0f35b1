//go:build wasip1

package main

import (
	"encoding/json"
	"errors"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
)

// The name of the module in OPA's locations and traces.
const fileName = "policy.rego"

// checked is a module that was parsed, and compiled when nothing was wrong.
type checked struct {
	module   *ast.Module
	compiler *ast.Compiler
	version  ast.RegoVersion
	rules    []string
	problems []problem
}

func check(r *request) *checked {
	c := parse(r.Text)
	if c.module == nil {
		return c
	}
	compiler := ast.NewCompiler().WithCapabilities(capabilitiesFor(c.version)).WithStrict(true).
		WithDefaultRegoVersion(c.version)
	if len(r.Schema) > 0 {
		var schema any
		if err := json.Unmarshal(r.Schema, &schema); err != nil {
			c.fail(err)
			return c
		}
		schemas := ast.NewSchemaSet()
		schemas.Put(ast.SchemaRootRef, schema)
		compiler = compiler.WithSchemas(schemas)
	}
	parsed := c.module.Copy()
	compiler.Compile(map[string]*ast.Module{fileName: c.module})
	c.checkRules(parsed, compiler)
	if compiler.Failed() {
		c.fail(compiler.Errors)
		return c
	}
	c.compiler = compiler
	return c
}

// parse reads the text as Rego v1, and as v0 when it is not v1. When it is neither, the errors are those of the
// version that got further.
func parse(text string) *checked {
	module, err := parseAs(text, ast.RegoV1)
	if err == nil {
		return &checked{module: module, version: ast.RegoV1}
	}
	old, oldErr := parseAs(text, ast.RegoV0)
	if oldErr == nil {
		return &checked{module: old, version: ast.RegoV0}
	}
	c := &checked{}
	if isBefore(err, oldErr) {
		err = oldErr
	}
	c.fail(err)
	return c
}

func parseAs(text string, version ast.RegoVersion) (*ast.Module, error) {
	options := ast.ParserOptions{Capabilities: capabilitiesFor(version), RegoVersion: version}
	module, err := ast.ParseModuleWithOpts(fileName, text, options)
	if err == nil && module == nil {
		return nil, &ast.Error{Code: ast.ParseErr, Message: "empty module", Location: ast.NewLocation(nil, fileName, 1, 1)}
	}
	return module, err
}

func isBefore(a error, b error) bool {
	first, second := problemsOf(a)[0], problemsOf(b)[0]
	return first.Row < second.Row || (first.Row == second.Row && first.Column < second.Column)
}

func (c *checked) fail(err error) { c.problems = append(c.problems, problemsOf(err)...) }

func problemsOf(err error) []problem {
	var several ast.Errors
	if errors.As(err, &several) && len(several) > 0 {
		problems := []problem{}
		for _, e := range several {
			problems = append(problems, problemOf(e))
		}
		return problems
	}
	var one *ast.Error
	if errors.As(err, &one) {
		return []problem{problemOf(one)}
	}
	return []problem{{Code: ast.CompileErr, Message: err.Error(), Row: 1, Column: 1}}
}

// problemOf states a place for every error: OPA leaves out some, and counts some columns from 0.
func problemOf(e *ast.Error) problem {
	p := problem{Code: e.Code, Message: e.Message, Row: 1, Column: 1, Details: e.Details}
	if e.Location != nil {
		p.Row, p.Column = max(e.Location.Row, 1), max(e.Location.Col, 1)
	}
	return p
}

func (c *checked) response() *response {
	r := &response{Problems: c.problems, Rules: c.rules}
	if c.module != nil && c.version == ast.RegoV0 {
		r.OldSyntaxRow = c.oldSyntaxRow()
	}
	return r
}

func (c *checked) oldSyntaxRow() int {
	if len(c.module.Rules) > 0 && c.module.Rules[0].Location != nil {
		return c.module.Rules[0].Location.Row
	}
	return 1
}

func newSyntax(text string) string {
	formatted, err := format.SourceWithOpts(fileName, []byte(text), format.Opts{
		RegoVersion:   ast.RegoV1,
		ParserOptions: &ast.ParserOptions{RegoVersion: ast.RegoV0, Capabilities: capabilities0},
	})
	if err != nil {
		return ""
	}
	return string(formatted)
}
