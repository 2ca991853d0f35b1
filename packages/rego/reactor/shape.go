//go:build wasip1

package main

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// Codes beside those of OPA.
const (
	noRule    = "no_rule"
	ruleShape = "rule_shape"
)

// The rules that a policy asks a module for.
var asked = []string{"deny", "require_approval"}

// checkRules notes which of the rules the module defines, and refuses those that can not be sets of messages.
func (c *checked) checkRules(parsed *ast.Module, compiler *ast.Compiler) {
	for _, name := range asked {
		for _, rule := range parsed.Rules {
			if first, isVar := rule.Head.Ref()[0].Value.(ast.Var); !isVar || string(first) != name {
				continue
			}
			if !slices.Contains(c.rules, name) {
				c.rules = append(c.rules, name)
			}
			if found := kindOf(rule); found != "" {
				c.refuseRule(rule, found)
			}
		}
		c.checkElements(parsed, name, compiler)
	}
	if len(c.rules) == 0 {
		c.problems = append(c.problems, problem{Code: noRule, Row: 1, Column: 1})
	}
}

// kindOf names what the rule is when it is not a set of its own name.
func kindOf(rule *ast.Rule) string {
	switch {
	case rule.Default:
		return "a default value"
	case len(rule.Head.Args) > 0:
		return "a function"
	case len(rule.Head.Ref()) > 1 && rule.Head.RuleKind() == ast.SingleValue:
		return "an object"
	case len(rule.Head.Ref()) > 1:
		return "an object of sets"
	case rule.Head.RuleKind() == ast.SingleValue:
		return "a single value"
	}
	return ""
}

func (c *checked) refuseRule(rule *ast.Rule, found string) {
	c.problems = append(c.problems, problem{
		Code: ruleShape, Message: found, Row: max(rule.Location.Row, 1), Column: max(rule.Location.Col, 1),
	})
}

// checkElements refuses a set whose elements can never be strings.
func (c *checked) checkElements(parsed *ast.Module, name string, compiler *ast.Compiler) {
	if compiler.Failed() || len(c.problems) > 0 || !slices.Contains(c.rules, name) {
		return
	}
	set, isSet := compiler.TypeEnv.GetByRef(parsed.Package.Path.Append(ast.StringTerm(name))).(*types.Set)
	if !isSet || canBeString(set.Of()) {
		return
	}
	for _, rule := range parsed.Rules {
		if rule.Head.Ref()[0].Value.Compare(ast.Var(name)) == 0 {
			c.refuseRule(rule, fmt.Sprintf("a set of %s", set.Of()))
			return
		}
	}
}

func canBeString(t types.Type) bool {
	switch t := t.(type) {
	case nil, types.String:
		return true
	case types.Any:
		return len(t) == 0 || slices.ContainsFunc(t, canBeString)
	}
	return false
}
