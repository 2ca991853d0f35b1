//go:build wasip1

package main

import (
	"bytes"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/topdown"
)

const (
	// Most steps of an evaluation that a trace tells of.
	maxEvents = 2_000
	// Most bytes of a trace.
	maxTrace = 64 << 10
)

type explanation struct {
	// What evaluate answers; empty when there is an error.
	Result     string      `json:"result"`
	Error      string      `json:"error"`
	Trace      string      `json:"trace"`
	IsTraceCut bool        `json:"is_trace_cut"`
	Covered    []lineRange `json:"covered"`
	NotCovered []lineRange `json:"not_covered"`
	Percent    float64     `json:"percent"`
}

type lineRange struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// firstEvents keeps the first steps of an evaluation.
type firstEvents struct {
	events topdown.BufferTracer
	isCut  bool
}

func (*firstEvents) Enabled() bool { return true }

func (*firstEvents) Config() topdown.TraceConfig { return topdown.TraceConfig{PlugLocalVars: true} }

func (t *firstEvents) TraceEvent(event topdown.Event) {
	if len(t.events) >= maxEvents {
		t.isCut = true
		return
	}
	t.events.TraceEvent(event)
}

func explain(r *request) *response {
	p, answer := prepareModule(r)
	if p != nil {
		answer.Explained = p.explain(r.Input)
	}
	return answer
}

func (p *preparedModule) explain(input []byte) *explanation {
	coverage, trace := cover.New(), &firstEvents{}
	e := &explanation{}
	result, err := p.evaluate(input, coverage, trace)
	if err != nil {
		e.Error = failureText(err)
	}
	e.Result = string(result)
	var text bytes.Buffer
	topdown.PrettyTraceWithLocation(&text, trace.events)
	e.IsTraceCut = trace.isCut || text.Len() > maxTrace
	e.Trace = string(bytes.ToValidUTF8(text.Bytes()[:min(text.Len(), maxTrace)], nil))
	report := coverage.Report(map[string]*ast.Module{fileName: p.module})
	if file := report.Files[fileName]; file != nil {
		e.Covered, e.NotCovered = rangesOf(file.Covered), rangesOf(file.NotCovered)
		e.Percent = file.Coverage
	}
	return e
}

func rangesOf(ranges []cover.Range) []lineRange {
	lines := []lineRange{}
	for _, r := range ranges {
		lines = append(lines, lineRange{First: r.Start.Row, Last: r.End.Row})
	}
	return lines
}
