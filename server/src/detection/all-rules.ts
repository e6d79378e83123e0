import type { AnchoredRule, ShapeRule } from './rule.ts'
import { assignmentRules } from './rules/assignments.ts'
import { cloudKeys, cloudTokens } from './rules/cloud.ts'
import { contactShapes, emailRules } from './rules/contact.ts'
import { developerToolKeys, developerToolTokens } from './rules/developer-tools.ts'
import { financialShapes } from './rules/financial.ts'
import { americanIdentifiers } from './rules/identifiers-americas.ts'
import { asiaPacificIdentifiers } from './rules/identifiers-asia-pacific.ts'
import { europeanIdentifiers } from './rules/identifiers-europe.ts'
import { keyRules } from './rules/keys.ts'
import { messagingKeys, messagingTokens } from './rules/messaging.ts'
import { modelProviderKeys, modelProviderTokens } from './rules/model-providers.ts'
import { paymentKeys, paymentTokens } from './rules/payment.ts'
import { sentenceRules } from './rules/sentences.ts'

/*
 * The list of rules that `detect` applies.
 */

export const anchoredRules: readonly AnchoredRule[] = [
  ...modelProviderTokens,
  ...cloudTokens,
  ...developerToolTokens,
  ...paymentTokens,
  ...messagingTokens,
  ...keyRules,
  ...assignmentRules,
  ...sentenceRules,
  ...emailRules,
]

export const shapeRules: readonly ShapeRule[] = [
  ...modelProviderKeys,
  ...cloudKeys,
  ...developerToolKeys,
  ...paymentKeys,
  ...messagingKeys,
  ...americanIdentifiers,
  ...europeanIdentifiers,
  ...asiaPacificIdentifiers,
  ...financialShapes,
  ...contactShapes,
]
