import { type AnchoredRule, named, token, tokenAround } from '../rule.ts'
import { entropyOf, isDocumentedSample, isRandomToken } from '../value-checks.ts'

/*
 * Private keys, signed tokens and password hashes.
 */

/** Without its end, a key extends over the lines that look encoded. Line breaks can be escaped. */
const pem =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^])*-----END [A-Z0-9 ]{0,60}-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{30,})*)/

function isPrivateKey(value: string): boolean {
  const body = value.replace(/-----[^-]+-----/g, '').replace(/\\[nr]/g, '')
  return body.replace(/[^A-Za-z0-9+/]/g, '').length >= 60 && !/\.{3}|…/.test(body)
}

/** The first part of a signed or encrypted token is a JSON object that names its algorithm. */
function isWebToken(value: string): boolean {
  if (isDocumentedSample(value)) return false
  try {
    const header: unknown = JSON.parse(decodeBase64(value.slice(0, value.indexOf('.'))))
    return typeof header === 'object' && header !== null && ('alg' in header || 'enc' in header)
  } catch {
    return false
  }
}

function decodeBase64(value: string): string {
  return Buffer.from(value, 'base64url').toString('utf8')
}

export const keyRules: readonly AnchoredRule[] = [
  { ...tokenAround('private_key', '-----begin ', pem, isPrivateKey), confidence: 0.99 },
  token('private_key_base64', ['LS0tLS1CRUdJTi'], /[A-Za-z0-9+/]{80,}={0,2}/, (value) =>
    decodeBase64(value.slice(0, 80)).includes('PRIVATE KEY'),
  ),
  {
    ...tokenAround(
      'putty_private_key',
      'putty-user-key-file-',
      /PuTTY-User-Key-File-\d:(?:(?!PuTTY-User)[^])*?Private-MAC: [0-9a-f]{40,64}/,
      () => true,
    ),
    confidence: 0.99,
  },
  named('jwk_private_key', ['"d"'], /\s{0,3}:\s{0,3}"(?<value>[\w-]{43,})(?=")/, isRandomToken),
  tokenAround('jwt', 'eyj', /(?<![\w-])eyJ[\w-]{12,}(?:\.[\w-]+){1,4}\.?/, isWebToken),
  token('password_hash', ['$apr1$'], /[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}/, isHash),
  token('password_hash', ['$2a$', '$2b$', '$2y$'], /\d\d\$[./A-Za-z0-9]{53}/, isHash),
  token(
    'password_hash',
    ['$5$', '$6$'],
    /(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}/,
    isHash,
  ),
  token(
    'password_hash',
    ['$argon2id$', '$argon2i$'],
    /v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{20,100}/,
    isHash,
  ),
  token('password_hash', ['{SHA}', '{SSHA}'], /[A-Za-z0-9+/]{27,}={0,2}/, isHash),
]

function isHash(value: string): boolean {
  return entropyOf(value) > 3
}
