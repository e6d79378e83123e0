import { validate as isEin } from 'stdnum/lib/cjs/us/ein.js'
import { hasLuhnDigit, isModulo97, valid, weightedSum, withoutSeparators } from '../check-digits.ts'
import { identifier, identifierNear, type ShapeRule } from '../rule.ts'

/*
 * Numbers of cards, accounts and companies. Never blocks.
 */

/** Lengths of IBANs by country. */
const ibanLengths = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

function isIban(value: string): boolean {
  const compact = value.replace(/[ -]/g, '').toUpperCase()
  return ibanLengths.get(compact.slice(0, 2)) === compact.length && isModulo97(compact)
}

/** Starts as the cards of Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay and Maestro do. */
const cardStart =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]\d|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2)|35(?:2[89]|[3-8])|3(?:0[0-5]|[689])|5018|5020|5038|6304|6759|676[1-3])/

function isCard(value: string): boolean {
  const digits = withoutSeparators(value)
  return cardStart.test(digits) && hasLuhnDigit(digits)
}

const financial = (rule: ShapeRule): ShapeRule => ({ ...rule, category: 'financial' })

export const financialShapes: readonly ShapeRule[] = [
  financial(
    identifier(
      'card_number',
      /\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3[47]\d\d([ -]?)\d{6}\2\d{5}|3\d{3}([ -]?)\d{6}\3\d{4}|\d{13}/,
      isCard,
    ),
  ),
  // Cards of other lengths and of schemes that no longer issue any.
  financial(
    identifierNear('card_number', ['card'], /\d{12,19}|\d{4}(?:[ -]\d{4}){2,3}/, (value) =>
      hasLuhnDigit(withoutSeparators(value)),
    ),
  ),
  financial(
    identifier('iban', /[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?/, isIban),
  ),
  financial(
    identifierNear(
      'us_ein',
      ['ein', 'employer identification', 'federal tax'],
      /\d{2}-\d{7}/,
      valid(isEin),
    ),
  ),
  financial(
    identifierNear('us_routing_number', ['routing', 'aba number', 'ABA'], /\d{9}/, (value) => {
      return weightedSum(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
    }),
  ),
  financial(
    identifierNear(
      'vat_number',
      ['vat', 'ust-id', 'ustid', 'tva', 'btw', 'partita iva', 'p. iva'],
      /(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[A-Z0-9]{8,12}/,
      (value) => /\d{5}/.test(value),
    ),
  ),
  financial(
    identifierNear(
      'bank_account',
      ['account number', 'account no', 'bank account', 'kontonummer', 'acct'],
      /\d{8,17}/,
      () => true,
    ),
  ),
]
