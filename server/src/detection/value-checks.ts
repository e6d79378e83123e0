/*
 * Distinguishes real values from placeholders and documented samples, by their characters only.
 */

/** How often each character of a value was seen; all zeros between two calls. */
const counts = new Uint32Array(128)

/** Shannon entropy in bits per character. */
export function entropyOf(value: string): number {
  let bits = 0
  for (let i = 0; i < value.length; i += 1) {
    // Beyond ASCII, characters that share a count make the entropy a little lower.
    const code = value.charCodeAt(i) & 127
    const count = counts[code] ?? 0
    counts[code] = count + 1
    if (count > 0) bits += (count + 1) * Math.log2(count + 1) - count * Math.log2(count)
  }
  for (let i = 0; i < value.length; i += 1) counts[value.charCodeAt(i) & 127] = 0
  return Math.log2(value.length) - bits / value.length
}

const placeholderWords =
  /example|placeholder|change[-_ ]?(?:me|this|it)|your[-_ ]|\byour|my[-_]?(?:pass|secret|token|key|api)|dummy|sample|redacted|replace[-_ ]?(?:me|with|this)|insert[-_ ]|x{5}|goes[-_ ]?here|-here$|_here$|not[-_]?a[-_]?real|fake[-_]/i
const placeholderForms =
  /\*{3}|\.{3}|^[<[{(].*[>\]})]$|\$\{|\{\{|^\$[A-Za-z_]\w*$|^%\w+%$|<[\w -]+>|#\{|^@[\w.]+@$|\$\(/

/** Whether the value only stands for a value, as in `<your-api-key>` or `changeme`. */
export function isPlaceholder(value: string): boolean {
  return placeholderForms.test(value) || placeholderWords.test(value) || isSequence(value)
}

/** `1234567890`, `abcdef`, `aaaa`: most characters are the next one, or the same. */
function isSequence(value: string): boolean {
  let steps = 0
  for (let i = 1; i < value.length; i += 1) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1)
    if (step === 0 || step === 1) steps += 1
  }
  return value.length > 5 && steps >= (value.length - 1) * 0.75
}

/** Sample values from the documentation of their providers, as the end of each: none is stored whole. */
const documentedEndings = [
  // AWS: access key id and secret
  'OSFODNN7EXAMPLE',
  'bPxRfiCYEXAMPLEKEY',
  // The token on jwt.io and the one in RFC 7519
  'JV_adQssw5c',
  'cThIIoDvwdueQB468K5xDc5633seEFoqwxjF_xSJyQQ',
  'frBuD8uPzoAHFOxeWZQ',
  // Stripe's documentation
  'jWDarjtT1zdp7dc',
]

export function isDocumentedSample(value: string): boolean {
  return documentedEndings.some((ending) => value.endsWith(ending))
}

/** For the random part of tokens with a public prefix. */
export function isRandomToken(body: string): boolean {
  if (isPlaceholder(body) || isDocumentedSample(body)) return false
  return entropyOf(body) >= (body.length < 20 ? 2.4 : 2.8)
}

/** For keys without a prefix, next to their name: letters and digits, with no words. */
export function isRandomKey(value: string): boolean {
  if (isPlaceholder(value) || isDocumentedSample(value)) return false
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (/^[\da-f-]+$/i.test(value)) return entropyOf(value) >= 2.8
  return entropyOf(value) >= 3.1 && kindChanges(value) >= 0.3
}

/** For a part of a token, which may have no digits. */
export function looksRandom(value: string): boolean {
  return value.length >= 8 && entropyOf(value) >= 2.8 && kindChanges(value) >= 0.3
}

/**
 * How often letters and digits change between capitals, small letters and digits, from 0 to 1. Names in camel case
 * rarely reach 0.3, random text does.
 */
function kindChanges(value: string): number {
  let changes = 0
  let length = 0
  let previous = 0
  for (let i = 0; i < value.length; i += 1) {
    const kind = kindOf(value.charCodeAt(i))
    if (kind === 0) continue
    if (previous !== 0 && kind !== previous) changes += 1
    previous = kind
    length += 1
  }
  return changes / (length - 1)
}

function kindOf(code: number): 0 | 1 | 2 | 3 {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  return code >= 48 && code <= 57 ? 3 : 0
}

/** Values that samples and defaults use where a password goes. */
const commonDefaults = new Set(
  'password passwd passw0rd password1 password123 pass pwd secret secret123 admin123 test123 username postgres123 changeme foobar123 letmein qwerty123 12345678'.split(
    ' ',
  ),
)

/** For passwords that people choose: mixed kinds of characters, and nothing that samples use. */
export function isPassword(value: string): boolean {
  if (
    value.length < 6 ||
    value.length > 128 ||
    isPlaceholder(value) ||
    commonDefaults.has(value.toLowerCase())
  ) {
    return false
  }
  return /\d/.test(value) ? /\D/.test(value) : isMixed(value)
}

/** A capital first letter and an apostrophe are not enough: sentences have them. */
function isMixed(value: string): boolean {
  const hasSymbol = /[!-/:-@[-`{-~]/.test(value.slice(1, -1).replace(/['.,_/-]/g, ''))
  const hasInnerCapital = /[A-Z]/.test(value.slice(1)) && /[a-z]/.test(value)
  return hasSymbol || (hasInnerCapital && value.length >= 10)
}

/** An expression that reads the value from elsewhere, a path or an address. */
export function isReference(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+[()[\]{},;]*$/.test(value) ||
    /^[\w$.]+\(.*\)?/.test(value) ||
    /^[\w$.]+\[/.test(value) ||
    /^!{1,2}[A-Za-z_$][\w$.]*$/.test(value) ||
    /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z+]{1,10}:\/\/)/.test(value)
  )
}
