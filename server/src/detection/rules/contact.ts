import type { AnchoredRule, ShapeRule } from '../rule.ts'
import { identifierNear, isolated, tokenAround } from '../rule.ts'

/*
 * Contact data: addresses of people and machines. Never blocks.
 */

/** Domains that are reserved for documentation. */
const reserved = /(?:@|\.)(?:example\.(?:com|org|net)|[\w-]+\.(?:example|invalid|test|localhost))$/i

const email = {
  ...tokenAround(
    'email',
    '@',
    /(?<=(?<![\w.%+-])(?<before>[\w%+-][\w.%+-]{0,63}))@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}(?![\w-]|:[\w~/])/,
    (value) => !reserved.test(value),
  ),
  category: 'contact',
  confidence: 0.9,
} as const

const phoneWords = [
  'phone',
  'tel',
  'tel.',
  'call',
  'mobile',
  'cell',
  'fax',
  'whatsapp',
  'telefon',
  'téléphone',
  'teléfono',
  'telefono',
  'telefone',
  'telefoon',
  'handy',
  'celular',
  'móvil',
  'mobil',
  'телефон',
  '电话',
  '電話',
  '手机',
  '전화',
  '携帯',
]

/** Between 7 and 15 digits, of which not all are the same. */
function isPhone(value: string): boolean {
  const digits = value.replace(/\D/g, '')
  return digits.length >= 7 && digits.length <= 15 && !/^(\d)\1+$/.test(digits)
}

function isPublicAddress(value: string): boolean {
  const [a = 0, b = 0] = value.split('.').map(Number)
  const isLocal = a === 0 || a === 10 || a === 127 || a >= 224 || (a === 172 && b >= 16 && b < 32)
  return !isLocal && !(a === 192 && b === 168) && !(a === 169 && b === 254)
}

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`

function shape(type: string, pattern: RegExp, accepts: (value: string) => boolean): ShapeRule {
  return { type, category: 'contact', confidence: 0.6, words: [], pattern, accepts }
}

export const emailRules: readonly AnchoredRule[] = [email]

export const contactShapes: readonly ShapeRule[] = [
  // In the international form.
  shape(
    'phone',
    /(?<![\w+]|\d )(?:\+|00)[1-9]\d{0,2}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,4}(?!\w|[-.]\d)/g,
    isPhone,
  ),
  // In the form of North America.
  shape(
    'phone',
    isolated(
      String.raw`(?:1[ .-])?(?:\([2-9]\d\d\) ?[2-9]\d\d[ .-]\d{4}|[2-9]\d\d([.-])[2-9]\d\d\1\d{4})`,
      String.raw`(?<!\w|\d[-./ ])`,
    ),
    isPhone,
  ),
  {
    ...identifierNear('phone', phoneWords, /\(?0?\d{2,5}\)?(?:[ ./-]?\d{2,5}){1,4}/, isPhone),
    category: 'contact',
    confidence: 0.6,
  },
  shape(
    'ip_address',
    new RegExp(String.raw`(?<![\w.-]|[vV] ?)(?:${octet}\.){3}${octet}(?![\w-]|\.\d)`, 'g'),
    isPublicAddress,
  ),
]
