//go:build wasip1

package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	// Terms that are allocated at once, as count. A small input has some 30.
	termsAtOnce = 32
	// Deepest input that is read here.
	maxDepth = 128
	// Bytes from which on a text of the input is copied. OPA keeps patterns, and each would keep the whole input.
	largeInput = 4 << 10
	// Most names that are kept, as count, and the longest of them in bytes.
	maxNames, maxName = 1_024, 64
)

// Names of members, as terms that no one changes: the inputs of a module have the same ones again and again.
var names = map[string]*ast.Term{}

// readInput reads canonical JSON straight into OPA's values. OPA's own reader goes through values of Go, which takes
// three times as long. Whatever is not canonical, or wrong, is left to it, so that it means here what it means there.
func readInput(input []byte) (ast.Value, error) {
	r := inputReader{text: string(input), isLarge: len(input) > largeInput}
	if value := r.value(0); value != nil && r.at == len(r.text) {
		return value, nil
	}
	return ast.ValueFromReader(bytes.NewReader(input))
}

// inputReader answers nil, or an empty text, for what it does not read.
type inputReader struct {
	text    string
	at      int
	isLarge bool
	terms   []ast.Term
}

func (r *inputReader) value(depth int) ast.Value {
	if r.at >= len(r.text) || depth > maxDepth {
		return nil
	}
	switch r.text[r.at] {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"':
		if text, isText := r.string(); isText {
			return ast.InternedValue(text)
		}
		return nil
	case 't':
		return r.word("true", ast.InternedBooleanTrueValue)
	case 'f':
		return r.word("false", ast.InternedBooleanFalseValue)
	case 'n':
		return r.word("null", ast.InternedNullValue)
	}
	return r.number()
}

func (r *inputReader) word(word string, value ast.Value) ast.Value {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return nil
	}
	r.at += len(word)
	return value
}

// object reads members whose names ascend: then none is there twice.
func (r *inputReader) object(depth int) ast.Value {
	r.at++
	if r.take('}') {
		return ast.InternedEmptyObjectValue
	}
	var some [8][2]*ast.Term
	members, last := some[:0], ""
	for {
		name, isText := r.string()
		if !isText || (len(members) > 0 && name <= last) || !r.take(':') {
			return nil
		}
		value := r.value(depth + 1)
		if value == nil {
			return nil
		}
		members, last = append(members, [2]*ast.Term{nameTerm(name), r.term(value)}), name
		if r.take('}') {
			return ast.NewObject(members...)
		}
		if !r.take(',') {
			return nil
		}
	}
}

func nameTerm(name string) *ast.Term {
	term := names[name]
	if term == nil {
		// A copy, which does not keep the whole input.
		name = strings.Clone(name)
		term = ast.StringTerm(name)
		if len(names) < maxNames && len(name) <= maxName {
			names[name] = term
		}
	}
	return term
}

func (r *inputReader) array(depth int) ast.Value {
	r.at++
	if r.take(']') {
		return ast.InternedEmptyArrayValue
	}
	elements := []*ast.Term{}
	for {
		value := r.value(depth + 1)
		if value == nil {
			return nil
		}
		elements = append(elements, r.term(value))
		if r.take(']') {
			return ast.NewArray(elements...)
		}
		if !r.take(',') {
			return nil
		}
	}
}

func (r *inputReader) string() (string, bool) {
	if !r.take('"') {
		return "", false
	}
	isPlain := true
	for at := r.at; at < len(r.text); at++ {
		switch c := r.text[at]; {
		case c == '\\':
			isPlain = false
			at++
		case c == '"':
			text := r.text[r.at:at]
			whole := r.text[r.at-1 : at+1]
			r.at = at + 1
			if !isPlain {
				return text, json.Unmarshal([]byte(whole), &text) == nil
			}
			if r.isLarge {
				text = strings.Clone(text)
			}
			return text, true
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// number reads the numbers that need no judgement: an exponent may be out of range.
func (r *inputReader) number() ast.Value {
	start := r.at
	r.take('-')
	whole := r.digits()
	if whole == 0 || (whole > 1 && r.text[r.at-whole] == '0') {
		return nil
	}
	if r.take('.') && r.digits() == 0 {
		return nil
	}
	if term := ast.InternedIntNumberTermFromString(r.text[start:r.at]); term != nil {
		return term.Value
	}
	return ast.Number(r.text[start:r.at])
}

func (r *inputReader) digits() int {
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at - start
}

func (r *inputReader) take(c byte) bool {
	if r.at >= len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

func (r *inputReader) term(value ast.Value) *ast.Term {
	if len(r.terms) == 0 {
		r.terms = make([]ast.Term, termsAtOnce)
	}
	term := &r.terms[0]
	r.terms = r.terms[1:]
	term.Value = value
	return term
}
