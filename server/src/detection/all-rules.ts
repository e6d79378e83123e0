import type { AnchoredRule, ShapeRule } from './rule.ts'
import { americanIdentifiers } from './rules/identifiers-americas.ts'
import { asiaPacificIdentifiers } from './rules/identifiers-asia-pacific.ts'
import { europeanIdentifiers } from './rules/identifiers-europe.ts'
import { modelProviderKeys, modelProviderTokens } from './rules/model-providers.ts'

/*
 * The list of rules that `detect` applies.
 */

export const anchoredRules: readonly AnchoredRule[] = [...modelProviderTokens]

export const shapeRules: readonly ShapeRule[] = [
  ...modelProviderKeys,
  ...americanIdentifiers,
  ...europeanIdentifiers,
  ...asiaPacificIdentifiers,
]
