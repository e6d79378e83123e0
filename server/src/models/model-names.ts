import { findHost, type Host } from './model-hosts.ts'

/*
 * Candidates for looking up a sender's model name in the price list: providers and spellings, most likely
 * first.
 */

export type Search =
  | { readonly lookups: readonly Lookup[] }
  /** There is nothing to look for. */
  | { readonly none: 'local_model' | 'unknown_provider' | 'unknown_model' }

export interface Lookup {
  readonly provider: string
  /** In lower case. */
  readonly name: string
}

/** `provider` is the sender's name for the provider that served the call. */
export function searchFor(provider: string | null, model: string): Search {
  const given = provider === null ? passing : (findHost(provider) ?? unknownHost)
  // These hosts bill by their own prices, whatever the model name suggests.
  if (given.kind === 'local') return { none: 'local_model' }
  if (given.kind === 'unlisted') return { none: 'unknown_provider' }
  const parts = splitName(plainName(model), given)
  const { host } = parts
  if (host.kind === 'local') return { none: 'local_model' }
  if (host.kind === 'unlisted' || host.kind === 'unknown') return { none: 'unknown_provider' }
  const lookups: Lookup[] = []
  const seek = (where: string, names: readonly string[]) => {
    for (const name of names) {
      for (const spelling of listSpellings(name, where)) {
        if (!isOpenWeights(where, spelling)) lookups.push({ provider: where, name: spelling })
      }
    }
  }
  if (host.kind === 'listed') seek(host.provider, parts.names)
  // Gateways, and endpoints compatible with OpenAI or Anthropic, bill the vendor's price.
  const passesOn = host.kind === 'passing' || makersLanguages.has(host.provider)
  const maker = passesOn ? (parts.maker ?? findMaker(parts.names.at(-1) ?? '')) : undefined
  if (maker !== undefined) seek(maker, parts.names.slice(-1))
  return lookups.length === 0
    ? { none: 'unknown_model' }
    : { lookups: lookups.slice(0, maxLookups) }
}

const passing: Host = { kind: 'passing' }
const unknownHost = { kind: 'unknown' } as const
type AnyHost = Host | typeof unknownHost

const makersLanguages: ReadonlySet<string> = new Set(['openai', 'anthropic', 'openrouter'])

/** Model names are untrusted text; longer ones are ignored. */
const maxLookups = 64

/** The model name with its prefixes removed one by one, whichever host served it. */
export function listNames(model: string): readonly string[] {
  return splitName(plainName(model), passing).names
}

/** Removes decorations that terminals and coding agents add: colors, `[1m]` for a large context, spaces. */
function plainName(model: string): string {
  return model
    .replaceAll(colors, '')
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, '-')
    .replace(/-?\[1m\]$/, '')
}

