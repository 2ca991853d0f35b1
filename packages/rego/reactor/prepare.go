//go:build wasip1

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
)

type preparedModule struct {
	*checked
	query         ast.Body
	queryCompiler ast.QueryCompiler
	store         storage.Store
}

var (
	// Prepared modules by handle.
	prepared   = map[int32]*preparedModule{}
	lastHandle int32
	timeKey    = ast.StringTerm("time")
)

func prepare(r *request) *response {
	p, answer := prepareModule(r)
	if p != nil {
		lastHandle++
		prepared[lastHandle] = p
		answer.Handle = lastHandle
	}
	return answer
}

// prepareModule answers no module when the response says what is wrong with it.
func prepareModule(r *request) (*preparedModule, *response) {
	c := check(r)
	answer := c.response()
	if len(c.problems) > 0 {
		return nil, answer
	}
	p, err := c.prepare(r.Data)
	if err != nil {
		answer.Error = err.Error()
		return nil, answer
	}
	return p, answer
}

func (c *checked) prepare(data json.RawMessage) (*preparedModule, error) {
	store, err := storeOf(data)
	if err != nil {
		return nil, err
	}
	queryCompiler := c.compiler.QueryCompiler()
	query, err := queryCompiler.Compile(c.query())
	if err != nil {
		return nil, err
	}
	return &preparedModule{checked: c, query: query, queryCompiler: queryCompiler, store: store}, nil
}

// query asks for the rules that the module defines.
func (c *checked) query() ast.Body {
	body := ast.Body{}
	for _, name := range c.rules {
		ref := c.module.Package.Path.Append(ast.StringTerm(name))
		body.Append(ast.Equality.Expr(ast.VarTerm(name), ast.NewTerm(ref)))
	}
	return body
}

func storeOf(data json.RawMessage) (storage.Store, error) {
	object := map[string]any{}
	if len(data) > 0 && !slices.Equal(data, []byte("null")) {
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return nil, err
		}
	}
	return inmem.NewFromObjectWithOpts(object, inmem.OptReturnASTValuesOnRead(true)), nil
}

// evaluate answers JSON: the elements of each set that the module defines. The rego package would do the same, but
// half of the time of a small evaluation is spent in what it does around it.
func (p *preparedModule) evaluate(input []byte, tracers ...topdown.QueryTracer) ([]byte, error) {
	value, err := readInput(input)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	transaction, err := p.store.NewTransaction(ctx)
	if err != nil {
		return nil, err
	}
	defer p.store.Abort(ctx, transaction)
	evaluation := topdown.NewQuery(p.query).WithQueryCompiler(p.queryCompiler).WithCompiler(p.compiler).
		WithStore(p.store).WithTransaction(transaction).WithInput(ast.NewTerm(value)).WithTime(timeOf(value)).
		WithStrictBuiltinErrors(true).WithMetrics(metrics.NoOp())
	for _, tracer := range tracers {
		evaluation = evaluation.WithQueryTracer(tracer)
	}
	results, err := evaluation.Run(ctx)
	if err != nil {
		return nil, err
	}
	if len(results) != 1 {
		return nil, errors.New("the rules have no value")
	}
	return p.render(results[0])
}

func (p *preparedModule) render(result topdown.QueryResult) ([]byte, error) {
	text := []byte{'{'}
	for at, name := range p.rules {
		term := result[ast.Var(name)]
		if term == nil {
			return nil, errors.New("a rule has no value")
		}
		elements, err := elementsOf(term.Value)
		if err != nil {
			return nil, err
		}
		if at > 0 {
			text = append(text, ',')
		}
		text = append(append(strconv.AppendQuote(text, name), ':'), elements...)
	}
	return append(text, '}'), nil
}

func elementsOf(value ast.Value) ([]byte, error) {
	if set, isSet := value.(ast.Set); isSet && set.Len() == 0 {
		return []byte("[]"), nil
	}
	elements, err := ast.JSON(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(elements)
}

// failureText says where an evaluation failed. OPA's own message may hold a value of an argument.
func failureText(err error) string {
	var failure *topdown.Error
	if !errors.As(err, &failure) {
		return "the evaluation failed"
	}
	if failure.Location == nil {
		return failure.Code
	}
	return fmt.Sprintf("%s at line %d", failure.Code, failure.Location.Row)
}

// timeOf is the time of the call, for the few functions that compare with the present. A module has no other clock.
func timeOf(input ast.Value) time.Time {
	object, isObject := input.(ast.Object)
	if !isObject {
		return time.Unix(0, 0)
	}
	term := object.Get(timeKey)
	if term == nil {
		return time.Unix(0, 0)
	}
	text, isText := term.Value.(ast.String)
	at, err := time.Parse(time.RFC3339Nano, string(text))
	if !isText || err != nil {
		return time.Unix(0, 0)
	}
	return at
}
