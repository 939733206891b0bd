"""The rule sets, one module or package each; `scoring.rules.base` finds them by name."""