// oxlint-disable-next-line no-control-regex -- the escape character is what begins them
const colors = /\u001b\[[\d;]*m|\[\d*m(?!\])/g

interface NameParts {
  readonly host: AnyHost
  /**
   * The name with its prefixes removed one by one. Hosts of several vendors list models with the vendor's
   * prefix.
   */
  readonly names: readonly string[]
  /** The vendor according to the last prefix. */
  readonly maker: string | undefined
}

function splitName(whole: string, given: AnyHost): NameParts {
  let host = given
  let maker: string | undefined
  let rest = whole
  const cloud = ofCloud(whole)
  if (cloud !== undefined) {
    rest = cloud.rest
    if (host.kind !== 'listed') host = { kind: 'listed', provider: cloud.provider }
  }
  const names = [rest]
  for (let words = 0; words < maxWords; words += 1) {
    const split = /^([^/:]+)[/:](.+)$/.exec(rest)
    if (split === null) break
    const [, word = '', after = ''] = split
    const meant = isNoise(word, host) ? passing : findHost(word)
    if (meant === undefined) break
    rest = after
    names.push(rest)
    if (isNoise(word, host)) continue
    if (meant.kind === 'listed') maker = meant.provider
    // A prefix of the name takes precedence over the reported provider, except for hosts that list models
    // by vendor.
    const isHostOfMany = host.kind === 'listed' && !makersLanguages.has(host.provider)
    const isRouted = host.kind === 'listed' && host.provider === 'openrouter'
    if (meant.kind !== 'passing' && !isHostOfMany && !isRouted) host = meant
  }
  if (host.kind !== 'listed' && host.kind !== 'local' && bedrockName.test(rest)) {
    host = { kind: 'listed', provider: 'aws' }
  }
  return { host, names, maker }
}

const maxWords = 4

/**
 * The model id within a cloud resource name. An opaque resource name is returned unchanged and matches no
 * list entry.
 */
function ofCloud(name: string): { readonly provider: string; readonly rest: string } | undefined {
  const arn =
    /^(?:bedrock\/)?arn:aws[\w-]*:bedrock:[^/]*[:/](?:foundation-model|inference-profile)\/(.+)$/.exec(
      name,
    )
  if (arn !== null) return { provider: 'aws', rest: arn[1] ?? '' }
  const google = /(?:^|\/)publishers\/([^/]+)\/models\/(.+)$/.exec(name)
  return google === null ? undefined : { provider: 'google', rest: google[2] ?? '' }
}

/** Prefixes that are neither a host nor a vendor: routes, regions and deployment types. */
function isNoise(word: string, host: AnyHost): boolean {
  if (/^(?:models|converse|converse_like|invoke|chat|responses|completion)$/.test(word)) return true
  if (host.kind !== 'listed') return false
  if (host.provider === 'azure')
    return /^(?:global|global-standard|data-zone|eu|us|standard)$/.test(word)
  return host.provider === 'aws' && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(word)
}

const bedrockName =
  /^(?:(?:us|eu|apac|jp|au|ca|uk|sa|in|us-gov|global)\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|google|nvidia|writer|ai21|moonshot|minimax|zai)\.[a-z]/

/** The vendor of a model family that is sold at one price. Open weights have no single vendor. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [
    /^(?:ft:)?(?:gpt-(?!oss)|gpt35|chatgpt-|o[134](?:-|$)|text-embedding-(?:3|ada)|codex-|computer-use|whisper-1$)/,
    'openai',
  ],
  [/^(?:text-davinci|davinci|babbage|gpt4)/, 'openai'],
  [/^gemini-/, 'google'],
  [
    /^(?:mistral-(?:large|medium|small|embed|saba|tiny)|codestral|devstral|magistral|ministral|pixtral)/,
    'mistral',
  ],
  [/^grok-/, 'x-ai'],
  [/^deepseek-(?:chat|reasoner)$/, 'deepseek'],
  [/^(?:command-|embed-v4)/, 'cohere'],
  [/^(?:kimi-|moonshot-)/, 'moonshotai'],
  [/^glm-/, 'zhipuai'],
  [/^sonar(?:-|$)/, 'perplexity'],
  [/^voyage-/, 'voyageai'],
  [/^composer-/, 'cursor'],
]

function findMaker(name: string): string | undefined {
  return makers.find(([family]) => family.test(name))?.[1]
}

/** Listed under OpenAI, which does not sell them: every host has its own price. */
function isOpenWeights(provider: string, name: string): boolean {
  return provider === 'openai' && name.startsWith('gpt-oss')
}

/** The name as sent, then with one normalization after another. A free variant never matches a paid one. */
function listSpellings(name: string, provider: string): string[] {
  const spellings = [name]
  for (const simpler of provider === 'aws' ? [...liberties, ...bedrockLiberties] : liberties) {
    // In order of the number of normalizations, fewest first.
    for (const spelling of [...spellings]) {
      const other = simpler(spelling)
      if (!spellings.includes(other)) spellings.push(other)
    }
    if (spellings.length > maxSpellings) break
  }
  return spellings
}

const maxSpellings = 24

const liberties: readonly ((name: string) => string)[] = [
  // Vertex: claude-sonnet-4-5@20250929, gemini-1.5-pro@001.
  (name) => name.replace('@', '-'),
  // OpenRouter: routing and response variants.
  (name) => name.replace(/:(?:thinking|online|nitro|floor|exacto|beta|extended)$/, ''),
  // Reasoning effort: o3-mini-high, gpt-5 (high), claude-3.7-sonnet-thinking.
  (name) =>
    /^(?:o\d|gpt-5|gpt-6|claude|gemini|grok)/.test(name)
      ? name.replace(/[-:@]?\(?-?(?:minimal|low|medium|high|xhigh|none|thinking)\)?$/, '')
      : name,
  (name) => name.replace(/-latest$/, ''),
  // Azure: gpt-35-turbo.
  (name) => name.replace(/^gpt-?35/, 'gpt-3.5').replace(/^gpt4/, 'gpt-4'),
  claudeOrder,
  // A snapshot that is not listed costs the same as its model.
  (name) => name.replace(/[-@](?:20\d\d-?\d\d-?\d\d|0\d\d)$/, ''),
]

const bedrockLiberties: readonly ((name: string) => string)[] = [
  (name) => name.replace(/:\d+k$/, ''),
  (name) => (/^(?:nova|titan)/.test(name) ? `amazon.${name}` : name),
  // A region without its own price costs the same as the model.
  (name) => name.replace(/^(?:us|eu|apac|jp|au|ca|uk|sa|in|us-gov)\./, ''),
]

/** Some editors put the version first, with a dot: claude-4.5-sonnet is claude-sonnet-4-5. */
function claudeOrder(name: string): string {
  const [, start = '', generation = '', size = '', end = ''] =
    /^(.*?claude-)(\d+(?:[.-]\d)?)-(opus|sonnet|haiku)(.*)$/.exec(name) ?? []
  if (generation === '') return name.replace(/(claude-(?:opus|sonnet|haiku)-\d+)\.(\d)/, '$1-$2')
  const dashed = generation.replace('.', '-')
  return Number(dashed.charAt(0)) < 4
    ? `${start}${dashed}-${size}${end}`
    : `${start}${size}-${dashed}${end}`
}
