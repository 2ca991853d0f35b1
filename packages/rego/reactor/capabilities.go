//go:build wasip1

package main

import (
	_ "embed"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// The built-in functions that a module may call, one a line. A list of what is allowed: a function that a later
// OPA adds is refused until somebody has judged it.
//
//go:embed allowed-builtins.txt
var allowedBuiltins string

// The language, pinned: a later OPA that adds a feature must not change what old policies mean. A module that wants
// one of the keywords to come imports it.
var (
	features      = []string{ast.FeatureRegoV1, ast.FeatureKeywordsInRefs, ast.FeatureTemplateStrings}
	oldFeatures   = []string{ast.FeatureRefHeadStringPrefixes, ast.FeatureRefHeads, ast.FeatureRegoV1Import}
	keywords      = []string{"and", "not", "or"}
	oldKeywords   = []string{"contains", "every", "if", "in"}
	capabilities  = capabilitiesOf(features, keywords)
	capabilities0 = capabilitiesOf(append(oldFeatures, ast.FeatureRegoV1, ast.FeatureKeywordsInRefs), oldKeywords)
)

type builtin struct {
	Name      string `json:"name"`
	IsAllowed bool   `json:"is_allowed"`
}

func isAllowed() map[string]bool {
	allowed := map[string]bool{}
	for _, name := range strings.Fields(allowedBuiltins) {
		allowed[name] = true
	}
	return allowed
}

func capabilitiesOf(features []string, keywords []string) *ast.Capabilities {
	allowed := isAllowed()
	kept := []*ast.Builtin{}
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		if allowed[b.Name] {
			kept = append(kept, b)
		}
	}
	return &ast.Capabilities{
		Builtins: kept, Features: features, FutureKeywords: keywords,
		// No schema is fetched from anywhere.
		AllowNet: []string{},
	}
}

// builtins lists all built-in functions of this OPA.
func builtins() []builtin {
	allowed := isAllowed()
	all := []builtin{}
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		all = append(all, builtin{Name: b.Name, IsAllowed: allowed[b.Name]})
	}
	return all
}

func capabilitiesFor(version ast.RegoVersion) *ast.Capabilities {
	if version == ast.RegoV0 {
		return capabilities0
	}
	return capabilities
}
