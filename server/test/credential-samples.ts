/*
 * Invents credentials in the shape of each provider. They are composed here, so that no file contains one.
 */

export type Random = () => number

/** The same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to pick from.')
  return item
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const lower = 'abcdefghijklmnopqrstuvwxyz'.split('')
const digits = '0123456789'.split('')
const alphabets = {
  hex: '0123456789abcdef'.split(''),
  digits,
  upper,
  lower,
  lowerAndDigits: [...lower, ...digits],
  upperAndDigits: [...upper, ...digits],
  alphanumeric: [...upper, ...lower, ...digits],
  base32: [...upper, ...digits.slice(2, 8)],
  base64: [...upper, ...lower, ...digits, '+', '/'],
  base64url: [...upper, ...lower, ...digits, '-', '_'],
} as const

export function letters(random: Random, alphabet: keyof typeof alphabets, length: number): string {
  return Array.from({ length }, () => pick(random, alphabets[alphabet])).join('')
}

/** A shape is literal text with parts such as `{alphanumeric:36}`. */
export function compose(random: Random, shape: string): string {
  return shape.replace(/\{(\w+):(\d+)\}/g, (_, alphabet: keyof typeof alphabets, length: string) =>
    letters(random, alphabet, Number(length)),
  )
}

const uuid = '{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}'

/** Tokens that their prefix identifies, by type. */
export const tokenShapes: readonly (readonly [type: string, shape: string])[] = [
  ['assay_key', 'tk_live_{hex:48}'],
  ['assay_key', 'tk_test_{hex:48}'],
  ['anthropic_key', 'sk-ant-api03-{base64url:93}AA'],
  ['anthropic_key', 'sk-ant-admin01-{base64url:93}AA'],
  ['openai_key', 'sk-{alphanumeric:20}T3BlbkFJ{alphanumeric:20}'],
  ['openai_key', 'sk-proj-{base64url:74}T3BlbkFJ{base64url:74}'],
  ['openai_key', 'sk-svcacct-{base64url:74}T3BlbkFJ{base64url:74}'],
  ['openrouter_key', 'sk-or-v1-{hex:64}'],
  ['google_api_key', 'AIza{base64url:35}'],
  ['hugging_face_token', 'hf_{alphanumeric:34}'],
  ['groq_key', 'gsk_{alphanumeric:52}'],
  ['perplexity_key', 'pplx-{alphanumeric:48}'],
  ['replicate_token', 'r8_{alphanumeric:37}'],
  ['xai_key', 'xai-{alphanumeric:80}'],
  ['bedrock_key', 'ABSK{base64:128}'],
  ['langfuse_key', `sk-lf-${uuid}`],
]
